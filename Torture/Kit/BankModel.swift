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

/// A list that transactions append numbers to.
package final class AppendList: Object {
  @Persisted(primaryKey: true) package var id = 0
  @Persisted package var values: List<Int>
}

/// The store that several processes use at once.
package struct BankRepository: DatabaseConfigurable, Sendable {
  package static let accounts = 100
  package static let total = accounts * 1_000

  package let directory: String?
  package var storeOptions = StoreOptions()

  package init(directory: String) { self.directory = directory }

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "bank" }
  package var schemaVersion: UInt64? { 1 }
  package var objectTypes: [Object.Type]? {
    [BankAccount.self, BankWriter.self, BankBallast.self, AppendList.self]
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  package var migrationBlock: MigrationBlock? { nil }

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
