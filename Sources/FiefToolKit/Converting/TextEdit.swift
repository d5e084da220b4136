/// An edit of a file: a range of bytes and the text that replaces it.
struct TextEdit: Hashable {
  let range: Range<Int>
  let text: String
}

extension [TextEdit] {
  /// The edits in the order of their positions, without duplicates.
  var ordered: [TextEdit] {
    Set(self).sorted {
      ($0.range.lowerBound, $0.range.upperBound, $0.text) < (
        $1.range.lowerBound, $1.range.upperBound, $1.text
      )
    }
  }

  /// The position of the first edit that overlaps the previous one.
  var overlap: Int? {
    zip(self, dropFirst()).first { $0.range.upperBound > $1.range.lowerBound }?.1.range.lowerBound
  }

  /// Returns the bytes of a file, or of a part of it, with the edits in the part applied. The edits must be
  /// in order and must not overlap.
  func applied(to bytes: [UInt8], in part: Range<Int>? = nil) -> [UInt8] {
    let part = part ?? 0..<bytes.count
    var result: [UInt8] = []
    var place = part.lowerBound
    for edit in self
    where edit.range.lowerBound >= part.lowerBound && edit.range.upperBound <= part.upperBound {
      // An insertion at the beginning of the next line belongs to that line.
      if edit.range.lowerBound == part.upperBound, part.upperBound < bytes.count { continue }
      result += bytes[place..<edit.range.lowerBound]
      result += edit.text.utf8
      place = edit.range.upperBound
    }
    return result + bytes[place..<part.upperBound]
  }
}
