import Fief
import FiefTorture
import Foundation
import LMDB

/// The stores of a process that is limited, and what was acknowledged in each.
final class LimitedStores: Sendable {
  struct State {
    var acknowledged: [String: Set<Int>] = [:]
    /// Those of writes whose outcome is not known.
    var uncertain: [String: Set<Int>] = [:]
    /// The stores in which a write to several stores is not finished.
    var unfinished: Set<String> = []
    var counts: [String: Int] = [:]
    var nextID = 0
  }

  let directory: String
  /// The defect of the control: a save that fails counts as done.
  private let swallowsErrors: Bool
  /// The number of readers that each store may have: of all its processes and threads.
  private let maximumReaders: Int
  let state = OwnedLock(State())

  init(_ directory: String, maximumReaders: Int = 510, swallowsErrors: Bool = false) {
    self.directory = directory
    self.maximumReaders = maximumReaders
    self.swallowsErrors = swallowsErrors
  }

  // MARK: Stores and objects

  func repository(_ name: String = "first", version: UInt64 = 1) -> TortureRepository {
    var repository = TortureRepository(name, in: directory, version: version)
    repository.storeOptions.maximumSortBytes = 4_096
    repository.storeOptions.maximumReaders = maximumReaders
    repository.storeOptions.eventHandler = { [self] in count($0) }
    return repository
  }

  private func count(_ event: StoreEvent) {
    switch event {
    case .failedRead: count("events of failed reads")
    case .failedWrite: count("events of failed writes")
    default: break
    }
  }

  func nextID() -> Int {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  static func values(_ id: Int, bytes: Int = 10) -> [String: Any] {
    [
      "id": id, "code": "code \(id)", "rank": id % 7, "text": "words \(id % 13)",
      "bytes": Data(repeating: UInt8(id % 251), count: bytes),
    ]
  }

  static func item(_ id: Int, bytes: Int = 10) -> TortureItem {
    TortureItem(value: values(id, bytes: bytes))
  }

  // MARK: What was done

  func acknowledge(_ ids: some Sequence<Int>, in store: String = "first") {
    state.withLock { $0.acknowledged[store, default: []].formUnion(ids) }
  }

  /// An item that was acknowledged.
  func anyAcknowledged(in store: String = "first") -> Int {
    state.withLock { $0.acknowledged[store]?.min() ?? 0 }
  }

  /// Notes that an item was deleted.
  func withdraw(_ id: Int, in store: String = "first") {
    state.withLock { _ = $0.acknowledged[store]?.remove(id) }
  }

  /// Notes a write to several stores that takes place, and is not finished in one of them.
  func noteUnfinished(_ ids: [Int], in stores: [String]) {
    for store in stores { acknowledge(ids, in: store) }
    state.withLock { $0.unfinished.formUnion(stores) }
  }

  func count(_ name: String, _ number: Int = 1) {
    state.withLock { $0.counts[name, default: 0] += number }
  }

  func wrong(_ text: String) { say("wrong \(text)".replacing("\n", with: " ")) }

  /// Prints the counts.
  func report() {
    for (name, number) in state.withLock({ $0.counts }) { say("count \(number) \(name)") }
  }

  /// A call that may fail with an error that says what is missing, and in no other way.
  ///
  /// - Parameters:
  ///   - codes: the codes that say it.
  ///   - store: the store that the error has to name.
  ///   - ids: the items that it saves.
  @discardableResult
  func attempt(
    _ name: String,
    _ codes: Set<FiefError.Code>,
    store: String = "first",
    saving ids: [Int] = [],
    _ body: () throws -> Void
  ) -> Bool {
    do {
      try body()
    } catch {
      judge(error, name, codes, store: store)
      if (error as? FiefError)?.code == .unknownOutcome {
        state.withLock { $0.uncertain[store, default: []].formUnion(ids) }
      } else if swallowsErrors {
        acknowledge(ids, in: store)
      }
      return false
    }
    acknowledge(ids, in: store)
    count("\(name) done")
    return true
  }

  /// Counts an error that says what is missing.
  func judge(_ error: any Error, _ name: String, _ codes: Set<FiefError.Code>, store: String) {
    guard let error = error as? FiefError else { return wrong("\(name): no error of the library: \(error)") }
    if error.store != store { wrong("\(name): the error does not name the store \(store): \(error)") }
    guard codes.contains(error.code) else { return wrong("\(name): \(error)") }
    count("\(name) refused as \(error.code.rawValue)")
  }
}
