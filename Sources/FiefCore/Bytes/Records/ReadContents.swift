import LMDB

/// The hash of a large collection as it was read for an object.
struct ReadContents: Sendable, Equatable {
  let column: UInt16
  let hash: UInt64

  /// - Parameter payload: the payload with all elements in it.
  init(column: UInt16, payload: [UInt8]) {
    self.column = column
    hash = payload.withUnsafeBytes { StableHash.hash($0) }
  }

  /// Of a collection that was read twice, with other elements: it is never equal to the one that is stored.
  init(ofSeveralStatesOf column: UInt16) {
    self.column = column
    hash = 0
  }

  /// Whether a payload has the elements that were read.
  func isOf(_ payload: UnsafeRawBufferPointer) -> Bool { hash != 0 && hash == StableHash.hash(payload) }
}
