import Foundation

/// A 12-byte identifier that is unique without a central authority and sorts by the time of its creation.
///
/// It consists of the seconds since 1970, five random bytes of the process, and a counter, all big-endian.
/// Identifiers therefore have the same order as their bytes and their hexadecimal digits.
public struct ObjectId: Sendable, Hashable {
  /// The bytes in order.
  public typealias Bytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )

  /// The first eight bytes as a number.
  @usableFromInline let high: UInt64
  /// The last four bytes as a number.
  @usableFromInline let low: UInt32

  @inlinable
  init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Creates a new, unique identifier.
  public init() { self = ObjectIdGenerator.shared.next() }

  /// Returns a new, unique identifier.
  public static func generate() -> ObjectId { ObjectId() }

  /// Creates an identifier from 24 hexadecimal digits in upper or lower case.
  ///
  /// - Throws: ``FiefError`` with `.invalidValue` for any other text.
  public init(string: String) throws(FiefError) {
    guard let id = ObjectId(string) else {
      throw FiefError(
        .invalidValue,
        "An object id has 24 hexadecimal digits.",
        details: ["found: " + HiddenValue.text(string)]
      )
    }
    self = id
  }

  /// Creates an identifier from 24 hexadecimal digits in upper or lower case, or returns `nil` for any other
  /// text.
  public init?(_ hex: String) {
    guard hex.utf8.count == 24 else { return nil }
    var value: UInt128 = 0
    for character in hex.utf8 {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
      default: return nil
      }
      value = (value << 4) | UInt128(digit)
    }
    self.init(high: UInt64(truncatingIfNeeded: value >> 32), low: UInt32(truncatingIfNeeded: value))
  }

  /// Creates an identifier from a literal of 24 hexadecimal digits:
  /// `let id: ObjectId = ObjectId("507f1f77bcf86cd799439011")`.
  ///
  /// If the text may be invalid, use ``init(_:)-(String)``, which returns an optional. For an invalid literal
  /// this initializer reports ``StoreEvent/misuse(_:)`` and creates an identifier of zeros.
  public init(_ hex: StaticString) {
    let text = hex.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    do { self = try ObjectId(string: text) } catch {
      Misuse.report(error)
      self.init(high: 0, low: 0)
    }
  }

  /// Creates an identifier from a time, a machine and a process, with a counter that is unique in this
  /// process.
  ///
  /// - Parameters:
  ///   - timestamp: the time. A time before 1970 or after 2106 is replaced by the first or the last second of
  ///     this range.
  ///   - machineId: the machine, of which the three lowest bytes are used.
  ///   - processId: the process, of which the two lowest bytes are used.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = timestamp.timeIntervalSince1970
    let time = seconds.isNaN ? 0 : UInt64(min(max(seconds, 0), Double(UInt32.max)))
    let random = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
    let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
    // The last byte of the process precedes the counter, in the low part.
    self.init(
      high: time << 32 | random << 8 | process >> 8,
      low: UInt32(truncatingIfNeeded: process & 0xFF) << 24 | ObjectId().low & 0xFF_FFFF
    )
  }

  /// Creates an identifier from its bytes.
  public init(bytes: Bytes) {
    self = withUnsafeBytes(of: bytes) { Self(loading: $0) }
  }

  /// Creates an identifier from its bytes, or returns `nil` if there are not exactly 12 bytes.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 12 else { return nil }
    self.init(loading: bytes)
  }

  // SAFETY: every caller passes 12 bytes; the loads read the first eight and the last four.
  private init(loading bytes: UnsafeRawBufferPointer) {
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    )
  }

  /// The time of the identifier's creation, with a resolution of one second.
  public var timestamp: Date { Date(timeIntervalSince1970: TimeInterval(high >> 32)) }

  /// The 24 hexadecimal digits, in lower case.
  public var stringValue: String {
    let digits = Array("0123456789abcdef".utf8)
    return withBytes { bytes in
      String(unsafeUninitializedCapacity: 24) { text in
        for (index, byte) in bytes.enumerated() {
          text[2 * index] = digits[Int(byte >> 4)]
          text[2 * index + 1] = digits[Int(byte & 15)]
        }
        return 24
      }
    }
  }

  /// Calls a closure with the 12 bytes, which are valid until the closure returns.
  @inlinable
  public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let image = (high.bigEndian, low.bigEndian)
    return try withUnsafeBytes(of: image) { (bytes) throws(E) -> R in
      // SAFETY: the tuple stores its 8-byte and 4-byte integers without a gap. All padding follows the
      // twelfth byte.
      try body(UnsafeRawBufferPointer(start: bytes.baseAddress, count: 12))
    }
  }
}

extension ObjectId: Comparable {
  /// Returns a Boolean value that indicates whether an identifier precedes another: by time, then by process
  /// and counter.
  @inlinable
  public static func < (a: ObjectId, b: ObjectId) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

extension ObjectId: CustomStringConvertible {
  /// The 24 hexadecimal digits.
  public var description: String { stringValue }
}

extension ObjectId: Codable {
  /// Decodes the 24 hexadecimal digits.
  ///
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = ObjectId(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "An object id has 24 hexadecimal digits."
      )
    }
    self = id
  }

  /// Encodes the 24 hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
