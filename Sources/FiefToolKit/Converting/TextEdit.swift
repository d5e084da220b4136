/// A change to the text of a file: bytes and what takes their place.
struct TextEdit {
  let range: Range<Int>
  let text: String
}

extension [TextEdit] {
  /// The bytes of a file, or of a part of it, with the changes in the part.
  func applied(to bytes: [UInt8], in part: Range<Int>? = nil) -> [UInt8] {
    let part = part ?? 0..<bytes.count
    var result: [UInt8] = []
    var place = part.lowerBound
    for edit in self
    where edit.range.lowerBound >= part.lowerBound && edit.range.upperBound <= part.upperBound {
      // An insertion at the beginning of the next line belongs to that.
      if edit.range.lowerBound == part.upperBound, part.upperBound < bytes.count { continue }
      result += bytes[place..<edit.range.lowerBound]
      result += edit.text.utf8
      place = edit.range.upperBound
    }
    return result + bytes[place..<part.upperBound]
  }
}
