/// What the store has to have under the key of an object that is saved if it is unchanged.
enum ExpectedObject: Sendable, Equatable {
  /// Nothing: the object is new.
  case none
  /// The record with a stamp, and large collections with the elements that were read; see ``ObjectBase/_stamp``.
  case record(stamp: UInt, contents: [ReadContents])
  /// The state that the object was read from is not known, so that it cannot be compared.
  case unknown
  /// Anything: only the object's key is known to the save.
  case anything

  /// Whether the elements of a large collection were read.
  func hasRead(_ column: UInt16) -> Bool {
    guard case .record(_, let contents) = self else { return false }
    return contents.contains { $0.column == column }
  }
}

/// An object as a save has stored it.
struct WrittenObject: Sendable {
  /// 0 where it is not stored any more.
  var stamp: UInt = 0
  /// The large collections whose elements the object has.
  var contents: [ReadContents] = []
}
