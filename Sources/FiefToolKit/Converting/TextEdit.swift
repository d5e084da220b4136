/// A change to the text of a file: bytes and what takes their place.
struct TextEdit: Hashable {
  let range: Range<Int>
  let text: String
}

extension [TextEdit] {
  /// The changes in the order of their places. A change that was made twice is there once.
  var ordered: [TextEdit] {
    Set(self).sorted {
      ($0.range.lowerBound, $0.range.upperBound, $0.text) < (
        $1.range.lowerBound, $1.range.upperBound, $1.text
      )
    }
  }

  /// The place of the first change that overlaps the one before it.
  var overlap: Int? {
    zip(self, dropFirst()).first { $0.range.upperBound > $1.range.lowerBound }?.1.range.lowerBound
  }

  /// The bytes of a file, or of a part of it, with the changes in the part, which are in order and apart from each other.
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
