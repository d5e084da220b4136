import LMDB

/// The hash of a large collection's contents at the time when an object read it.
struct ReadContents: Sendable, Equatable {
  let column: UInt16
  let hash: UInt64

  /// - Parameter payload: the payload with all elements.
  init(column: UInt16, payload: [UInt8]) {
    self.column = column
    hash = payload.withUnsafeBytes { StableHash.hash($0) }
  }

  /// Creates a hash for a collection that was read twice with different elements. It never matches a stored
  /// collection.
  init(ofSeveralStatesOf column: UInt16) {
    self.column = column
    hash = 0
  }

  /// Whether a payload contains the same elements as the collection did when it was read.
  func isOf(_ payload: UnsafeRawBufferPointer) -> Bool { hash != 0 && hash == StableHash.hash(payload) }
}
