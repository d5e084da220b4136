import FiefCore
import Observation

/// Results for a view: they follow the store, and Observation notifies their readers of changes.
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
/// It is a random-access collection on the main actor: its objects and their order are those of one committed
/// state, and the next state replaces it on the main actor at once, never while a view is half drawn. It is
/// looked up and compared in the background. Objects are made when they are touched, some around it together,
/// from the newest state, and those that are on the screen stay the same instances until they change. An
/// object that was deleted, and whose row is still shown for a moment, keeps the values that it was made
/// with; one that was never made is an empty one.
@MainActor
public final class LiveResults<Element: Object> {
  private let results: Results<Element>
  private let registrar = ObservationRegistrar()
  private var token: NotificationToken?
  private var state = LiveRows<Element>()

  /// Begins to follow results. They are empty until the first state has been looked up, in the background.
  ///
  /// - Parameters:
  ///   - results: the results to show.
  ///   - keyPaths: names of properties whose values the views show, with dots between them where they lead on; nil for
  ///     all of the objects' own.
  public init(_ results: Results<Element>, keyPaths: [String]? = nil) {
    self.results = results
    token = results.liveRows(_WatchedPaths(keyPaths)).observe(.actor(MainActor.shared)) {
      [weak self] change in
      // SAFETY: the change was made for this call, on the main actor, and nothing else has a reference to it.
      nonisolated(unsafe) let change = change
      MainActor.assumeIsolated { self?.take(change) }
    }
  }

  /// Whether the first state has been looked up.
  public var isLoaded: Bool { read(\.isLoaded) }

  /// The error that ended the reading of the results; nil as long as they can be read.
  public var error: (any Error)? { read(\.error) }

  /// The places that the last change was about, as ``RealmCollectionChange`` has them; empty after the first state.
  ///
  /// Of two changes that come before a view is drawn again, `lastChange` is the second one. A table view that
  /// moves its rows by the places needs each change, with `observe(on: MainActor.shared)` of the results.
  public var lastChange: (deletions: [Int], insertions: [Int], modifications: [Int]) {
    let changes = read(\.changes)
    return (changes.deletions, changes.insertions, changes.formerModifications)
  }

  /// Ends following; the shown values stay.
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
  /// The place of the first object: 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { read(\.rows.count) }

  /// The object at a place.
  ///
  /// - Parameter index: less than `count`; beyond it there is an empty object.
  public subscript(index: Int) -> Element {
    registrar.access(self, keyPath: \.state)
    return state.object(at: index) { keys in
      results.reported([]) { try results.objects(withKeys: keys) }
    }
  }
}
