import LMDB

/// The stored raw values that match no enumeration case, for objects whose class is `Encodable`.
///
/// The compiler-generated `encode(to:)` passes the bare wrapper of a property to an encoder. The wrapper
/// contains only the substitute value, without a reference to its object or the record. But the flag bits
/// that only the prototype of a class needs can contain a number, which identifies the raw value among the
/// raw values of the property's type.
final class UnknownRawValues: Sendable {
  static let shared = UnknownRawValues()

  /// The maximum number of numbered raw values of one type. The number 0 means none.
  private static let most = 15

  private let payloads = OwnedLock<[ObjectIdentifier: [[UInt8]]]>([:])

  /// Returns the number of a raw value, or 0 if too many other raw values of the type have a number.
  func number(of payload: [UInt8], in type: Any.Type) -> UInt8 {
    payloads.withLock { payloads in
      var known = payloads[ObjectIdentifier(type)] ?? []
      if let index = known.firstIndex(of: payload) { return UInt8(index + 1) }
      guard known.count < Self.most else { return 0 }
      known.append(payload)
      payloads[ObjectIdentifier(type)] = known
      return UInt8(known.count)
    }
  }

  /// Returns the payload of a raw value, or `nil` if no raw value has this number.
  func payload(_ number: UInt8, of type: Any.Type) -> [UInt8]? {
    payloads.withLock { payloads in
      guard number > 0, let known = payloads[ObjectIdentifier(type)], known.count >= number else {
        return nil
      }
      return known[Int(number) - 1]
    }
  }
}

extension PersistedFlags {
  /// The bits for declarations in a prototype. In other objects they may contain the number of an unknown raw
  /// value.
  static let declarations = primaryKey | indexed | index1 | index2

  static func withUnknown(_ flags: UInt8, _ number: UInt8) -> UInt8 {
    flags & ~declarations | number & 0x03 | (number & 0x0C) << 4
  }

  static func unknownNumber(_ flags: UInt8) -> UInt8 { flags & 0x03 | (flags & 0xC0) >> 4 }
}
