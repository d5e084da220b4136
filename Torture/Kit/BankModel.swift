import Fief
import Foundation

package final class BankAccount: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted(indexed: true) package var balance = 0
}

/// How often a thread of a process has written.
package final class BankWriter: Object {
  @Persisted(primaryKey: true) package var name = ""
  @Persisted package var count = 0
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

/// The store that several processes use at once. Each version changes the balances of all accounts, but not their sum; even
/// ones add a type that odd ones remove.
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
    [BankAccount.self, BankWriter.self, BankBallast.self, AppendList.self]
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
