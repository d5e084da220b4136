import LMDB

/// Keeps the last keys of a sequence.
struct LastKeys {
  private let count: Int
  private var keys: [ObjectKey] = []
  private var oldest = 0

  init(_ count: Int) { self.count = count }

  var inOrder: [ObjectKey] { Array(keys[oldest...] + keys[..<oldest]) }

  mutating func append(_ key: UnsafeRawBufferPointer) { append(ObjectKey(key)) }

  mutating func append(_ key: ObjectKey) {
    if count == 0 { return }
    if keys.count < count { return keys.append(key) }
    keys[oldest] = key
    oldest = (oldest + 1) % count
  }
}
