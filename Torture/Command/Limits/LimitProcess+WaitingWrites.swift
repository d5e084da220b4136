import Fief
import FiefTorture
import Foundation

/// Very many writes that wait.
extension LimitProcess {
  /// Saves of tasks, of threads and with handlers wait for one write that lasts; some of the tasks are cancelled.
  func writeMuch() throws {
    let repository = stores.repository()
    try repository.open()
    let (count, threads) = (1_000 * scale, 50)
    let (begun, ended) = (CountedCalls(), CountedCalls())
    let mayEnd = CountedCalls()
    say("doing \(count) writes that wait")
    Thread.detachNewThread { [stores] in
      stores.attempt("write that lasts", []) {
        try repository.write { _ in
          begun.add()
          _ = mayEnd.wait(for: 1)
        }
      }
      ended.add()
    }
    guard begun.wait(for: 1) else { return stores.wrong("a write did not begin") }
    var tasks: [Task<Void, Never>] = []
    for number in 0..<count / 2 {
      let (ofTask, ofHandler) = (stores.nextID(), stores.nextID())
      tasks.append(Task.detached { [stores] in await Self.save(ofTask, stores, [.cancelled], ended) })
      repository.save(entity: LimitedStores.item(ofHandler), update: true, isolation: nil) {
        [stores] result in
        stores.attempt("save with a handler", [], saving: [ofHandler]) { _ = try result.get() }
        ended.add()
      }
      if number % 5 == 4 { tasks[number - 2].cancel() }
    }
    for _ in 0..<threads {
      let id = stores.nextID()
      Thread.detachNewThread { [stores] in
        stores.attempt("save of a thread", [], saving: [id]) {
          try stores.repository().saveAndWait(entity: LimitedStores.item(id))
        }
        ended.add()
      }
    }
    if ended.value > count / 10 { stores.wrong("\(ended.value) writes did not wait") }
    mayEnd.add()
    if !ended.wait(for: 1 + count + threads) {
      stores.wrong("of \(count + threads) writes that waited \(ended.value - 1) have ended")
    }
    stores.verify("after \(count) waiting writes", reopening: true)
    stores.count("writes that waited", count + threads)
  }

  /// Saves in a task.
  static func save(_ id: Int, _ stores: LimitedStores, _ codes: Set<FiefError.Code>, _ ended: CountedCalls)
    async
  {
    var result = Result<Void, any Error>.success(())
    do {
      try await stores.repository().save(entity: LimitedStores.item(id), update: true)
    } catch { result = .failure(error) }
    stores.attempt("save of a task", codes, saving: [id]) { try result.get() }
    ended.add()
  }
}
