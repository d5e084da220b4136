import FiefCore
import Foundation
import LMDB

/// Performs the steps of a ``JointMachine`` on open stores, on one thread, during a turn in each store's
/// queue.
final class JointWriter<Value> {
  /// The stores in the order in which every process locks them. The first one is the coordinator.
  let cores: [StoreCore]
  let sides: [JointSide]
  let body: (MultiStoreTransaction) throws -> Value
  /// The types declared by each repository that declares only a part of its store's types.
  let visible: [ObjectIdentifier: VisibleTypes]
  let id = UUID()
  let begun = Int64(Date().timeIntervalSince1970)
  var machine: JointMachine
  var held: [ParticipantWrite?]
  var writers: [RecordWriter] = []
  var scopes: [WriteTransaction] = []
  var value: Value?
  var failure: (any Error)?
  var unfinishedReasons: [Int: any Error] = [:]
  /// The session of each store, for the commits of this write.
  var sessions: [CommitSession]

  private init(
    _ cores: [StoreCore],
    _ visible: [ObjectIdentifier: VisibleTypes],
    _ body: @escaping (MultiStoreTransaction) throws -> Value
  ) {
    self.cores = cores
    self.visible = visible
    self.body = body
    sides = cores.map(\.jointSide)
    machine = JointMachine(count: cores.count)
    held = cores.map { _ in nil }
    sessions = cores.map { CommitSession($0) }
  }

  /// Calls a closure in a transaction of each store. Either all transactions commit, or none.
  ///
  /// - Parameter cancellation: cancels the write if its turn has not come yet.
  static func write(
    to stores: [Store],
    cancellation: BackgroundThreads.Cancellation? = nil,
    _ body: (MultiStoreTransaction) throws -> Value
  ) throws -> Value {
    var visible: [ObjectIdentifier: VisibleTypes] = [:]
    for store in stores { visible[ObjectIdentifier(try store.core())] = store.visible }
    let cores = try JointOrder.checked(try stores.map { try $0.core() })
    // Happens before waiting for the turn, because the write that has the turn may wait for readers.
    for core in cores { core.hub.endScopeForWriting() }
    return try withoutActuallyEscaping(body) { body in
      try JointOrder.withTurns(cores[...]) {
        if let cancellation, cancellation.isCancelled {
          throw BackgroundThreads.cancelled(store: cores.first?.name)
        }
        return try JointWriter(cores, visible, body).run()
      }
    }
  }

  private func run() throws -> Value {
    // Readers may see parts of the write before its decision.
    for session in sessions { session.announce() }
    while true {
      switch machine.action {
      case .decided(let unfinished):
        try? JointSteps.tell("\(machine.action)")
        return try complete(unfinished)
      case .dropped: throw drop()
      case .undecided: throw leaveUndecided()
      default: machine.done(perform(machine.action))
      }
    }
  }

  /// Thrown if a store has the marker of a different write to several stores.
  struct ForeignMarker: Error { let store: Int }

  private func perform(_ action: JointMachine.Action) -> JointMachine.Event {
    do {
      try JointSteps.tell("\(action)")
      switch action {
      case .begin(let store): try begin(store)
      case .mark(let store): try mark(store)
      case .run: return .changed(try runBody())
      case .journal(let store): try journal(store)
      case .commit(let store): return try commit(store)
      case .replay(let store): try replay(store)
      case .clean: try clean()
      case .abort(let growing): try abort(growing: growing)
      case .settle(let store):
        try cores[store].settleMarkers()
        sessions[store].announce()
      case .unmark(let store): try unmark(store)
      case .decided, .dropped, .undecided: break
      }
      return .succeeded
    } catch let foreign as ForeignMarker {
      return .foreign(foreign.store)
    } catch let error as LMDBError where error.code == .outcomeUnknown {
      note(error, of: action)
      return .unknown
    } catch {
      // Whatever error was thrown, a transaction whose map is too small must run again.
      if !machine.isDecided, let store = held.firstIndex(where: { $0?.needsGrowth ?? false }) {
        return .tooSmall(store)
      }
      note(error, of: action)
      return .failed
    }
  }

  private func note(_ error: any Error, of action: JointMachine.Action) {
    switch action {
    case .commit(let store) where store > 0:
      unfinishedReasons[store] = error
      held[store] = nil
    case .replay(let store): unfinishedReasons[store] = error
    case .unmark, .clean: break
    case .begin(let store), .mark(let store), .journal(let store), .commit(let store), .settle(let store):
      failure = cores[store].described(error)
    case .run, .abort, .decided, .dropped, .undecided:
      let place = (error as? LMDBError)?.path
      let core = cores.first { place?.hasSameBytes(as: $0.environment.directory) ?? false }
      failure = core?.described(error) ?? (error as? LMDBError).map { FiefError($0) } ?? error
    }
  }
}
