import Fief

/// A number that several processes add to, each by what it has read.
package final class StressTally: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var value = 0
}

package struct StressTallyRepository: DatabaseConfigurable, Sendable {
  package let directory: String?

  package init(directory: String) { self.directory = directory }

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "tally" }
  package var schemaVersion: UInt64? { 1 }
  package var objectTypes: [Object.Type]? { [StressTally.self] }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  package var migrationBlock: MigrationBlock? { nil }

  /// Adds 1 by tasks at once, each several times.
  ///
  /// - Parameter ifUnchanged: whether by reading and saving, and not by transactions.
  /// - Returns: how often it was done, and how often it was a conflict.
  package func add(tasks: Int, times: Int, ifUnchanged: Bool) async throws -> (done: Int, conflicts: Int) {
    let done = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<tasks { group.addTask { try await add(times, ifUnchanged) } }
      return try await group.reduce(0, +)
    }
    return (done, tasks * times - done)
  }

  private func add(_ times: Int, _ ifUnchanged: Bool) async throws -> Int {
    var done = 0
    for _ in 0..<times {
      do {
        if ifUnchanged { try await addIfUnchanged() } else { try await addInTransaction() }
        done += 1
      } catch let error as FiefError where error.code == .conflict {}
    }
    return done
  }

  private func addIfUnchanged() async throws {
    let found = try store().fetchObject(ofType: StressTally.self, forPrimaryKey: 1)
    let tally = found ?? StressTally()
    if found == nil { tally.id = 1 }
    await Task.yield()
    tally.value += 1
    try await save(entity: tally, ifUnchanged: true)
  }

  private func addInTransaction() async throws {
    try await runTransaction { transaction in
      let found = try transaction.get(StressTally.self, forPrimaryKey: 1)
      let tally = found ?? StressTally()
      if found == nil { tally.id = 1 }
      try await Task.sleep(for: .milliseconds(1))
      tally.value += 1
      try transaction.set(tally)
    }
  }
}
