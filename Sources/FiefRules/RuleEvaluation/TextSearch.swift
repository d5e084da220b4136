import FiefRE2

/// Searches texts in a time that is linear in their lengths, whatever they contain.
enum TextSearch {
  /// Passes the offset of each occurrence of a part to `body`, until it returns `false`. Occurrences do not
  /// overlap.
  ///
  /// - Parameter part: a text that is not empty.
  static func forEach(_ part: String, in text: String, _ body: (Int) -> Bool) {
    var (part, text) = (part, text)
    let count = (text: text.utf8.count, part: part.utf8.count)
    text.withUTF8 { text in
      part.withUTF8 { part in
        // SAFETY: both texts are valid in the closures, and `start` is never beyond the end of the text.
        text.withMemoryRebound(to: CChar.self) { text in
          part.withMemoryRebound(to: CChar.self) { part in
            guard let bytes = text.baseAddress else { return }
            var start = 0
            while let found = fief_re2_find(bytes + start, count.text - start, part.baseAddress, count.part) {
              let offset = found - bytes
              guard body(offset) else { return }
              start = offset + count.part
            }
          }
        }
      }
    }
  }

  static func contains(_ part: String, in text: String) -> Bool {
    var isFound = part.isEmpty
    if !isFound {
      forEach(part, in: text) { _ in
        isFound = true
        return false
      }
    }
    return isFound
  }
}
