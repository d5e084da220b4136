import Foundation
import LMDB

/// One value of a sort key: a byte for nil or not nil, followed by an element. No element is a prefix of
/// another.
///
/// The elements are encoded as in the keys of the store, with two exceptions. Both zeros have the same
/// element. `AnyRealmValue`s are ordered by their class first, and numbers of all kinds by their values.
enum OrderElement {
  static let nilFirst: UInt8 = 0
  static let present: UInt8 = 1
  static let nilLast: UInt8 = 2

  /// The classes of `AnyRealmValue`s in ascending order. Numbers and dates use their tags in keys, 0x21 and
  /// 0x32.
  private enum Class {
    static let bytes: UInt8 = 0x01
    static let text: UInt8 = 0x02
    static let `false`: UInt8 = 0x26
    static let `true`: UInt8 = 0x27
    static let uuid: UInt8 = 0x30
    static let objectId: UInt8 = 0x31
    static let decimal: UInt8 = 0x33
    static let nested: UInt8 = 0x40
    static let object: UInt8 = 0x41
  }

  private static let terminator: UInt8 = 0
  private static let escape: UInt8 = 1

  /// - Parameters:
  ///   - kind: the kind of the order's values.
  ///   - isLocalized: whether texts are compared by the rules of a locale.
  static func append(
    _ value: RowValue,
    kind: ColumnType.Kind?,
    _ order: QueryOrder,
    isLocalized: Bool,
    to writer: inout ValueWriter
  ) {
    if value.isNull { return writer.appendInteger(nilMark(order)) }
    writer.appendInteger(present)
    let start = writer.count
    switch value {
    case .text(let bytes) where isLocalized: return writer.append(bytes)
    case .text(let bytes):
      if kind == .any { writer.appendInteger(Class.text) }
      append(text: bytes, order.collation, to: &writer)
    case .integer(let value) where kind != .any:
      append(KeyElementImage(Int64(clamping: value)), to: &writer)
    case .double(let value) where kind != .any:
      append(KeyElementImage(value == 0 ? 0 : value), to: &writer)
    case .date(let value): append(KeyElementImage(date: value == 0 ? 0 : value), to: &writer)
    default: appendUncommon(value, kind: kind, to: &writer)
    }
    if !order.ascending { invert(&writer, from: start) }
  }

  @inline(__always)
  static func nilMark(_ order: QueryOrder) -> UInt8 {
    let isFirst = order.nils == .smallest ? order.ascending : order.nils == .first
    return isFirst ? nilFirst : nilLast
  }

  @inline(never)
  private static func appendUncommon(
    _ value: RowValue,
    kind: ColumnType.Kind?,
    to writer: inout ValueWriter
  ) {
    switch value {
    case .null, .text, .date: break
    case .bool(let value): writer.appendInteger(value ? Class.true : Class.false)
    case .integer(let value):
      var near = Double(value)
      if let whole = Int128(exactly: near), whole > value { near = near.nextDown }
      let isNear = Int128(exactly: near) == value
      appendNumber(near, isNear ? nil : ExactNumbers.encode(value), to: &writer)
    case .double(let value): appendNumber(value == 0 ? 0 : value, nil, to: &writer)
    case .decimal(let value) where kind == .any:
      let (near, isNear) = ExactNumbers.doubleBelow(value)
      appendNumber(near, isNear ? nil : DecimalCoding.encode(value), to: &writer)
    case .decimal(let value):
      writer.appendInteger(Class.decimal)
      writer.append(DecimalCoding.encode(value))
      writer.appendInteger(terminator)
    case .data(let bytes), .embedded(let bytes), .collection(let bytes):
      writer.appendInteger(Class.bytes)
      append(escaping: bytes, to: &writer)
    case .nested(let bytes):
      writer.appendInteger(Class.nested)
      append(escaping: bytes, to: &writer)
    case .uuid(let bytes):
      writer.appendInteger(Class.uuid)
      writer.append(bytes)
    case .objectId(let bytes):
      writer.appendInteger(Class.objectId)
      writer.append(bytes)
    case .object(let type, let key):
      if kind == .any { writer.appendInteger(Class.object) }
      writer.appendInteger(type.bigEndian)
      append(escaping: key, to: &writer)
    }
  }

  /// Appends a number so that it can be compared with numbers of any kind: the greatest double that is not
  /// greater than the number, and if this double is not exact, the number as a decimal.
  private static func appendNumber(_ near: Double, _ exact: [UInt8]?, to writer: inout ValueWriter) {
    append(KeyElementImage(near), to: &writer)
    writer.appendInteger(UInt8(exact == nil ? 0 : 1))
    guard let exact else { return }
    writer.append(exact)
    writer.appendInteger(terminator)
  }

  @inline(__always)
  private static func append(_ image: KeyElementImage, to writer: inout ValueWriter) {
    IndexElement.append(image, to: &writer)
  }

  private static func append(
    text: UnsafeRawBufferPointer,
    _ collation: QueryOrder.Collation,
    to writer: inout ValueWriter
  ) {
    guard collation == .caseInsensitive else { return append(escaping: text, to: &writer) }
    var folded = ValueWriter(reserving: text.count)
    TextFolding.append(text, .caseInsensitive, to: &folded)
    folded.withBytes { append(escaping: $0, to: &writer) }
  }

  /// Appends bytes with escapes, so that a terminator can follow them: the bytes 0 and 1 are written as 1 and
  /// the byte plus one.
  private static func append(escaping bytes: UnsafeRawBufferPointer, to writer: inout ValueWriter) {
    if bytes.contains(where: { $0 <= escape }) {
      for byte in bytes {
        if byte <= escape {
          writer.appendInteger(escape)
          writer.appendInteger(byte + 1)
        } else {
          writer.appendInteger(byte)
        }
      }
    } else {
      writer.append(bytes)
    }
    writer.appendInteger(terminator)
  }

  /// Inverts the order of the elements. Inverting all bytes is enough, because no element is a prefix of
  /// another.
  private static func invert(_ writer: inout ValueWriter, from start: Int) {
    for offset in start..<writer.count {
      let address = writer.address(offset)
      address.storeBytes(of: ~address.load(as: UInt8.self), as: UInt8.self)
    }
  }

  /// Compares two elements that are texts or nil by the rules of a locale. Texts that the locale treats as
  /// equal are ordered by their bytes.
  static func compare(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer,
    _ order: QueryOrder,
    _ locale: Locale
  ) -> Int {
    guard first.first == present, second.first == present else { return ByteRange.compare(first, second) }
    let a = String(decoding: first.dropFirst(), as: UTF8.self)
    let b = String(decoding: second.dropFirst(), as: UTF8.self)
    var result = a.compare(b, locale: locale).rawValue
    if result == 0 { result = ByteRange.compare(first, second) }
    return order.ascending ? result : -result
  }
}

extension OrderElement {
  /// Returns a lower bound of the first eight bytes of any sort key that begins with an element. If this
  /// bound is above the first eight bytes of another key, the keys need not be compared.
  @inline(__always)
  static func leastPrefix(_ image: KeyElementImage, ascending: Bool) -> UInt64 {
    let bytes = UInt64(truncatingIfNeeded: UInt128(bigEndian: image.bytes) &>> 72)
    let mask = (UInt64(1) &<< 56) &- 1
    let rest = UInt64(Swift.max(0, 7 &- image.count)) &<< 3
    let element = ascending ? bytes : ~bytes & mask & ~((UInt64(1) &<< rest) &- 1)
    return (UInt64(present) &<< 56) | element
  }
}
