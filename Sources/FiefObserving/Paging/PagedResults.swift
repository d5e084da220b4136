import FiefCore

/// A list that is shown in pages and follows the store: the newest page first, older ones when they are asked
/// for, and new objects as they are added.
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
/// The objects are all those from the oldest one that was asked for to the newest one there is. The place of the oldest
/// one is remembered by its values in the order and its key, and everything behind it is listened to from the state in
/// which the page was read: an object that is inserted later, or between the reading of the page and the listening, is
/// reported exactly once, also where values tie. An object older than that place is not reported; it is in the page
/// that it belongs to when that is asked for. With an index of the order a page costs the same however long the list is.
public final class PagedResults<Element: Object>: Sendable {
  /// The end of the order at which the newest objects are.
  public enum Newest: Sendable {
    /// At its beginning, as in a descending order; older pages come at the end.
    case first
    /// At its end, as in an ascending order; older pages come at the beginning.
    case last
  }

  private let results: Results<Element>
  private let newest: Newest
  /// The number of objects on a page, at least one.
  public let pageSize: Int
  private let requests = PageRequests()

  /// Makes the pages of a list; nothing is read before it is observed.
  ///
  /// - Parameters:
  ///   - results: the list in its order. A limit and an offset do not count; cursors stay its ends.
  ///   - pageSize: the number of objects on a page; at least one.
  ///   - newest: the end of the order with the newest objects: `.first` for a descending one.
  public init(_ results: Results<Element>, pageSize: Int = 50, newest: Newest = .last) {
    self.results = results
    self.newest = newest
    self.pageSize = Swift.max(1, pageSize)
  }

  /// Asks for the next older page, which is reported as insertions to all observers of the list.
  ///
  /// - Returns: false where no observation of the list had anything older when it was evaluated last.
  @discardableResult
  public func loadMore() -> Bool {
    let (hasMore, observations) = requests.ask()
    if hasMore { for (hub, id) in observations { hub.reevaluate(id) } }
    return hasMore
  }

  /// Whether there were older objects than those that are loaded, for any observer of the list, at its last
  /// evaluation.
  public var hasMore: Bool { requests.hasMore }
}

extension PagedResults: ObservableCollection {
  /// The type of the objects.
  public typealias ObservedElement = Element
  /// The type that handlers get: the loaded objects, all of one state.
  public typealias ObservedCollection = [Element]

  /// The source and the follower of an observation of the loaded pages.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<[Element]> {
    _ObservedCollection { [results, newest, pageSize, requests] in
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
          guard let rows = (follower as? PagedFollower)?.rows else { return [] }
          return try rows.objects(in: scope, binding).cast(to: Element.self)
        },
        didBegin: { requests.note($0, $1) }
      )
    }
  }
}

extension ObservedRows {
  /// The objects of the rows, in the state that they are of.
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
