extension StoreEvent {
  /// A Boolean value that indicates whether the event is a failure or a misuse that could not be thrown.
  public var isFailure: Bool {
    switch self {
    case .failedOpening, .failedRead, .failedWrite, .failedCaching, .indexOutOfBounds, .unfinishedWrite,
      .misuse,
      .compactionFailed, .maintenanceFailed:
      true
    case .opened, .migrating, .migrated, .droppedValues, .compacted, .longReader, .slowQuery, .slowCommit,
      .publicAccess, .unindexedTreeQuery, .closed:
      false
    }
  }

  /// Whether the event is written to standard error if there is no handler.
  var isWorthTelling: Bool {
    switch self {
    case .longReader, .droppedValues, .publicAccess, .unindexedTreeQuery: true
    default: isFailure
    }
  }

  /// The name of the store.
  public var store: String {
    switch self {
    case .opened(let store, _), .migrated(let store, _, _), .droppedValues(let store, _),
      .failedOpening(let store, _),
      .failedRead(let store, _, _, _), .failedWrite(let store, _), .failedCaching(let store, _, _),
      .indexOutOfBounds(let store, _, _, _),
      .compacted(let store, _, _),
      .compactionFailed(let store, _), .maintenanceFailed(let store, _), .longReader(let store, _, _, _),
      .slowQuery(let store, _), .unindexedTreeQuery(let store, _),
      .slowCommit(let store, _), .publicAccess(let store, _), .closed(let store):
      store
    case .migrating(let progress): progress.store
    case .unfinishedWrite(let error), .misuse(let error): error.store ?? "a store"
    }
  }

  /// The error of a failure; `nil` for an event that is not a failure, and for an index out of range.
  public var failure: FiefError? {
    switch self {
    case .failedOpening(_, let error), .failedRead(_, _, _, let error), .failedWrite(_, let error),
      .failedCaching(_, _, let error):
      error as? FiefError ?? FiefError(.storage, "A layer below the store failed.", underlying: error)
    case .unfinishedWrite(let error), .misuse(let error), .compactionFailed(_, let error),
      .maintenanceFailed(_, let error):
      error
    case .indexOutOfBounds, .longReader, .opened, .migrating, .migrated, .droppedValues, .compacted,
      .slowQuery, .slowCommit, .publicAccess, .unindexedTreeQuery, .closed:
      nil
    }
  }

  var type: String? {
    switch self {
    case .failedRead(_, let type, _, _), .indexOutOfBounds(_, let type, _, _), .failedCaching(_, let type, _):
      type
    case .slowQuery(_, let query): query.type
    case .droppedValues(_, let values): values.type
    default: nil
    }
  }

  var property: String? {
    switch self {
    case .failedRead(_, _, let property, _): property
    case .droppedValues(_, let values): values.property
    default: nil
    }
  }
}
