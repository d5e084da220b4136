/// The identity of an event's location and kind, computed without formatting text.
struct EventPlace: Hashable {
  private let kind: Int
  private let store: String
  private let code: FiefError.Code?
  private let type: String?
  private let property: String?
  private let message: String?

  init(_ event: StoreEvent) {
    let error = event.failure
    kind = event.kindNumber
    store = event.store
    code = error?.code
    type = event.type ?? error?.type
    property = event.property ?? error?.property
    message = error?.message
  }
}

extension StoreEvent {
  fileprivate var kindNumber: Int {
    switch self {
    case .opened: 0
    case .migrating: 1
    case .migrated: 2
    case .compacted: 3
    case .compactionFailed: 4
    case .failedOpening: 5
    case .failedRead: 6
    case .failedWrite: 7
    case .indexOutOfBounds: 8
    case .longReader: 9
    case .unfinishedWrite: 10
    case .misuse: 11
    case .closed: 12
    case .slowQuery: 13
    case .slowCommit: 14
    case .failedCaching: 15
    case .droppedValues: 16
    case .maintenanceFailed: 17
    case .publicAccess: 18
    case .unindexedTreeQuery: 19
    }
  }
}
