import Dispatch
import Fief
import Foundation

/// A handler that is called in the isolation of the code that passed it.
// SAFETY: an observation calls it only on the executor that `ObservationExecutor.caller(_:)` returns.
struct LocalHandler<Change>: @unchecked Sendable {
  let call: (Change) -> Void

  init(_ call: @escaping (Change) -> Void) { self.call = call }

  /// - Parameter handler: a handler that is called on its actor.
  init(isolated handler: @escaping @isolated(any) (Change) -> Void) {
    // SAFETY: the isolation is a part of the type, not of the calling convention, and the executor of
    // `HandlerPlace` is the handler's actor.
    call = unsafeBitCast(handler, to: ((Change) -> Void).self)
  }
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

/// The executor of a handler, if the code names a queue for it.
struct HandlerPlace {
  let executor: ObservationExecutor
  /// Whether the calling code is at this place, so that the handler may use the same instances.
  let isCaller: Bool

  /// - Parameters:
  ///   - isolation: the handler's actor, which takes precedence over the queue.
  ///   - queue: the queue, or `nil` for the place of the calling code.
  init(of isolation: (any Actor)?, on queue: DispatchQueue?) {
    if let isolation {
      executor = .actor(isolation).showingSnapshot()
      isCaller = isolation === MainActor.shared && MainQueue.isCurrent
    } else if let queue {
      isCaller = queue === DispatchQueue.main ? MainQueue.isCurrent : queue === ConfinedQueue.current
      let showsSnapshot = isCaller || queue === DispatchQueue.main
      executor = showsSnapshot ? .queue(queue).showingSnapshot() : .queue(queue)
    } else {
      executor = .caller(nil)
      isCaller = Self.isKnown
    }
  }

  /// Whether the calling code without an actor has a place: the main thread, or the queue of a store.
  static var isKnown: Bool { MainQueue.isCurrent || ConfinedQueue.current != nil }
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
