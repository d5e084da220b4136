/// The bytes of one name in a place, or of a part of a long name.
///
/// A text is U+0005, the name and U+0002. An integer is U+0004 and nine characters. No name contains these
/// characters, and they sort before all characters of names, so the bytes of components compare like the
/// names.
///
/// A text longer than 256 bytes is cut at the boundary of a scalar. The piece ends with U+10FFFF instead of
/// U+0002. If it ends early because the next scalar does not fit, every shorter scalar that another name has
/// at this position sorts before U+10FFFF, as its name sorts before this one. A place ends with the piece, so
/// the mark cannot be mistaken for a character of the name.
enum TreeComponent: Equatable {
  case integer(IntegerName)
  /// The bytes of a whole text, or of its last piece.
  case text(Range<Int>)
  /// The bytes of a piece that is not the last one.
  case piece(Range<Int>)

  static let integerMark: UInt8 = 0x04
  static let textMark: UInt8 = 0x05
  static let textEnd: UInt8 = 0x02
  /// A byte that sorts after all components.
  static let afterComponents: UInt8 = 0x06
  /// U+10FFFF in UTF-8.
  static let cutMark: [UInt8] = [0xF4, 0x8F, 0xBF, 0xBF]
  /// The maximum number of bytes of a name in one component.
  static let longestText = 256
  /// The minimum number of bytes of a piece: only one scalar of up to four bytes may not fit.
  static let shortestPiece = 253

  /// Appends the component for a name, or for the rest of a name.
  ///
  /// - Parameters:
  ///   - name: the UTF-8 of a valid name.
  ///   - start: the offset of the rest, which is a text even if it looks like an integer; 0 for the whole
  ///     name.
  /// - Returns: the offset of the rest if the name had to be cut; otherwise `nil`.
  static func append(
    _ name: UnsafeRawBufferPointer,
    from start: Int,
    to place: inout [UInt8]
  ) -> Int? {
    let rest = UnsafeRawBufferPointer(rebasing: name[start...])
    if start == 0, let integer = IntegerName(rest) {
      place.append(integerMark)
      integer.append(to: &place)
      return nil
    }
    place.append(textMark)
    if rest.count <= longestText {
      place.append(contentsOf: rest)
      place.append(textEnd)
      return nil
    }
    var end = longestText
    while rest[end] & 0xC0 == 0x80 { end -= 1 }
    place.append(contentsOf: rest[..<end])
    place.append(contentsOf: cutMark)
    return start + end
  }

  /// Reads the component that begins at an offset.
  ///
  /// - Returns: the component and the offset of its end; `nil` if the bytes are no component.
  static func read(_ place: UnsafeRawBufferPointer, at start: Int) -> (component: TreeComponent, end: Int)? {
    guard start < place.count else { return nil }
    if place[start] == integerMark {
      let end = start + 1 + IntegerName.count
      guard end <= place.count, let integer = IntegerName(characters: place[(start + 1)..<end]),
        isBoundary(place, end)
      else { return nil }
      return (.integer(integer), end)
    }
    guard place[start] == textMark else { return nil }
    let first = start + 1
    var end = first
    while end < place.count, !TreeName.isRefused(place[end]) { end += 1 }
    if end < place.count {
      guard place[end] == textEnd, end > first, end - first <= longestText, isBoundary(place, end + 1) else {
        return nil
      }
      return (.text(first..<end), end + 1)
    }
    let textEnd = end - cutMark.count
    guard textEnd - first >= shortestPiece, textEnd - first <= longestText,
      place[textEnd...].elementsEqual(cutMark)
    else { return nil }
    return (.piece(first..<textEnd), end)
  }

  /// Whether a place ends at an offset, or goes on with another component.
  private static func isBoundary(_ place: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
    offset == place.count || place[offset] == integerMark || place[offset] == textMark
  }
}
