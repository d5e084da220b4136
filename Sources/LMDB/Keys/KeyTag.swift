/// The first byte of every key element. It determines the order of values of different types.
///
/// The values follow the tuple layer of FoundationDB (`design/tuple.md` in its repository) for null, bytes,
/// strings, integers, floats, booleans and UUIDs. The tags above 0x30 are Fief's own. All tags are part of
/// the format of a store and never change.
@usableFromInline
enum KeyTag {
  @usableFromInline static let null: UInt8 = 0x00
  @usableFromInline static let bytes: UInt8 = 0x01
  @usableFromInline static let string: UInt8 = 0x02
  /// The tag of zero. An integer with `n` bytes of magnitude has this tag plus `n`, or minus `n` if it is
  /// negative.
  @usableFromInline static let integer: UInt8 = 0x14
  @usableFromInline static let lowestInteger: UInt8 = 0x0C
  @usableFromInline static let highestInteger: UInt8 = 0x1C
  @usableFromInline static let float: UInt8 = 0x20
  @usableFromInline static let double: UInt8 = 0x21
  @usableFromInline static let `false`: UInt8 = 0x26
  @usableFromInline static let `true`: UInt8 = 0x27
  @usableFromInline static let uuid: UInt8 = 0x30
  @usableFromInline static let objectID: UInt8 = 0x31
  @usableFromInline static let date: UInt8 = 0x32
  @usableFromInline static let decimal: UInt8 = 0x33

  /// Ends bytes, strings and decimals, and never occurs in them.
  @usableFromInline static let terminator: UInt8 = 0x00
  /// Precedes an escaped byte: 0 and 1 in the content become this byte followed by 1 and 2.
  @usableFromInline static let escape: UInt8 = 0x01
}
