import FiefCore
import Observation

/// An object for a view. It follows the store and notifies its readers of changes through the Observation
/// framework.
///
/// ```swift
/// let live = LiveObject(dog)
/// // in a view's body, which is drawn again when the name changes:
/// Text(live.object?.name ?? "gone")
/// ```
/// The object is a plain instance of one committed state. When the object changes in the store, in this
/// process or in another one, a new instance replaces it on the main actor.
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
  ///   - object: an object of a store. The newest state is shown, even if the object was read earlier.
  ///   - keyPaths: names of the properties that the views show, with dots to follow links, or `nil` for all
  ///     of the object's own properties.
  public init(_ object: Element, keyPaths: [String]? = nil) {
    state = State(object: object)
    let observed = ObservedObject(object, _WatchedPaths(keyPaths))
    token = observed.observe(.actor(MainActor.shared)) { [weak self] change in
      // SAFETY: the change was created for this call on the main actor, and nothing else refers to it.
      nonisolated(unsafe) let change = change
      MainActor.assumeIsolated { self?.take(change) }
    }
    // Read after the observation has begun, so that no commit is missed. A missing object is reported as an
    // error.
    if let newest = observed.newest() { state.object = newest }
  }

  /// The current object, or `nil` if it was deleted.
  public var object: Element? {
    registrar.access(self, keyPath: \.state)
    return state.object
  }

  /// The error that ended the observation, or `nil` while the object is observed.
  public var error: (any Error)? {
    registrar.access(self, keyPath: \.state)
    return state.error
  }

  /// Ends the observation. The last values stay visible.
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
