import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// Stores on disk that are not what the repository expects: of other versions, damaged, or no stores.
struct BadFileTests {
  private let directory: TemporaryDirectory
  private let repository: WriteRepository

  init() throws {
    directory = try TemporaryDirectory()
    repository = WriteRepository.onDisk(directory)
  }

  private var data: String { directory["books/data.mdb"] }

  private func make() throws {
    for number in 0..<50 {
      let author = WriteAuthor("author \(number)")
      let book = WriteBook("\(number)", title: "title \(number)", pages: number)
      book.author = author
      book.cover = WriteCover(value: ["color": "COLOR-\(number)-COLOR"])
      author.books.append(book)
      try repository.saveNow([book])
    }
    repository.close()
  }

  private func opening(_ change: (inout BadRepository) -> Void) -> FiefError? {
    var other = BadRepository(
      realmMemoryType: .inStorage,
      schemaName: "books",
      directory: directory.path
    )
    change(&other)
    defer { other.close() }
    return other.store().openingError
  }

  /// The store is as it was made.
  private func expectUntouched() throws {
    #expect(repository.store().openingError == nil)
    #expect(try repository.count(WriteBook.self) == 50)
    #expect(repository.book("7")?.title == "title 7")
    #expect(try repository.check().problems == [])
    repository.close()
  }

  @Test func anotherSchemaOfTheSameVersionListsTheDifferences() throws {
    try make()
    let error = try #require(opening { $0.objectTypes = [OtherBook<Unlisted>.self, ModelHomeless.self] })
    #expect(error.code == .migrationRequired && error.store == "books")
    let expected = [
      "type WriteAuthor was removed", "type ModelHomeless was added", "WriteBook.title is no longer indexed",
      "WriteBook.pages was changed from Int to String", "WriteBook.language: String? was added",
      "WriteBook.author: WriteAuthor? was removed", "WriteBook.cover: WriteCover? was removed",
    ]
    for text in expected { #expect(error.details.contains(text), "\(text) is not in \(error.details)") }
    let warnings = error.details.filter { $0.hasPrefix("a higher version alone drops ") }
    #expect(warnings.count == 3 && error.details.count == expected.count + 3, "\(error.details)")
    try expectUntouched()
  }

  @Test func aLowerVersionIsRefused() throws {
    try make()
    let error = try #require(opening { $0.schemaVersion = 0 })
    #expect(error.code == .versionTooLow && error.store == "books")
    #expect(
      error.details.contains("the store's version: 1") && error.details.contains("the declared version: 0")
    )
    #expect(opening { $0.schemaVersion = nil }?.code == .versionTooLow)
    try expectUntouched()
  }

