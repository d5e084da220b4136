import FiefCore

/// The rows of a buffer, valid for the duration of a call.
// SAFETY: the owner of the view keeps the buffer alive and unchanged; `ends` are in ascending order and lie
// within `bytes`.
struct RowView {
  let hashes: UnsafeBufferPointer<UInt32>
  let stamps: UnsafeBufferPointer<UInt64>
  let ends: UnsafeBufferPointer<Int>
  let bytes: UnsafeRawBufferPointer

  var count: Int { hashes.count }

  @inline(__always)
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    let start = index == 0 ? 0 : ends[index - 1]
    return UnsafeRawBufferPointer(rebasing: bytes[start..<ends[index]])
  }

  /// Whether two rows belong to the same object.
  @inline(__always)
  func isSame(_ index: Int, as other: RowView, _ otherIndex: Int) -> Bool {
    hashes[index] == other.hashes[otherIndex] && key(index).hasSameBytes(as: other.key(otherIndex))
  }
}

extension RowBuffer {
  func withView<Value>(_ body: (RowView) throws -> Value) rethrows -> Value {
    try hashes.withUnsafeBufferPointer { hashes in
      try stamps.withUnsafeBufferPointer { stamps in
        try ends.withUnsafeBufferPointer { ends in
          try bytes.withUnsafeBytes { bytes in
            try body(RowView(hashes: hashes, stamps: stamps, ends: ends, bytes: bytes))
          }
        }
      }
    }
  }
}
