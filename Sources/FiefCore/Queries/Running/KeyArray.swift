/// An array of keys. It stores all keys in one buffer, which takes fewer allocations than an array of arrays.
struct KeyArray: Sendable, Equatable {
  private var bytes: [UInt8] = []
  /// The end of each key.
  private var ends: [Int] = []

  var count: Int { ends.count }
  /// The number of bytes that the arrays take.
  var size: Int { bytes.capacity + ends.capacity * MemoryLayout<Int>.stride }

  mutating func append(_ key: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
  }

  /// Calls `body` with the key at a place, which has to be one.
  func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    let start = index == 0 ? 0 : ends[index - 1]
    return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[index]])) }
  }

  /// The first place of a key; nil where it has none.
  func firstIndex(of key: ObjectKey) -> Int? {
    ends.indices.first { index in withKey(at: index) { key.bytes.elementsEqual($0) } }
  }
}
