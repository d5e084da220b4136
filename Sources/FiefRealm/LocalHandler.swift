import Dispatch
import Fief
import Foundation

/// A handler that is called in the isolation of the code that passed it.
// SAFETY: an observation calls it only on the executor that `ObservationExecutor.caller(_:)` returns.
struct LocalHandler<Change>: @unchecked Sendable {
  let call: (Change) -> Void

  init(_ call: @escaping (Change) -> Void) { self.call = call }
}

extension ObservationExecutor {
  /// Returns the executor of the calling code: its actor, or, without an actor, the main queue on the main
  /// thread and a thread of the library elsewhere. As in Realm, everything that the handler reads has the
  /// state of the change.
  static func caller(_ isolation: (any Actor)?) -> ObservationExecutor {
    if let isolation { return .actor(isolation).showingSnapshot() }
    return .queue(MainQueue.isCurrent ? .main : ConfinedQueue.current).showingSnapshot()
  }
}

extension ObservedInstance {
  /// Returns an instance that the handler may use because it runs in the isolation of the calling code, or
  /// `nil` if the handler is called elsewhere.
  static func ofCaller(_ held: AnyObject, _ isolation: (any Actor)?) -> ObservedInstance? {
    let isHere = isolation != nil || MainQueue.isCurrent || ConfinedQueue.current != nil
    return isHere ? ObservedInstance(held) : nil
  }
}

/// The main actor or the main queue, on which a handler is called: `on: .main`, `on: MainActor.shared`.
public protocol MainPlace {}

extension MainActor: MainPlace {}

/// The main queue, on which a handler is called.
public struct MainQueue: MainPlace, Sendable {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the calling code is on the main thread or on the main queue. On Linux, other threads execute the
  /// main queue once the program waits in `dispatchMain()` or in an asynchronous `main()`.
  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}

extension MainPlace where Self == MainQueue {
  /// The main queue.
  public static var main: MainQueue { MainQueue() }
}

/// A handler of the main actor.
struct MainHandler<Change>: Sendable {
  private let handler: @MainActor (Change) -> Void

  init(_ handler: @escaping @MainActor (Change) -> Void) { self.handler = handler }

  /// Calls the handler. The caller is on the main actor.
  func call(_ change: Change) {
    // SAFETY: the change was created for this call on the main actor, and nothing else refers to it.
    nonisolated(unsafe) let change = change
    MainActor.assumeIsolated { handler(change) }
  }
}
