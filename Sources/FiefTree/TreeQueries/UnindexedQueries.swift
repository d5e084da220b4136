import Fief

/// The queries without an index that were reported.
///
/// A program often asks the same of many places, such as the messages of each room. They are of one kind if
/// they have the same first name and the same number of names.
final class UnindexedQueries: Sendable {
  static let shared = UnindexedQueries()

  private struct Kind: Hashable {
    let store: UInt64
    let order: TreeOrder
    let first: TreePath
    let depth: Int
  }

  /// The maximum number of kinds. Further ones are not reported.
  private static let most = 1024

  private let reported = Lock<Set<Kind>>([])

  /// Reports a query of a kind that was not reported before.
  func report(_ selection: TreeSelection, in store: StoreCore) {
    guard let order = selection.effectiveOrder.text else { return }
    let path = selection.location
    let kind = Kind(
      store: store.number,
      order: selection.effectiveOrder,
      first: TreePath(names: Array(path.names.prefix(1))),
      depth: path.names.count
    )
    let isNew = reported.withLock { $0.count < Self.most && $0.insert(kind).inserted }
    if isNew {
      store.emit(
        .unindexedTreeQuery(store: store.name, UnindexedTreeQuery(path: path.text, order: order))
      )
    }
  }
}
