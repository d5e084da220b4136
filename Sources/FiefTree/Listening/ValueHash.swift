import Fief

/// A 128-bit hash of a value with random keys of this process. Observations keep it in place of the value.
///
/// It consists of two hashes with keys of their own (SipHash-1-3). Without the keys, values with equal hashes
/// cannot be chosen. The hash is never stored.
struct ValueHash: Sendable, Hashable {
  private let first: Int
  private let second: Int

  init(_ value: JSON) {
    var hashers = Self.start
    Self.add(value, to: &hashers)
    (first, second) = (hashers.0.finalize(), hashers.1.finalize())
  }

  init(_ bytes: [UInt8]) {
    var hashers = Self.start
    bytes.withUnsafeBytes { bytes in
      hashers.0.combine(bytes: bytes)
      hashers.1.combine(bytes: bytes)
    }
    (first, second) = (hashers.0.finalize(), hashers.1.finalize())
  }

  private typealias Hashers = (Hasher, Hasher)

  /// With `SWIFT_DETERMINISTIC_HASHING` the keys of `Hasher` are known, so both begin with random bits.
  private static let start: Hashers = (random(), random())

  private static func random() -> Hasher {
    var generator = SystemRandomNumberGenerator()
    var hasher = Hasher()
    for _ in 0..<2 { hasher.combine(generator.next()) }
    return hasher
  }

  /// Adds a value. Each kind has a mark, and texts and nodes their length, so different values add different
  /// bytes.
  private static func add(_ value: JSON, to hashers: inout Hashers) {
    switch value {
    case .null: addNumber(0, to: &hashers)
    case .bool(let truth): addNumber(truth ? 2 : 1, to: &hashers)
    case .int(let number):
      addNumber(3, to: &hashers)
      addNumber(number, to: &hashers)
    case .double(let number):
      addNumber(4, to: &hashers)
      addNumber(Int64(bitPattern: number.bitPattern), to: &hashers)
    case .string(let text):
      addNumber(5, to: &hashers)
      addText(text, to: &hashers)
    case .array(let elements):
      addNumber(6, to: &hashers)
      addNumber(Int64(elements.count), to: &hashers)
      for element in elements { add(element, to: &hashers) }
    case .object(let object):
      addNumber(7, to: &hashers)
      addNumber(Int64(object.count), to: &hashers)
      for member in object.members {
        addText(member.name, to: &hashers)
        add(member.value, to: &hashers)
      }
    }
  }

  private static func addNumber(_ number: Int64, to hashers: inout Hashers) {
    hashers.0.combine(number)
    hashers.1.combine(number)
  }

  private static func addText(_ text: String, to hashers: inout Hashers) {
    var text = text
    text.withUTF8 { bytes in
      addNumber(Int64(bytes.count), to: &hashers)
      hashers.0.combine(bytes: UnsafeRawBufferPointer(bytes))
      hashers.1.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
  }
}
