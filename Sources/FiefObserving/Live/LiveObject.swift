import FiefCore
import Observation

/// An object for a view: it follows the store, and Observation notifies its readers of changes.
///
/// ```swift
/// let live = LiveObject(dog)
/// // in a view's body, which is drawn again when the name changes:
/// Text(live.object?.name ?? "gone")
/// ```
/// The object is a plain instance of one committed state; when it changes in the store, in this process or in
/// another one, a new instance replaces it on the main actor.
@MainActor
public final class LiveObject<Element: Object> {
  private let registrar = ObservationRegistrar()
  private var token: NotificationToken?
  private var state: State

  private struct State {
    var object: Element?
    var error: (any Error)?
  }

  /// Begins to follow an object.
  ///
  /// - Parameters:
  ///   - object: an object of a store. It is shown as it is there now, though it was read earlier.
  ///   - keyPaths: names of properties whose values the views show, with dots between them where they lead on; nil for
  ///     all of the object's own.
  public init(_ object: Element, keyPaths: [String]? = nil) {
    state = State(object: object)
    let observed = object.observed(_WatchedPaths(keyPaths))
    token = observed.observe(.actor(MainActor.shared)) { [weak self] change in
      // SAFETY: the change was made for this call, on the main actor, and nothing else has a reference to it.
      nonisolated(unsafe) let change = change
      MainActor.assumeIsolated { self?.take(change) }
    }
    // After the beginning, so that no commit is between them. A missing object is reported as an error.
    if let newest = observed.newest() { state.object = newest }
  }

  /// The object as it is now; nil when it was deleted.
  public var object: Element? {
    registrar.access(self, keyPath: \.state)
    return state.object
  }

  /// The error that ended the following of the object; nil as long as it is followed.
  public var error: (any Error)? {
    registrar.access(self, keyPath: \.state)
    return state.error
  }

  /// Ends following; the shown values stay.
  public func invalidate() {
    token?.invalidate()
    token = nil
  }

  private func take(_ change: ObjectChange<Element>) {
    registrar.withMutation(of: self, keyPath: \.state) {
      switch change {
      case .change(let object, _): state.object = object
      case .deleted: state.object = nil
      case .error(let error): state.error = error
      }
    }
  }
}

extension LiveObject: Observable {}
