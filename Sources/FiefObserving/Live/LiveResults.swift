import FiefCore
import Observation

/// Results for a view. They follow the store and notify their readers of changes through the Observation
/// framework.
///
/// ```swift
/// @MainActor final class DogList {
///   let dogs: LiveResults<Dog>
///   init(_ repository: PetRepository) throws {
///     dogs = LiveResults(try repository.objects(Dog.self).sorted(byKeyPath: "name"))
///   }
///   var names: [String] { dogs.map(\.name) }  // read in a view's body, it is drawn again when they change
/// }
/// ```
/// `LiveResults` is a random-access collection on the main actor. Its objects and their order belong to one
/// committed state. The next state replaces it on the main actor in one step, never while a view is being
/// drawn. The query runs, and states are compared, in the background.
///
/// Objects are created on access, together with their neighbours and from the newest state. They stay the
/// same instances until they change. If an object was deleted but its row is still shown briefly, the object
/// keeps its values; if it was never created, the row shows an empty object.
@MainActor
public final class LiveResults<Element: Object> {
  private let results: Results<Element>
  private let registrar = ObservationRegistrar()
  private var token: NotificationToken?
  private var state = LiveRows<Element>()

  /// Begins to follow results. They are empty until the query has run in the background.
  ///
  /// - Parameters:
  ///   - results: the results to show.
  ///   - keyPaths: names of the properties that the views show, with dots to follow links, or `nil` for all
  ///     of the objects' own properties.
  public init(_ results: Results<Element>, keyPaths: [String]? = nil) {
    self.results = results
    token = results.liveRows(_WatchedPaths(keyPaths)).observe(.actor(MainActor.shared)) {
      [weak self] change in
      // SAFETY: the change was created for this call on the main actor, and nothing else refers to it.
      nonisolated(unsafe) let change = change
      MainActor.assumeIsolated { self?.take(change) }
    }
  }

  /// A Boolean value that indicates whether the first state has been loaded.
  public var isLoaded: Bool { read(\.isLoaded) }

  /// The error that ended the observation, or `nil` while the results can be read.
  public var error: (any Error)? { read(\.error) }

  /// The indexes of the last change, as in ``RealmCollectionChange``. Empty after the first state.
  ///
  /// If two changes arrive before a view is drawn again, `lastChange` is the second one. A table view that
  /// moves its rows by these indexes needs every change: use `observe(on: MainActor.shared)` of the results.
  public var lastChange: (deletions: [Int], insertions: [Int], modifications: [Int]) {
    let changes = read(\.changes)
    return (changes.deletions, changes.insertions, changes.formerModifications)
  }

  /// Ends the observation. The last values stay visible.
  public func invalidate() {
    token?.invalidate()
    token = nil
  }

  private func read<Value>(_ value: (LiveRows<Element>) -> Value) -> Value {
    registrar.access(self, keyPath: \.state)
    return value(state)
  }

  private func take(_ change: RealmCollectionChange<LiveUpdate<Element>>) {
    registrar.withMutation(of: self, keyPath: \.state) {
      switch change {
      case .initial(let update): state.take(update, CollectionChanges())
      case .update(let update, let deletions, let insertions, _):
        var changes = CollectionChanges()
        changes.deletions = deletions
        changes.insertions = insertions
        changes.modifications = change.newModifications
        state.take(update, changes)
      case .error(let error): state.error = error
      }
    }
  }
}

extension LiveResults: Observable {}

extension LiveResults: @MainActor RandomAccessCollection {
  /// The index of the first object, which is 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { read(\.rows.count) }

  /// Returns the object at an index.
  ///
  /// - Parameter index: an index less than `count`. A larger index returns an empty object.
  public subscript(index: Int) -> Element {
    registrar.access(self, keyPath: \.state)
    return state.object(at: index) { keys in
      results.reported([]) { try results.objects(withKeys: keys) }
    }
  }
}
