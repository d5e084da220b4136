/// The expected stored state of an object that is saved only if it is unchanged.
enum ExpectedObject: Sendable, Equatable {
  /// The object is new, so the store must not contain it.
  case none
  /// The record has the stamp, and the large collections have the elements that were read; see
  /// ``ObjectBase/_stamp``.
  case record(stamp: UInt, contents: [ReadContents])
  /// The state from which the object was read is unknown, so it cannot be compared.
  case unknown
  /// Any state is accepted: the save knows only the object's key.
  case anything

  /// Whether the elements of a large collection were read.
  func hasRead(_ column: UInt16) -> Bool {
    guard case .record(_, let contents) = self else { return false }
    return contents.contains { $0.column == column }
  }
}

/// The state of an object after a save.
struct WrittenObject: Sendable {
  /// The stamp of the record, or 0 if the object is no longer stored.
  var stamp: UInt = 0
  /// The large collections whose elements the object has.
  var contents: [ReadContents] = []
}
