import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

/// Directories, names, closing, copies: what happens around a store.
@Suite struct StorePlaceTests {
  private let types: [Object.Type] = [PlaceBook.self, PlaceAuthor.self]

  private func withDirectory(_ name: String = "stores", _ body: (String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    try body(root.appendingPathComponent(name).path)
  }

  private func fill(_ repository: some DatabaseConfigurable, _ count: Int) throws {
    try repository.write { transaction in
      let author = PlaceAuthor("Austen")
      try transaction.add(author, update: .all)
      for index in 0..<count {
        let book = PlaceBook("isbn \(index)", "Title \(index)")
        book.author = author
        try transaction.add(book)
      }
    }
  }

  @Test(arguments: ["with spaces in it", "Bücher", "本の店", "🐕 dogs", "a'b\"c", "%20 not escaped"])
  func namesAndDirectoriesOfAllSortsWork(_ name: String) throws {
    try withDirectory("my \(name)/läden") { directory in
      let repository = TestRepository(name, in: directory, objectTypes: types)
      defer { repository.close() }
      try fill(repository, 3)
      #expect(FileManager.default.fileExists(atPath: "\(directory)/\(name)/data.mdb"))
      repository.close()
      try expectCount(of: repository, PlaceBook.self, 3)
      try repository.compact()
      let copy = directory + "/copy of \(name)"
      try repository.backup(to: copy)
      #expect(FileManager.default.fileExists(atPath: copy + "/data.mdb"))
      try repository.deleteStore()
      #expect(!FileManager.default.fileExists(atPath: "\(directory)/\(name)"))
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "/absolute", "../up", "a\0b", String(repeating: "x", count: 300)])
  func namesThatArePathsEmptyOrTooLongAreRefused(_ name: String) throws {
    try withDirectory { directory in
      let repository = TestRepository(name, in: directory, objectTypes: types)
      #expect(repository.store().openingError?.code == .invalidStoreName)
      #expect(repository.queryAll(returningClass: PlaceBook.self) == nil)
      let error = #expect(throws: FiefError.self) { try repository.count(PlaceBook.self) }
      #expect(error?.code == .invalidStoreName)
      #expect(!FileManager.default.fileExists(atPath: directory))
    }
  }

  @Test(arguments: StoreKind.allCases) func closingAndOpeningAgain(_ kind: StoreKind) throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: types), kind)
    try fill(fixture, 10)
    let store = fixture.store()
    let results = store.objects(PlaceBook.self)
    let book = try #require(fixture.object(ofType: PlaceBook.self, forPrimaryKey: "isbn 3"))
    fixture.close()
    fixture.close()
    // Values that were read stay; values that would have to be read are not there; nothing traps.
    #expect(book.title == "Title 3")
    let events = withExpectedEvents {
      #expect(book.author == nil)
      #expect(results.count == 0 && results.first == nil && Array(results).isEmpty)
    }
    #expect(events.allSatisfy { $0.failure?.code == .storeClosed } && events.count == 4)
    let error = #expect(throws: FiefError.self) { try store.write { try $0.add(PlaceBook("late")) } }
    #expect(error?.code == .storeClosed)
    #expect(throws: FiefError.self) { try results.all() }
    // The repository opens it again, with a new handle.
    try expectCount(of: fixture, PlaceBook.self, 10)
    #expect(fixture.store() !== store)
    let again = try #require(fixture.object(ofType: PlaceBook.self, forPrimaryKey: "isbn 3"))
    #expect(again.author?.name == "Austen" && again.author?.books.count == 10)
  }

  @Test func closingWhileOthersWriteLosesNothingThatWasReported() async throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: types), .onDisk)
    let saved = await withTaskGroup(of: String?.self) { group in
      for index in 0..<200 {
        group.addTask {
          let isSaved = try? await fixture.save(entity: PlaceBook("\(index)"), update: false)
          return isSaved == true ? "\(index)" : nil
        }
        if index % 40 == 20 {
          group.addTask {
            fixture.close(); return nil
          }
        }
      }
      return await group.reduce(into: [String]()) { if let isbn = $1 { $0.append(isbn) } }
    }
    for isbn in saved { #expect(try fixture.exists(PlaceBook.self, forPrimaryKey: isbn), "\(isbn)") }
    try expectCount(of: fixture, PlaceBook.self, saved.count)
  }

  @Test(arguments: StoreKind.allCases) func backupsAreStores(_ kind: StoreKind) throws {
    var options = StoreOptions()
    options.encryption = kind.ownEncryption
    let fixture = try StoreFixture(TestRepository(objectTypes: types, options: options), kind)
    try fill(fixture, 500)
    try withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try fixture.backup(to: directory + "/test")
      let copy = TestRepository("test", in: directory, objectTypes: types, options: options)
      defer { copy.close() }
      try expectContents(
        of: copy,
        PlaceBook.self,
        equal: Array(fixture.store().objects(PlaceBook.self).all())
      )
      #expect(try copy.check().problems == [])
      let error = #expect(throws: FiefError.self) { try fixture.backup(to: directory + "/test") }
      #expect(error?.code == .cannotOpen)
      try expectCount(of: copy, PlaceBook.self, 500)
    }
  }

  @Test(arguments: StoreKind.allCases) func compactingMakesTheFileSmallAndKeepsItsContents(_ kind: StoreKind)
    throws
  {
    let fixture = try StoreFixture(TestRepository(objectTypes: types), kind)
    let count = TestEffort.count(1_500, more: 5_000)
    try fill(fixture, count)
    try fixture.write { transaction in
      for index in 0..<(count - 100) {
        if let book = try transaction.object(ofType: PlaceBook.self, forPrimaryKey: "isbn \(index)") {
          try transaction.delete(book)
        }
      }
    }
    let before = try fixture.overview().fileSize
    try fixture.compact()
    let after = try fixture.overview()
    #expect(after.fileSize < before / 4, "\(before) to \(after.fileSize)")
    try expectCount(of: fixture, PlaceBook.self, 100)
    #expect(fixture.object(ofType: PlaceAuthor.self, forPrimaryKey: "Austen")?.books.count == 100)
    try fill(fixture, 10)
  }

  @Test(arguments: StoreKind.allCases) func deletingAStoreBeginsAnew(_ kind: StoreKind) throws {
    let fixture = try StoreFixture(TestRepository(version: 2, objectTypes: types), kind)
    try fill(fixture, 5)
    let directory = try #require(fixture.store().directory)
    try fixture.deleteStore()
    #expect(!FileManager.default.fileExists(atPath: directory))
    try fixture.deleteStore()
    try expectCount(of: fixture, PlaceBook.self, 0)
  }

  @Test func theStoreCarriesTheErrorOfItsOpening() throws {
    try withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: directory + "/file", contents: Data("x".utf8))
      let repository = TestRepository("file", in: directory, objectTypes: types)
      let store = repository.store()
      #expect(store.openingError?.code == .cannotOpen)
      #expect(store.openingError?.store == "file")
      #expect(store.openingError?.path == directory + "/file")
      #expect(store.directory == nil)
      #expect(store.objects(PlaceBook.self).count == 0)
      #expect(store.object(ofType: PlaceBook.self, forPrimaryKey: "1") == nil)
      for body in [{ try store.write { store.add(PlaceBook("1")) } }, { try store.read { _ in } }] {
        let error = #expect(throws: FiefError.self) { try body() }
        #expect(error?.code == .cannotOpen)
      }
      let failure = #expect(throws: FiefError.self) { try repository.saveAndWait(entity: PlaceBook("1")) }
      #expect(failure?.code == .cannotOpen && failure?.store == "file")
      // The next use tries again.
      try FileManager.default.removeItem(atPath: directory + "/file")
      defer { repository.close() }
      #expect(repository.store().openingError == nil)
    }
  }

  @Test(arguments: StoreKind.allCases) func versionsAndMigrationsAreEnforced(_ kind: StoreKind) throws {
    let later: [Object.Type] = [PlaceLater.PlaceBook.self, PlaceAuthor.self]
    var options = StoreOptions()
    options.encryption = kind.ownEncryption
    let fixture = try StoreFixture(TestRepository(version: 1, objectTypes: types, options: options), kind)
    try fixture.write { try $0.add(PlaceBook("1", "Emma")) }
    fixture.close()
    let directory = try #require(fixture.directory)
    let same = TestRepository("test", in: directory, version: 1, objectTypes: later, options: options)
    #expect(same.store().openingError?.code == .migrationRequired)
    #expect(same.store().openingError?.details == ["PlaceBook.pages: Int was added"])
    let next = TestRepository("test", in: directory, version: 2, objectTypes: later, options: options) {
      migration,
      old in
      guard old == 1 else { throw FiefError(.migrationFailed, "Not from version 1.") }
      migration.enumerateObjects(ofType: "PlaceBook") { _, new in new?["pages"] = 300 }
    }
    try expectContents(of: next, PlaceLater.PlaceBook.self, \.pages, equal: [300])
    next.close()
    #expect(fixture.store().openingError?.code == .versionTooLow)
    try fixture.deleteStore()
  }
}
