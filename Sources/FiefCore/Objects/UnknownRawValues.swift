import LMDB

/// The stored raw values that no case of an enumeration has, of objects whose class is `Encodable`.
///
/// The compiler's own `encode(to:)` hands an encoder the bare wrapper of a property, which has the value that stands
/// for the unknown one and knows neither its object nor the record. It can hold a number: the bits of its flags that
/// only the prototype of a class needs. The number is that of the raw value here, among those of the property's type.
final class UnknownRawValues: Sendable {
  static let shared = UnknownRawValues()

  /// The greatest number of raw values of one type that have a number; 0 is none.
  private static let most = 15

  private let payloads = OwnedLock<[ObjectIdentifier: [[UInt8]]]>([:])

  /// The number of a raw value; 0 where too many others of the type have one.
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

  /// The payload of a raw value; nil where the number is that of none.
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
  /// The bits of a prototype for its declarations; in other objects the number of an unknown raw value may be there.
  static let declarations = primaryKey | indexed | index1 | index2

  static func withUnknown(_ flags: UInt8, _ number: UInt8) -> UInt8 {
    flags & ~declarations | number & 0x03 | (number & 0x0C) << 4
  }

  static func unknownNumber(_ flags: UInt8) -> UInt8 { flags & 0x03 | (flags & 0xC0) >> 4 }
}
