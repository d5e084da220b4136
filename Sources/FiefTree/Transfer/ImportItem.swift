import Fief

/// One entry of an import between the file and the store: what a part of the file says about a place.
///
/// The key sorts the items of each segment together and in the order of their places, and a segment before
/// the segments of its anchors: it has the places of the anchors, each with U+0001 behind it, U+0000, and the
/// place in the last segment. No place contains these bytes.
struct ImportItem {
  enum Kind: UInt8 {
    /// A leaf, which is a member of an object.
    case member
    /// A leaf that cannot occur twice, such as an element of an array.
    case leaf
    /// A member with an object or an array. Its leaves have items of their own.
    case node
    /// A member with `null`.
    case absence
    /// The anchor of a segment, which has leaves.
    case anchor
  }

  static let anchorEnd: UInt8 = 1
  static let placeStart: UInt8 = 0

  let kind: Kind
  /// The position in the file.
  let line: Int
  let column: Int
  let byte: Int
  /// The payload of a leaf.
  let payload: UnsafeRawBufferPointer

  /// Whether a second item of this kind with the same key is a second member of one name.
  var isMember: Bool {
    switch kind {
    case .member, .node, .absence: true
    case .leaf, .anchor: false
    }
  }

  /// Whether the item becomes an entry of the tree.
  var isEntry: Bool {
    switch kind {
    case .member, .leaf, .anchor: true
    case .node, .absence: false
    }
  }

  /// The error for a second member of the same name.
  var duplicate: FiefError {
    FiefError(
      .malformedJSON,
      "An object has two members of one name.",
      path: "$",
      details: ["line \(line), column \(column)", "byte \(byte)"]
    )
  }

  /// Appends the part of an item before its payload.
  static func append(_ kind: Kind, at position: JSONPosition, to bytes: inout [UInt8]) {
    bytes.append(kind.rawValue)
    append(position.line, to: &bytes)
    append(position.column, to: &bytes)
    append(position.byte, to: &bytes)
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = UInt64(clamping: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// - Returns: `nil` if the bytes are no item.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var end = 1
    guard let first = bytes.first, let kind = Kind(rawValue: first),
      let line = Self.number(in: bytes, at: &end), let column = Self.number(in: bytes, at: &end),
      let byte = Self.number(in: bytes, at: &end)
    else { return nil }
    self.kind = kind
    self.line = line
    self.column = column
    self.byte = byte
    payload = UnsafeRawBufferPointer(rebasing: bytes[end...])
  }

  private static func number(in bytes: UnsafeRawBufferPointer, at position: inout Int) -> Int? {
    var (number, shift) = (UInt64(0), UInt64(0))
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(clamping: number) }
      shift += 7
    }
    return nil
  }
}
