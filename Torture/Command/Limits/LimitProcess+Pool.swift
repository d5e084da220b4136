import Fief
import FiefTorture
import Foundation

/// Threads of tasks that are busy.
extension LimitProcess {
  /// Tasks block all threads of Swift's pool, and wait there for what the library does.
  ///
  /// - Parameter hasDeadlock: whether one more task has to run first: the defect of the control.
  func blockPool(hasDeadlock: Bool) throws {
    let repository = stores.repository()
    try repository.open()
    let tasks = 64
    for _ in 0..<scale {
      let (ended, running) = (CountedCalls(), CountedCalls())
      let mayGoOn = CountedCalls()
      // These wait for a thread of the pool after their write.
      let later = CountedCalls()
      for _ in 0..<100 {
        let id = stores.nextID()
        Task.detached { [stores] in
          await Self.save(id, stores, [], later)
        }
      }
      say("doing saves while all threads of tasks wait")
      for _ in 0..<tasks {
        Task.detached { [self] in
          running.add()
          if hasDeadlock { _ = Self.waitForEver(mayGoOn) }
          useWhileBlocked(repository)
          ended.add()
        }
      }
      if hasDeadlock {
        guard running.wait(for: 1) else { return }
        Task.detached { mayGoOn.add() }
      }
      if !ended.wait(for: tasks) { stores.wrong("\(ended.value) of \(tasks) tasks have ended") }
      if !later.wait(for: 100) { stores.wrong("\(later.value) of 100 asynchronous saves have ended") }
    }
    stores.verify("after the threads of tasks were busy", reopening: true)
  }

  private static func waitForEver(_ calls: CountedCalls) -> Bool {
    while !calls.wait(for: 1) {}
    return true
  }

  /// Waits on the task's thread for a save, a handler and an observer.
  private func useWhileBlocked(_ repository: TortureRepository) {
    let (first, second) = (stores.nextID(), stores.nextID())
    let calls = CountedCalls()
    do {
      let token = try repository.observe { _ in calls.add() }
      defer { token.invalidate() }
      stores.attempt("save", [], saving: [first]) {
        try repository.saveAndWait(entity: LimitedStores.item(first))
      }
      if !calls.wait(for: 1) { stores.wrong("an observer was not called while the threads of tasks wait") }
      stores.attempt("save with a handler", [], saving: [second]) {
        try saveWithHandler(LimitedStores.item(second), repository)
      }
    } catch { stores.wrong("while the threads of tasks wait: \(error)") }
  }
}
