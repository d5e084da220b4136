/// The parts of an input, from the front; an input that has ended gives zeros.
struct FuzzInput {
  private(set) var rest: UnsafeRawBufferPointer

  init(_ input: UnsafeRawBufferPointer) { rest = input }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 {
    guard let first = rest.first else { return 0 }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
    return first
  }

  mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
    return [UInt8](rest.prefix(count))
  }

  /// Bytes whose number is the next byte.
  mutating func sized() -> [UInt8] { take(Int(byte())) }

  /// An unsigned number of two bytes.
  mutating func short() -> Int { Int(byte()) << 8 | Int(byte()) }

  mutating func remaining() -> [UInt8] { take(rest.count) }
}

extension Sequence<UInt8> {
  /// The bytes as hexadecimal digits, for findings.
  var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
