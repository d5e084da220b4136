import Fief
import Foundation
import Testing

/// The places of backups: directories that are there, that are not, and that cannot be.
@Suite struct BackupPlaceTests {
  final class Page: Object {
    @Persisted(primaryKey: true) var id = 0
  }

  private struct Pages: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType
    var directory: String?
    var schemaName: String? { "pages" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Page.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func pages(_ inMemory: Bool) throws -> Pages {
    let pages = Pages(
      realmMemoryType: inMemory ? .inMemory(identifier: directory.path) : .inStorage,
      directory: inMemory ? nil : directory["own"]
    )
    try pages.write { tx in try tx.add(Page()) }
    return pages
  }

  @Test(arguments: [true, false]) func missingParentsAreMade(inMemory: Bool) throws {
    let pages = try pages(inMemory)
    defer { pages.closeChecked() }
    try pages.backup(to: directory["a/b/c/copy/"])
    let copy = Pages(realmMemoryType: .inStorage, directory: directory["a/b/c/copy"])
    #expect(try Store.schemaVersion(at: directory["a/b/c/copy"]) == 1)
    copy.close()
    let mode = try FileManager.default.attributesOfItem(atPath: directory["a/b"])[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test(arguments: [true, false]) func whatExistsIsSaidToExist(inMemory: Bool) throws {
    let pages = try pages(inMemory)
    defer { pages.closeChecked() }
    try pages.backup(to: directory["copy"])
    for path in ["copy", "copy/"] {
      let error = #expect(throws: FiefError.self) { try pages.backup(to: directory[path]) }
      #expect(error?.code == .cannotOpen && error?.message.contains("exists") == true)
      #expect(error?.path == directory["copy"])
    }
  }

  @Test func whatCannotBeMadeLeavesNothingBehind() throws {
    let pages = try pages(true)
    defer { pages.closeChecked() }
    try Data().write(to: URL(fileURLWithPath: directory["file"]))
    let error = #expect(throws: FiefError.self) { try pages.backup(to: directory["file/below/copy"]) }
    #expect(error?.code == .cannotOpen)
    #expect(throws: FiefError.self) { try pages.backup(to: "") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["file"])
  }
}
