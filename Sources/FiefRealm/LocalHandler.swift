import Dispatch
import Fief
import Foundation

/// A handler that is called where the code runs that has passed it.
// SAFETY: an observation calls it where `ObservationExecutor.caller(_:)` says only.
struct LocalHandler<Change>: @unchecked Sendable {
  let call: (Change) -> Void

  init(_ call: @escaping (Change) -> Void) { self.call = call }
}

extension ObservationExecutor {
  /// The place of the calling code: its actor, the main queue on the main thread outside of any actor, or else a thread of the
  /// library's own.
  static func caller(_ isolation: (any Actor)?) -> ObservationExecutor {
    if let isolation { return .actor(isolation) }
    return .queue(MainQueue.isCurrent ? .main : nil)
  }
}

extension HeldInstance {
  /// An instance that the handler uses where the calling code does; nil if the handler is called elsewhere.
  static func ofCaller(_ held: AnyObject, _ isolation: (any Actor)?) -> HeldInstance? {
    isolation != nil || MainQueue.isCurrent ? HeldInstance(held) : nil
  }
}

/// The main actor or the main queue, as the place where a handler is called: `on: .main`, `on: MainActor.shared`.
public protocol MainPlace {}

extension MainActor: MainPlace {}

/// The main queue, as the place where a handler is called.
public struct MainQueue: MainPlace, Sendable {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the calling code is on the main thread or on the main queue, which other threads drain on Linux once the program waits in
  /// `dispatchMain()` or in an asynchronous `main()`.
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

  /// Calls the handler on the main actor, where an observation with the executor ``executor`` is.
  func call(_ change: Change) {
    // SAFETY: the change was made for this call, on the main actor, and nothing else has a reference to it.
    nonisolated(unsafe) let change = change
    MainActor.assumeIsolated { handler(change) }
  }
}
