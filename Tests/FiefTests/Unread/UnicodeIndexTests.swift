import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

private final class UnicodeNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .fullText) var text = ""
  @Persisted(index: .caseInsensitive) var name = ""
  @Persisted(index: [.unique, .caseInsensitive]) var code = ""
  @Persisted(indexed: true) var number = 0
}

private struct UnicodeStore: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "notes" }
  var schemaVersion: UInt64? = 1
  var objectTypes: [Object.Type]? { [UnicodeNote.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
  var directory: String?
  var storeOptions = StoreOptions()

  init(_ directory: String, _ fingerprint: UInt64?, isReadOnly: Bool = false) {
    self.directory = directory
    storeOptions.unicodeFingerprint = fingerprint
    storeOptions.isReadOnly = isReadOnly
    storeOptions.eventHandler = { _ in }
  }

  func found() throws -> [Int] {
    try read { snapshot in
      let notes = snapshot.objects(UnicodeNote.self)
      return [
        try notes.filter("name ==[c] 'ÄRGER 7'").all().count,
        try notes.filter("code ==[c] 'ß7'").all().count,
        try notes.filter("number == 7").all().count,
      ]
    }
  }

  func words() throws -> Int {
    try read { try $0.objects(UnicodeNote.self).filter("text MATCHES 'straße'").all().count }
  }

  func mostRelevant() throws -> Int {
    try read { snapshot in
      let notes = snapshot.objects(UnicodeNote.self).filter("text MATCHES 'straße'")
      return try notes.sortedByRelevance().all().count
    }
  }
}

/// Case-insensitive and full-text indexes are those of the process's tables of Unicode.
@Suite("Indexes and the tables of Unicode")
struct UnicodeIndexTests {
  private func with(_ body: (String) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "fief-unicode-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = UnicodeStore(directory, 1)
    try store.write { transaction in
      for id in 0..<50 {
        let values: [String: Any] = [
          "id": id, "text": "Eine Straße \(id)", "name": "Ärger \(id)", "code": "ß\(id)", "number": id,
        ]
        try transaction.create(UnicodeNote.self, value: values)
      }
    }
    #expect(try store.found() == [1, 1, 1])
    store.closeChecked()
    try body(directory)
  }

  private func changing(
    _ directory: String,
    _ body: (LMDB.WritableTransaction, _ catalogueTree: Database) throws -> Void
  ) throws {
    let environment = try LMDB.Environment.open(
      directory: directory + "/notes",
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    try environment.write { transaction in
      try body(transaction, try transaction.openDatabase(named: Catalogue.treeName))
    }
  }

  /// Takes the entries away that other tables would have made otherwise.
  private func emptyIndexes(_ directory: String) throws {
    try changing(directory) { transaction, tree in
      let catalogue = try Catalogue.key.withUnsafeBytes { key in
        try Catalogue.decode(try #require(try transaction.get(tree, key)))
      }
      for entry in catalogue.types {
        for index in entry.indexes where index.dependsOnUnicode {
          try transaction.removeAll(try transaction.openDatabase(named: entry.indexTree(index)))
        }
      }
    }
  }

  @Test("are built again when the store is opened with other tables, and only then")
  func rebuilt() throws {
    try with { directory in
      try emptyIndexes(directory)
      let same = UnicodeStore(directory, 1)
      #expect(try same.found() == [0, 0, 1])
      same.close()
      let other = UnicodeStore(directory, 2)
      #expect(try other.found() == [1, 1, 1])
      #expect(try other.words() == 50)
      other.closeChecked()
      try emptyIndexes(directory)
      // A store that an earlier version of the library has written.
      try changing(directory) { transaction, tree in
        _ = try UnicodeTables.key.withUnsafeBytes { try transaction.delete(tree, $0) }
      }
      let again = UnicodeStore(directory, 2)
      #expect(try again.found() == [1, 1, 1])
      again.closeChecked()
    }
  }

  @Test("are not used by a store that is opened for reading only with other tables")
  func readOnly() throws {
    try with { directory in
      try emptyIndexes(directory)
      let store = UnicodeStore(directory, 2, isReadOnly: true)
      // Texts are compared one by one; what an index is needed for is an error.
      #expect(try store.found() == [1, 1, 1])
      #expect(try store.words() == 50)
      #expect(throws: FiefError.self) { try store.mostRelevant() }
      store.close()
    }
  }

  @Test("are not used by a process whose tables are others than those of the one that rebuilt them")
  func rebuiltByAnother() throws {
    try with { directory in
      let store = UnicodeStore(directory, 1)
      #expect(try store.found() == [1, 1, 1])
      try changing(directory) { transaction, tree in try UnicodeTables.store(9, tree, in: transaction) }
      for _ in 0..<2 {
        #expect(throws: FiefError.self) { try store.found() }
        #expect(throws: FiefError.self) { try store.write { _ in } }
      }
      store.close()
      let again = UnicodeStore(directory, 1)
      #expect(try again.found() == [1, 1, 1])
      again.closeChecked()
    }
  }

  @Test("are found out of date by a migration, and by tools")
  func migrated() throws {
    try with { directory in
      try emptyIndexes(directory)
      let dynamic = try DynamicStore(directory: directory + "/notes", isReadOnly: false)
      #expect(throws: FiefError.self) { try dynamic.write { _ in } }
      #expect(try dynamic.check().problems == [])
      dynamic.close()
      var store = UnicodeStore(directory, 3)
      store.schemaVersion = 2
      #expect(try store.found() == [1, 1, 1])
      store.closeChecked()
    }
  }

  @Test("the fingerprint is the same each time that it is made")
  func fingerprint() throws {
    #expect(UnicodeTables.makeFingerprint() == UnicodeTables.fingerprint)
    // The upper half is the hash.
    #expect(UnicodeTables.fingerprint >> 32 != 0)
    try with { directory in
      let store = UnicodeStore(directory, nil)
      #expect(try store.found() == [1, 1, 1])
      store.closeChecked()
      let dynamic = try DynamicStore(directory: directory + "/notes", isReadOnly: false)
      try dynamic.write { _ in }
      dynamic.close()
    }
  }
}
