import Dispatch
import Foundation
import LMDB

/// The completion handlers of a store. Each handler is called once on its queue or actor, in the order of the
/// calls.
///
/// Handlers that are called on the same queue, actor or thread wait in one line and are called one after
/// another. A handler may do anything, including saving, waiting, and closing the store: it is called without
/// a lock, and by a thread for which nothing else waits.
final class CompletionLanes: Sendable {
  typealias Job = @Sendable () -> Void

  /// The maximum number of handlers that are called in one run on an actor or a queue, before other work gets
  /// its turn there.
  private static let mostAtOnce = 64
  /// The time that ``finish()`` waits for a handler that does not return, in nanoseconds.
  private static let patience = 2_000_000_000

  /// The queue, actor or thread on which handlers are called.
  struct Place: Sendable {
    enum Key: Hashable { case thread, queue, actor(ObjectIdentifier) }
    let key: Key
    let executor: ObservationExecutor

    init(queue: DispatchQueue?, isolation: (any Actor)?) {
      if let queue {
        key = .queue
        executor = .queue(queue)
      } else if let isolation {
        key = .actor(ObjectIdentifier(isolation))
        executor = .actor(isolation)
      } else {
        key = .thread
        executor = .queue(nil)
      }
    }

    /// Whether handlers are called in their callers' isolation.
    var isCallers: Bool { if case .actor = key { true } else { false } }

    /// Whether code on the main actor may call the handlers itself.
    var isMain: Bool { executor.isMain }
  }

  struct Ticket: Sendable {
    fileprivate let place: Place
    fileprivate let number: UInt64
  }

  private struct Lane {
    let place: Place
    var line = CompletionLine<Job>()
    /// The thread that calls a handler.
    var runner: UInt?
  }

  private struct State {
    /// The lanes with calls that have no outcome yet, or whose handlers were not called yet.
    var lanes: [Place.Key: Lane] = [:]
    /// The number of handlers that were called.
    var calls = 0
    /// Callers that wait until the store's thread has called all handlers.
    var waiters: [WriteQueueParker<Void>] = []
  }

  private let state = OwnedLock(State())

  private struct Unopened {
    weak var lanes: CompletionLanes?
  }

  private static let unopened = OwnedLock<[ExactText: Unopened]>([:])

  /// Returns the lanes of calls to a store that could not be opened. The result is the same instance as long
  /// as a handle or a handler refers to it.
  ///
  /// - Parameter store: the identity of the store.
  static func ofUnopened(_ store: String) -> CompletionLanes {
    let store = ExactText(store)
    return unopened.withLock { unopened in
      if let lanes = unopened[store]?.lanes { return lanes }
      unopened = unopened.filter { $0.value.lanes != nil }
      let lanes = CompletionLanes()
      unopened[store] = Unopened(lanes: lanes)
      return lanes
    }
  }

  /// Registers a call. Its handler is called after the handlers of all earlier calls on the same queue, actor
  /// or thread.
  func add(at place: Place) -> Ticket {
    let number = state.withLock { $0.lanes[place.key, default: Lane(place: place)].line.add() }
    return Ticket(place: place, number: number)
  }

  /// Calls the handler of a call, after the earlier handlers in its lane.
  func complete(_ ticket: Ticket, _ job: @escaping Job) {
    let key = ticket.place.key
    let begins = state.withLock { $0.lanes[key]?.line.complete(ticket.number, with: job) ?? false }
    if begins { start(ticket.place) }
  }

  /// Runs a job on the store's thread, in line with the handlers that are called there.
  func perform(_ job: @escaping Job) { complete(add(at: Place(queue: nil, isolation: nil)), job) }

  private func start(_ place: Place) {
    place.executor.enqueue { self.run(place) }
  }

  private func run(_ place: Place) {
    let most = place.key == .thread ? Int.max : Self.mostAtOnce
    for _ in 0..<most {
      guard let job = take(place.key) else { return }
      job()
    }
    state.withLock { $0.lanes[place.key]?.runner = nil }
    start(place)
  }

  private func take(_ key: Place.Key) -> Job? {
    let (job, waiters) = state.withLock { state -> (Job?, [WriteQueueParker<Void>]) in
      guard let job = state.lanes[key]?.line.next() else {
        state.lanes[key]?.runner = nil
        guard state.lanes[key]?.line.isEmpty == true else { return (nil, []) }
        state.lanes[key] = nil
        guard key == .thread else { return (nil, []) }
        defer { state.waiters = [] }
        return (nil, state.waiters)
      }
      state.calls += 1
      state.lanes[key]?.runner = currentThread()
      return (job, [])
    }
    waiters.forEach { $0.put(()) }
    return job
  }

  /// Marks the main queue, which belongs to the main actor. On Linux it may run on a thread other than the
  /// main thread.
  private static let mainQueue: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  private static var isOnMain: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) != nil
  }

  /// Calls the handlers that are due, before the process may end. Waits for the handlers on the store's
  /// thread. On the main actor or the main queue, it calls the handlers that are due there itself.
  ///
  /// Most calls have their outcome by now. The exceptions are calls that are made while the closing thread
  /// runs a write itself, and calls whose outcomes another thread is about to pass on. In a handler on the
  /// store's thread, this method does not wait. It waits at most two seconds for a handler that does not
  /// return, because that handler may be waiting for the caller.
  func finish() {
    if Self.isOnMain {
      let places = state.withLock {
        $0.lanes.values.filter { $0.place.isMain && $0.runner == nil }.map(\.place)
      }
      for place in places { while let job = take(place.key) { job() } }
    }
    var calls = -1
    while true {
      let parker = WriteQueueParker<Void>()
      let waits = state.withLock { state -> Bool in
        guard let lane = state.lanes[.thread], lane.line.isRunning, lane.runner != currentThread(),
          state.calls != calls
        else {
          return false
        }
        calls = state.calls
        state.waiters.append(parker)
        return true
      }
      guard waits, parker.waitForNudge(until: writeQueueNow() + Self.patience) == nil else { return }
    }
  }
}