  @Test func aNewerFormatIsRefused() throws {
    try make()
    try changeCatalogue { $0.format = Catalogue.newestFormat + 1 }
    let before = try Data(contentsOf: URL(fileURLWithPath: data))
    let error = try #require(repository.store().openingError)
    #expect(error.code == .formatTooNew && error.store == "books")
    let text = error.details.joined(separator: " ")
    #expect(
      text.contains("\(Catalogue.newestFormat)") && text.contains("\(Catalogue.newestFormat + 1)"),
      "\(error)"
    )
    #expect(opening { $0.schemaVersion = 2 }?.code == .formatTooNew)
    #expect(try Data(contentsOf: URL(fileURLWithPath: data)) == before)
    try changeCatalogue { $0.format = Catalogue.currentFormat }
    try expectUntouched()
  }

  @Test func theFormatOfAnEncryptedStoreWithoutAHeaderIsDamage() throws {
    try make()
    try changeCatalogue { $0.format = Catalogue.encryptedFormat }
    let error = try #require(repository.store().openingError)
    #expect(error.code == .damagedStore && error.store == "books")
    try changeCatalogue { $0.format = Catalogue.currentFormat }
    try expectUntouched()
  }

  @Test func anOlderFormatIsRefused() throws {
    try make()
    try changeCatalogue { $0.format = Catalogue.oldestFormat - 1 }
    let before = try Data(contentsOf: URL(fileURLWithPath: data))
    let error = try #require(repository.store().openingError)
    #expect(error.code == .formatTooOld && error.store == "books")
    #expect(error.details.joined(separator: " ").contains("\(Catalogue.oldestFormat)"), "\(error)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: data)) == before)
    try changeCatalogue { $0.format = Catalogue.currentFormat }
    try expectUntouched()
  }

  /// The counter that gives new objects their keys has no checksum.
  @Test(arguments: [[UInt8](repeating: 0xFF, count: 7) + [0x7F], [UInt8](repeating: 0xFF, count: 8), [1, 2]])
  func aDamagedCounterOfRowIDsIsAnError(bytes: [UInt8]) throws {
    try make()
    let environment = try LMDB.Environment.open(directory: directory["books"], options: EnvironmentOptions())
    let tree = try #require(try environment.openDatabases([Catalogue.treeName], create: false)[0])
    try environment.write { transaction in
      let cursor = try transaction.cursor(tree)
      let isFound = try Array("rowid:".utf8).withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
      try #require(isFound && String(decoding: cursor.key, as: UTF8.self).hasPrefix("rowid:"))
      let key = [UInt8](cursor.key)
      try key.withUnsafeBytes { key in try bytes.withUnsafeBytes { try transaction.put(tree, key, $0) } }
    }
    environment.close()
    defer { repository.close() }
    let error = failure { try repository.saveNow([WriteAuthor("new")]) } as? FiefError
    #expect(error?.code == .damagedStore && error?.store == "books" && error?.type == "WriteAuthor")
    #expect(try repository.count(WriteAuthor.self) == 50)
    #expect(repository.book("7")?.author?.name == "author 7")
    // A number that is only too large is none that check() could recognise.
    #expect(try repository.check().problems.isEmpty == (bytes.last == 0x7F))
  }

  private func changeCatalogue(_ change: (inout Catalogue) -> Void) throws {
    let environment = try LMDB.Environment.open(directory: directory["books"], options: EnvironmentOptions())
    defer { environment.close() }
    let tree = try #require(try environment.openDatabases([Catalogue.treeName], create: false)[0])
    try environment.write { transaction in
      try Catalogue.key.withUnsafeBytes { key in
        // The format is the first field, so that every version of the library can read it.
        var bytes = [UInt8](try #require(try transaction.get(tree, key)))
        var catalogue = Catalogue(schemaVersion: 0)
        change(&catalogue)
        let format = withUnsafeBytes(of: catalogue.format.littleEndian) { [UInt8]($0) }
        let start = try #require(Self.formatOffset)
        bytes.replaceSubrange(start..<(start + 4), with: format)
        let checksum = bytes.dropLast(4).withUnsafeBytes { RecordChecksum.compute($0) }
        bytes.replaceSubrange(
          (bytes.count - 4)...,
          with: withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) }
        )
        try bytes.withUnsafeBytes { try transaction.put(tree, key, $0) }
      }
    }
  }

  /// The offset of the format in a catalogue: the first byte in which two that differ in it only differ.
  private static var formatOffset: Int? {
    var one = Catalogue(schemaVersion: 1)
    var two = one
    one.format = 0
    two.format = 0x0101_0101
    return zip(one.encoded(), two.encoded()).enumerated().first { $1.0 != $1.1 }?.offset
  }

  @Test func aFileInPlaceOfTheDirectoryIsRefused() throws {
    try Data("hello".utf8).write(to: URL(fileURLWithPath: directory["books"]))
    let error = try #require(repository.store().openingError)
    #expect(
      error.code == .cannotOpen && error.store == "books" && error.path?.hasSuffix("books") == true,
      "\(error)"
    )
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory["books"])) == Data("hello".utf8))
    try FileManager.default.removeItem(atPath: directory["books"])
    try make()
    try expectUntouched()
  }

  @Test func aDamagedFileIsAnErrorAndStaysAsItIs() throws {
    try make()
    let whole = try Data(contentsOf: URL(fileURLWithPath: data))
    let damages: [(String, (inout Data) -> Void)] = [
      ("text", { $0 = Data(repeating: 0x41, count: $0.count) }),
      ("truncated", { $0 = $0.prefix($0.count / 2) }),
      ("empty", { $0 = Data() }),
      ("no meta pages", { $0.replaceSubrange(0..<8192, with: Data(repeating: 0, count: 8192)) }),
    ]
    for (name, damage) in damages {
      var damaged = whole
      damage(&damaged)
      try damaged.write(to: URL(fileURLWithPath: data))
      let error = repository.store().openingError
      #expect(error?.code == .damagedStore, "\(name): \(String(describing: error))")
      #expect(error?.store == "books" && error?.path != nil, "\(name): \(String(describing: error))")
      #expect(code(failure { try repository.saveNow([WriteBook("1")], .all) }) == .damagedStore, "\(name)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: data)) == damaged, "\(name)")
    }
    try whole.write(to: URL(fileURLWithPath: data))
    try expectUntouched()
  }

  @Test func theEnvironmentOfSomebodyElseIsRefused() throws {
    let environment = try LMDB.Environment.open(directory: directory["books"], options: EnvironmentOptions())
    let tree = try #require(try environment.openDatabases(["theirs"], create: true)[0])
    try environment.write { transaction in
      try [UInt8]("key".utf8).withUnsafeBytes { try transaction.put(tree, $0, $0) }
    }
    environment.close()
    let error = try #require(repository.store().openingError)
    #expect(error.code == .damagedStore && error.store == "books", "\(error)")
    let again = try LMDB.Environment.open(directory: directory["books"], options: EnvironmentOptions())
    defer { again.close() }
    #expect(try again.read { try $0.databaseNames() } == ["theirs"])
  }

  @Test func aDamagedRecordIsNamedAndTheOthersAreRead() throws {
    try make()
    try FileDamage.flip(1, at: 2, of: Array("COLOR-7-COLOR".utf8), in: data)
    let events = Lock<[FiefError]>([])
    var observed = repository
    observed.storeOptions.eventHandler = { event in
      if case .failedRead(_, _, _, let error as FiefError) = event { events.withLock { $0.append(error) } }
    }
    func expectDamage(_ error: (any Error)?, _ what: String) {
      let error = error as? FiefError
      #expect(
        error?.code == .damagedRecord && error?.store == "books",
        "\(what): \(String(describing: error))"
      )
      #expect(error?.type == "WriteBook" && error?.key == "7", "\(what): \(String(describing: error))")
    }
    let repository = observed
    defer { repository.close() }
    // Functions that name the scope they read in throw.
    expectDamage(
      failure { try repository.read { try $0.object(ofType: WriteBook.self, forPrimaryKey: "7") } },
      "object"
    )
    expectDamage(failure { try repository.read { try $0.objects(WriteBook.self).all() } }, "all")
    expectDamage(
      failure {
        try repository.write { transaction in
          try transaction.object(ofType: WriteBook.self, forPrimaryKey: "7")?.title = "x"
        }
      },
      "write"
    )
    #expect(events.withLock { $0 }.isEmpty)
    // The rest leaves it out and reports it.
    #expect(repository.book("7") == nil)
    #expect(repository.isbns.count == 49 && !repository.isbns.contains("7"))
    let reported = events.withLock { $0 }
    #expect(reported.count == 3)
    for error in reported { expectDamage(error, "event") }
    #expect(try repository.count(WriteBook.self) == 50)
    let problems = try repository.check().problems
    #expect(problems.contains { $0.hasPrefix("WriteBook[7]") }, "\(problems)")
    // The store goes on: others are written, the damaged one can be replaced.
    try repository.saveNow([WriteBook("new")])
    try repository.saveNow([WriteBook("7", title: "mended")], .all)
    #expect(repository.book("7")?.title == "mended")
    #expect(try repository.check().problems == [])
  }

  @Test func aDamagedRecordCanBeDeleted() throws {
    try make()
    try FileDamage.flip(1, at: 2, of: Array("COLOR-9-COLOR".utf8), in: data)
    defer { repository.close() }
    try repository.deleteNow([WriteBook("9")])
    #expect(repository.isbns.count == 49)
    #expect(try repository.check().problems == [])
  }
}

final class ModelHomeless: Object {
  @Persisted var name: String
}
