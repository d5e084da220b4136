/// A queue of keys that are read once, in the order in which they were appended.
///
/// For each key it stores only the bytes that differ from the previous key. Sequential numbers take about
/// three bytes each.
package struct KeyQueue {
  private var bytes: [UInt8] = []
  /// The number of keys appended so far.
  private(set) var count = 0
  /// The key that was appended last.
  private var last: [UInt8] = []
  private var position = 0
  /// The key that was read last.
  private var current: [UInt8] = []

  package init() {}

  init(_ keys: [ObjectKey]) {
    for key in keys { key.bytes.withUnsafeBytes { append($0) } }
  }

  package mutating func append(_ key: UnsafeRawBufferPointer) {
    let most = min(last.count, key.count)
    var shared = 0
    while shared < most, last[shared] == key[shared] { shared += 1 }
    let rest = UnsafeRawBufferPointer(rebasing: key[shared...])
    append(shared)
    append(rest.count)
    bytes.append(contentsOf: rest)
    last.removeLast(last.count - shared)
    last.append(contentsOf: rest)
    count += 1
  }

  /// Calls `body` with the next key.
  ///
  /// - Returns: the result of `body`, or `nil` if all keys were read.
  package mutating func next<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value? {
    guard position < bytes.count else { return nil }
    let shared = readNumber()
    let rest = readNumber()
    current.removeLast(current.count - shared)
    current.append(contentsOf: bytes[position..<(position + rest)])
    position += rest
    return try current.withUnsafeBytes { try body($0) }
  }

  private mutating func append(_ number: Int) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func readNumber() -> Int {
    var (number, shift) = (0, 0)
    while true {
      let byte = bytes[position]
      position += 1
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }
}
