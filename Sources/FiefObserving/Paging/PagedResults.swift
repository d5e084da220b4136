import FiefCore

/// A list that is loaded in pages and follows the store: the newest page first, older pages on request, and
/// new objects when they are added.
///
/// ```swift
/// let messages = PagedResults(chat.messages.sorted(byKeyPath: "sentAt"), pageSize: 20)
/// let token = messages.observe(on: MainActor.shared) { _, change in
///   switch change {
///   case .initial(let messages): screen.show(messages)
///   case .update(let messages, let deletions, let insertions, let modifications):
///     screen.apply(messages, deletions, insertions, modifications)
///   case .error(let error): screen.show(error)
///   }
/// }
/// messages.loadMore()  // the next older page comes as insertions at the beginning
/// ```
/// The list contains all objects from the oldest requested one to the newest. Fief remembers the sort values
/// and the key of the oldest object, and observes everything newer from the state in which the page was read.
/// An object that is inserted later, or between reading a page and observing it, is therefore reported
/// exactly once, even if several objects have equal sort values. An older object is not reported; it appears
/// when its page is requested. With an index on the order, loading a page costs the same however long the
/// list is.
public final class PagedResults<Element: Object>: Sendable {
  /// The end of the list's order at which the newest objects are.
  public enum Newest: Sendable {
    /// The beginning, as in a descending order. Older pages are added at the end.
    case first
    /// The end, as in an ascending order. Older pages are added at the beginning.
    case last
  }

  private let results: Results<Element>
  private let newest: Newest
  /// The number of objects on a page, at least one.
  public let pageSize: Int
  private let requests = PageRequests()

  /// Creates the pages of a list. Nothing is read before the list is observed.
  ///
  /// - Parameters:
  ///   - results: the list in its order. A limit and an offset are ignored. Cursors still bound the list.
  ///   - pageSize: the number of objects on a page; at least one.
  ///   - newest: the end of the order with the newest objects, which is `.first` for a descending order.
  public init(_ results: Results<Element>, pageSize: Int = 50, newest: Newest = .last) {
    self.results = results
    self.newest = newest
    self.pageSize = Swift.max(1, pageSize)
  }

  /// Requests the next older page, which all observers of the list receive as insertions.
  ///
  /// - Returns: `false` if no observation of the list had older objects at its last evaluation.
  @discardableResult
  public func loadMore() -> Bool {
    let (hasMore, observations) = requests.ask()
    if hasMore { for (hub, id) in observations { hub.reevaluate(id) } }
    return hasMore
  }

  /// A Boolean value that indicates whether any observer of the list had older objects to load at its last
  /// evaluation.
  public var hasMore: Bool { requests.hasMore }
}

extension PagedResults: ObservableCollection {
  /// Handlers receive the loaded objects.
  public typealias ObservedCollection = [Element]

  /// Returns the observation of the loaded pages.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<RealmCollectionChange<[Element]>> {
    let source = ObservedSource { [results, newest, pageSize, requests] in
      let store = try results.observedStore()
      let binding = try store.binding(of: results.elementType)
      let follower = PagedFollower(
        results.description,
        of: binding.table.name,
        names: store.queryNames,
        watched: try watched.paths.get(),
        size: pageSize,
        isFromEnd: newest == .last,
        requests: requests
      )
      return .init(
        store: store,
        follower: follower,
        collection: { scope, follower in
          guard let rows = (follower as? PagedFollower)?.rows else { return [Element]() }
          return try rows.objects(in: scope, binding).cast(to: Element.self)
        },
        didBegin: { requests.note($0, $1) }
      )
    }
    return source.observation
  }
}

extension ObservedRows {
  /// Returns the objects of the rows, in the state of the rows.
  func objects(in scope: AccessScope, _ binding: ObjectBinding) throws -> [ObjectBase] {
    var objects: [ObjectBase] = []
    objects.reserveCapacity(count)
    for index in 0..<count {
      if let object = try withKey(at: index, { try scope.object(of: binding, key: $0) }) ?? nil {
        objects.append(object)
      }
    }
    return objects
  }
}
