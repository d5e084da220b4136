import Fief
import Foundation

/// The account that is in each of the stores that are written to together.
package final class StressAccount: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var balance = 0
  @Persisted package var note: String?
}

/// An entry without a primary key, so that row ids are given out.
package final class StressTransfer: Object {
  @Persisted(indexed: true) package var round = 0
  @Persisted package var account: StressAccount?
  @Persisted package var text = ""
}

/// One of the stores that are written to together.
package struct StressJointRepository: DatabaseConfigurable, Sendable {
  package var name: String
  package var realmMemoryType: RealmMemoryType
  package var directory: String?
  package var storeOptions = StoreOptions()

  package init(_ name: String, directory: String) {
    self.name = name
    realmMemoryType = .inStorage
    self.directory = directory
  }

  package init(_ name: String, identifier: String) {
    self.name = name
    realmMemoryType = .inMemory(identifier: identifier)
  }

  package var schemaName: String? { name }
  package var schemaVersion: UInt64? { 1 }
  package var objectTypes: [Object.Type]? { [StressAccount.self, StressTransfer.self] }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  package var migrationBlock: MigrationBlock? { nil }
}

/// Money that goes round between stores: no write makes any, and each counts in every store.
package struct StressJoint: Sendable {
  package static let names = ["first", "second", "third"]
  package static let accounts = 20

  package let repositories: [StressJointRepository]
  package let manager: StoreManager

  package init(_ repositories: [StressJointRepository]) {
    self.repositories = repositories
    manager = StoreManager(repositories: repositories)
  }

  package init(directory: String) {
    self.init(Self.names.map { StressJointRepository($0, directory: directory) })
  }

  package func close() { manager.close() }

  package func fill() throws {
    for repository in repositories {
      try repository.write { transaction in
        for id in 0..<Self.accounts {
          try transaction.create(StressAccount.self, value: ["id": id, "balance": id == 0 ? 0 : 100])
        }
      }
    }
  }

  /// Moves money from each store to the next one, and counts the round in account 0 of each.
  ///
  /// - Parameter size: the length of a text that is written too.
  package func transfer(_ round: Int, size: Int = 40) throws {
    try manager.write(to: repositories) { try move(in: $0, round, size: size) }
  }

  package func move(in write: MultiStoreTransaction, _ round: Int, size: Int) throws {
    for (index, repository) in repositories.enumerated() {
      let transaction = try write.transaction(of: repository)
      let amount = 1 + round % 7
      let giver = try account(1 + round % (Self.accounts - 1), transaction)
      giver.balance -= amount
      giver.note = "gave \(amount) in \(round)"
      let before = repositories[(index + repositories.count - 1) % repositories.count]
      let taker = try account(1 + (round + 5) % (Self.accounts - 1), try write.transaction(of: before))
      taker.balance += amount
      try account(0, transaction).balance += 1
      let entry = StressTransfer()
      entry.round = round
      entry.account = giver
      entry.text = String(repeating: "\(round % 10)", count: size)
      try transaction.add(entry)
      if round % 3 == 2 {
        let old = transaction.objects(StressTransfer.self).where { $0.round == round - 2 }
        for entry in old { try transaction.delete(entry) }
      }
    }
  }

  private func account(_ id: Int, _ transaction: WriteTransaction) throws -> StressAccount {
    guard let account = try transaction.object(ofType: StressAccount.self, forPrimaryKey: id) else {
      throw FiefError(.objectNotFound, "An account is missing.", key: "\(id)")
    }
    return account
  }

  /// The number of rounds that a store has counted.
  package func rounds(_ repository: StressJointRepository) throws -> Int {
    if let error = repository.store().openingError { throw error }
    return repository.object(ofType: StressAccount.self, forPrimaryKey: 0)?.balance ?? -1
  }

  /// The amount of money in all stores.
  package func money() throws -> Int {
    try repositories.reduce(0) { sum, repository in
      try sum
        + repository.read { snapshot in
          snapshot.objects(StressAccount.self).reduce(0) { $0 + ($1.id == 0 ? 0 : $1.balance) }
        }
    }
  }

  package var expectedMoney: Int { repositories.count * (Self.accounts - 1) * 100 }

  /// The problems of the stores when nothing goes on.
  package func problems() throws -> [String] {
    var problems: [String] = []
    for repository in repositories {
      let check = try repository.check()
      problems += check.problems.map { "\(repository.name): \($0)" }
      problems += check.unfinishedWrites.map { "\(repository.name): \($0)" }
    }
    let rounds = try repositories.map { try self.rounds($0) }
    if Set(rounds).count != 1 { problems.append("the rounds differ: \(rounds)") }
    let money = try money()
    if money != expectedMoney { problems.append("there is \(money) instead of \(expectedMoney)") }
    return problems
  }
}
