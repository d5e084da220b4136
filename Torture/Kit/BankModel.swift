import Fief
import FiefTree
import Foundation

package final class BankAccount: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var balance = 0
}

/// How often a thread of a process has written. The tree has the same number at `writes`.
package final class BankWriter: Object {
  @Persisted(primaryKey: true) package var name = ""
  @Persisted package var count = 0
  /// The group of the message that each write sends, if it sends one.
  @Persisted package var group: Int?
}

/// Bytes that make the file grow.
package final class BankBallast: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var bytes = Data()
}

/// A type of even versions only.
package final class BankNote: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var text = ""
}

/// A list that transactions append numbers to.
package final class AppendList: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var values: List<Int>
}

/// The store that several processes use at once. Each version changes the balances of all accounts, but not
/// their sum, and adds one to `migrations` in the tree; even ones add a type that odd ones remove.
package struct BankRepository: DatabaseConfigurable, Sendable {
  package static let accounts = 100
  package static let total = accounts * 1_000

  package let directory: String?
  package let version: UInt64
  package var storeOptions = StoreOptions()

  package init(directory: String, version: UInt64 = 1) {
    self.directory = directory
    self.version = version
  }

  /// The version that the store has now.
  package static func version(in directory: String) throws -> UInt64 {
    try Store.schemaVersion(at: directory + "/bank")
  }

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "bank" }
  package var schemaVersion: UInt64? { version }
  package var objectTypes: [Object.Type]? {
    JSONTree.objectTypes + [BankAccount.self, BankWriter.self, BankBallast.self, AppendList.self]
      + (version.isMultiple(of: 2) ? [BankNote.self] : [])
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  package var migrationBlock: MigrationBlock? {
    { migration, _ in
      try migration.enumerateObjects(ofType: "BankAccount") { old, new in
        guard let old, let new else { return }
        let balance: Int = try old.value("balance")
        new["balance"] = balance + (try old.value("id", as: Int.self).isMultiple(of: 2) ? 1 : -1)
      }
      let tree = JSONTree(in: self)
      try tree.in(migration).setValue(.increment(1), at: tree.reference("migrations"))
    }
  }

  /// Makes the store.
  package func prepare() throws {
    if let error = store().openingError { throw error }
    try write { transaction in
      for id in 0..<Self.accounts {
        try transaction.add(BankAccount(value: ["id": id, "balance": 1_000]))
      }
    }
    close()
  }
}

// MARK: The tree

extension BankRepository {
  /// The number of places of a message.
  package static let members = 100

  /// Notes a write of a thread, in the objects and in the tree.
  ///
  /// - Parameter group: the group of the message that the write sends to all members; `nil` for none.
  /// - Returns: how often the thread has written.
  package func note(_ name: String, group: Int? = nil, in transaction: WriteTransaction) throws -> Int {
    let writer =
      try transaction.object(ofType: BankWriter.self, forPrimaryKey: name)
      ?? transaction.create(BankWriter.self, value: ["name": name])
    writer.count += 1
    writer.group = group
    let tree = JSONTree(in: self)
    let editor = try tree.in(transaction)
    try editor.setValue(.increment(1), at: tree.reference("writes/\(name)"))
    if let group {
      let message = FanOut(count: Self.members, group: group)
      try editor.updateChildValues(message.values(writer.count), at: tree.root)
    }
    return writer.count
  }

  /// Declares an index of the tree, which is built in the background while all processes write.
  ///
  /// - Parameter isRemoved: whether the index is removed first, if it is complete.
  package func index(isRemoved: Bool) throws {
    let tree = JSONTree(in: self, rules: try AccessRules().index("writes", on: ".value"))
    for index in try tree.indexes() where isRemoved && index.isComplete { try tree.removeIndexAndWait(index) }
  }

  /// Returns the differences between the tree and the writers of one state.
  package func treeProblems(in snapshot: Snapshot) throws -> [String] {
    let tree = JSONTree(in: self)
    let reader = try tree.in(snapshot)
    let writes = try reader.snapshot(at: tree.reference("writes")).json
    let inbox = try reader.snapshot(at: tree.reference("inbox")).json
    var problems: [String] = []
    // By an index, or by a scan while the index is built.
    let ordered = try reader.snapshot(of: tree.reference("writes").queryOrderedByValue()).json
    if ordered != writes { problems.append("a query has \(ordered), the tree has \(writes)") }
    try snapshot.objects(BankWriter.self).forEachObject { writer in
      let (name, count) = (writer.name, writer.count)
      if writes[name] != .int(Int64(count)) {
        problems.append("thread \(name) has \(count) writes, \(writes[name]) in the tree")
      }
      guard let group = writer.group else { return }
      let differences = FanOut(count: Self.members, group: group).differences(count, in: inbox)
      if differences > 0 {
        problems.append("\(differences) of \(Self.members) places lack message \(count) of \(name)")
      }
    }
    return problems
  }
}
