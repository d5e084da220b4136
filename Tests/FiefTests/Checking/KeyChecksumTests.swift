import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// A record is whole under its own key only, and one that is damaged ends the write that reads it.
struct KeyChecksumTests {
  private let directory: TemporaryDirectory
  private let repository: WriteRepository

  init() throws {
    directory = try TemporaryDirectory()
    repository = .onDisk(directory)
    try repository.saveNow((1...3).map { WriteBook("\($0)", title: "title \($0)", pages: $0) })
  }

  /// Changes the records of the books, by their keys, below the library.
  private func change(
    _ type: String = "WriteBook",
    in store: String = "books",
    _ body: (inout [[UInt8]]) -> Void
  ) throws {
    repository.close()
    let environment = try LMDB.Environment.open(directory: directory[store], options: EnvironmentOptions())
    defer { environment.close() }
    try environment.write { transaction in
      let name = try #require(try transaction.databaseNames().first { $0.hasSuffix(".\(type)") })
      let tree = try transaction.openDatabase(named: name)
      let cursor = try transaction.cursor(tree)
      var (keys, records): ([[UInt8]], [[UInt8]]) = ([], [])
      while try cursor.next() {
        keys.append([UInt8](cursor.key))
        records.append([UInt8](cursor.value))
      }
      body(&records)
      for (key, record) in zip(keys, records) {
        try key.withUnsafeBytes { key in try record.withUnsafeBytes { try transaction.put(tree, key, $0) } }
      }
    }
  }

  private func code(_ body: () throws -> Void) -> FiefError.Code? {
    do { try body() } catch { return (error as? FiefError)?.code }
    return nil
  }

  @Test func aRecordUnderAnotherKeyIsDamaged() throws {
    try change { $0.swapAt(0, 1) }
    for isbn in ["1", "2"] {
      #expect(
        code {
          _ = try repository.store().read { try $0.object(ofType: WriteBook.self, forPrimaryKey: isbn) }
        } == .damagedRecord
      )
    }
    #expect(repository.book("3")?.pages == 3)
    #expect(try repository.check().problems.count { $0.contains("damagedRecord") } == 2)
    repository.close()
  }

  /// Records of formats up to 5 have checksums of their bytes alone.
  @Test func aRecordOfAnEarlierFormatIsRead() throws {
    try change { records in
      for index in records.indices {
        let checksum = records[index].withUnsafeBytes { RecordChecksum.compute(.init(rebasing: $0[4...])) }
        withUnsafeBytes(of: checksum.littleEndian) { records[index].replaceSubrange(0..<4, with: $0) }
      }
    }
    #expect(repository.book("2")?.pages == 2)
    try repository.store().write { transaction in
      try transaction.object(ofType: WriteBook.self, forPrimaryKey: "2")?.pages = 20
    }
    #expect(repository.book("2")?.pages == 20)
    repository.closeChecked(hasOldRecords: true)
  }

  @Test func aDamagedRecordInALoopEndsTheWrite() throws {
    try change { $0[1][$0[1].count - 1] ^= 1 }
    let failed = code {
      try repository.store().write { transaction in
        for book in transaction.objects(WriteBook.self) { book.pages = 100 }
      }
    }
    #expect(failed == .damagedRecord)
    #expect(repository.book("1")?.pages == 1)
    #expect(repository.book("3")?.pages == 3)
    repository.close()
  }

  /// Properties that a save leaves keep their bytes.
  @Test func aSaveOfOnePropertyLeavesADamagedRecordDamaged() throws {
    try change { $0[1][$0[1].count - 1] ^= 1 }
    let book = WriteBook()
    book.isbn = "2"
    book.title = "other"
    #expect(code { try repository.saveAndWait(entity: book, update: .assigned) } == .damagedRecord)
    #expect(
      code {
        _ = try repository.store().read { try $0.object(ofType: WriteBook.self, forPrimaryKey: "2") }
      } == .damagedRecord
    )
    #expect(try repository.check().problems.count { $0.contains("damagedRecord") } == 1)
    repository.close()
  }

  @Test func anInvalidatedCopyThatIsDamagedStaysDamaged() async throws {
    let copies = CopyRepository(directory: directory.path)
    try copies.saveAndWait(entity: CachedUser(1, "name", cachedAt: 1))
    copies.close()
    // The last byte is in the name; the date has a fixed place before it.
    try change("CachedUser", in: "copies") { $0[0][$0[0].count - 1] ^= 1 }
    let store = copies.store()
    let error = await #expect(throws: FiefError.self) {
      try await store.invalidate(type: CachedUser.self, key: 1)
    }
    #expect(error?.code == .damagedRecord)
    #expect(try copies.check().problems.count { $0.contains("damagedRecord") } == 1)
    copies.close()
  }
}

private struct CopyRepository: DatabaseConfigurable {
  var realmMemoryType = RealmMemoryType.inStorage
  var directory: String?
  var schemaName: String? = "copies"
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [CachedUser.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }
}
