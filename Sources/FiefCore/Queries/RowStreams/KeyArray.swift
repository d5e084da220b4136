/// An array of keys. It stores all keys in one buffer, which takes fewer allocations than an array of arrays.
struct KeyArray: Sendable, Equatable {
  private var bytes: [UInt8] = []
  /// The end offset of each key.
  private var ends: [Int] = []

  var count: Int { ends.count }
  /// The capacity of the arrays in bytes.
  var size: Int { bytes.capacity + ends.capacity * MemoryLayout<Int>.stride }

  mutating func append(_ key: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
  }

  /// Calls `body` with the key at an index, which must be in bounds.
  func withKey<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    let start = index == 0 ? 0 : ends[index - 1]
    return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[index]])) }
  }

  /// Returns the first index of a key, or `nil` if the array does not contain it.
  func firstIndex(of key: ObjectKey) -> Int? {
    ends.indices.first { index in withKey(at: index) { key.bytes.elementsEqual($0) } }
  }
}
