import Fief
import FiefTorture
import FiefTree

/// What the store of the bank has to have after its processes have ended.
struct BankCheck {
  let directory: String

  /// Compacts the store, which no other process has open.
  func compact(_ outcome: inout Outcome, repetition: String) {
    do {
      let version = try BankRepository.version(in: directory)
      let repository = BankRepository(directory: directory, version: version)
      defer { repository.close() }
      try repository.compact()
      outcome.counts["compactions after all processes have ended", default: 0] += 1
    } catch {
      outcome.add("idle compact", "with the store to itself: \(error)", repetition: repetition)
    }
  }

  /// - Parameter acknowledged: for each thread the last write that was reported as done.
  func add(to outcome: inout Outcome, _ acknowledged: [String: Int], repetition: String) throws {
    let version: UInt64
    do {
      version = try BankRepository.version(in: directory)
    } catch let error as FiefError {
      return outcome.add("does not open", "\(error)", repetition: repetition)
    }
    let repository = BankRepository(directory: directory, version: version)
    defer { repository.close() }
    if let error = repository.store().openingError {
      return outcome.add("does not open", "\(error)", repetition: repetition)
    }
    for problem in try repository.check().problems {
      outcome.add("inconsistent", "\(problem)", repetition: repetition)
    }
    try repository.store().read { snapshot in
      let sum = try snapshot.objects(BankAccount.self).fetchSum(of: \.balance)
      if sum != BankRepository.total {
        outcome.add("wrong", "the sum at the end is \(sum)", repetition: repetition)
      }
      for problem in try repository.treeProblems(in: snapshot) {
        outcome.add("wrong", "at the end \(problem)", repetition: repetition)
      }
      let tree = JSONTree(in: repository)
      let migrations = try tree.in(snapshot).value(at: tree.reference("migrations")).int ?? 0
      if migrations != Int64(version) - 1 {
        let text = "the tree has \(migrations) migrations at the end, the version is \(version)"
        outcome.add("wrong", text, repetition: repetition)
      }
      for (name, count) in acknowledged.sorted(by: { $0.key < $1.key }) {
        let stored = try snapshot.object(ofType: BankWriter.self, forPrimaryKey: name)?.count ?? 0
        if stored < count {
          let text = "thread \(name) has \(stored) writes, \(count) were acknowledged"
          outcome.add("lost", text, repetition: repetition)
        }
      }
    }
  }
}
