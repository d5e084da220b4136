import ChildProcesses
import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// The output of failures that were not thrown, where an application has no event handler.
@Suite struct UnhandledEventsTests {
  private func misuse(_ message: String, store: String = "pets") -> StoreEvent {
    .misuse(FiefError(.transactionEnded, message, store: store))
  }

  @Test func eachPlaceAndKindIsToldOnceAndAgainAtPowersOfTen() {
    let written = Lock<[String]>([])
    let events = UnhandledEvents { text in
      written.withLock { $0.append(text) }
      return true
    }
    for _ in 0..<1234 { events.tell(misuse("One.")) }
    events.tell(misuse("Two."))
    events.tell(misuse("One.", store: "books"))
    events.tell(
      .failedRead(store: "pets", type: "Dog", property: nil, error: FiefError(.damagedRecord, "Three."))
    )
    let lines = written.withLock { $0 }.compactMap { $0.split(separator: "\n").first.map(String.init) }
    let wrong = "the library was used incorrectly and did nothing"
    #expect(
      lines == [
        "fief: pets: \(wrong): One.", "fief: pets: \(wrong): One. (10 times so far)",
        "fief: pets: \(wrong): One. (100 times so far)", "fief: pets: \(wrong): One. (1000 times so far)",
        "fief: pets: \(wrong): Two.", "fief: books: \(wrong): One.",
        "fief: pets: a read failed and returned nothing: The store is damaged: "
          + "something other than the library changed its files, or the disk is failing.",
      ]
    )
  }

  @Test func memoryAndOutputAreBounded() {
    let written = Lock(0)
    let events = UnhandledEvents { _ in
      written.withLock { $0 += 1 }
      return true
    }
    for number in 0..<10_000 { events.tell(misuse("Place \(number).")) }
    // 256 places, and four lines for the rest.
    #expect(written.withLock { $0 } == EventTally.limit + 4)
  }

  @Test func whatCouldNotBeWrittenIsToldTheNextTime() {
    let written = Lock<[Bool]>([])
    let events = UnhandledEvents { _ in
      written.withLock { written in
        written.append(written.count > 1)
        return written.count > 2
      }
    }
    for _ in 0..<5 { events.tell(misuse("One.")) }
    #expect(written.withLock { $0.count } == 3)
  }

  @Test func aTextIsALineWithIndentedDetails() {
    let error = FiefError(
      .migrationRequired,
      "The declared schema differs.",
      store: "pets",
      type: "Dog",
      details: ["added:\nDog.age\u{1B}[2J"]
    )
    let text = EventText(.failedOpening(store: "pets", error: error)).lines()
    let lines = text.split(separator: "\n")
    #expect(
      lines.first
        == "fief: pets: the store could not be opened and reads as empty: The declared schema differs."
    )
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") } && text.hasSuffix("\n"))
    #expect(text.contains("code: migrationRequired") && text.contains("type: Dog"))
    #expect(text.contains("raise") && text.contains("eventHandler") && !text.contains("\u{1B}"))
  }
}

/// The uses of a store that are events, and those that throw.
@Suite struct SilentFailureTests {
  private struct Shelf: DatabaseConfigurable {
    var directory: String?
    var schemaVersion: UInt64? = 1
    var objectTypes: [Object.Type]? = [PlaceBook.self, PlaceAuthor.self]
    var storeOptions = StoreOptions()
    let seen = Lock<[StoreEvent]>([])
    var realmMemoryType: RealmMemoryType
    var schemaName: String? { "silent-shelf" }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }

    init(_ directory: String?) {
      self.directory = directory
      realmMemoryType = directory == nil ? .inMemory(identifier: "\(UUID())") : .inStorage
      storeOptions.eventHandler = { [seen] event in
        if event.isFailure { seen.withLock { $0.append(event) } }
      }
    }

    /// The codes of the failures since the last call.
    func codes() -> [FiefError.Code?] {
      seen.withLock { seen in
        defer { seen = [] }
        return seen.map { $0.failure?.code }
      }
    }
  }

  private func withShelf(onDisk: Bool, _ body: (Shelf) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let shelf = Shelf(onDisk ? root : nil)
    try body(shelf)
    #expect(try shelf.check().problems.isEmpty)
    shelf.close()
  }

  @Test(arguments: [true, false]) func aQueryThatCannotBeAskedIsAnEvent(onDisk: Bool) throws {
    try withShelf(onDisk: onDisk) { shelf in
      try shelf.open()
      try shelf.write { try $0.add(PlaceBook("1", "one")) }
      let books = try shelf.objects(PlaceBook.self)
      #expect(shelf.codes() == [])
      #expect(books.filter("titel = 'one'").count == 0)
      #expect(shelf.codes() == [.unknownProperty])
      #expect(books.filter("title = ").first == nil)
      #expect(shelf.codes() == [.malformedQuery])
      for _ in books.filter("title = ") {}
      #expect(shelf.codes() == [.malformedQuery])
      #expect(shelf.object(ofType: PlaceBook.self, forPrimaryKey: 3.5) == nil)
      #expect(shelf.codes().count == 1)
      #expect(shelf.queryAll(returningClass: WriteBook.self) == nil)
      #expect(shelf.codes() == [.unknownType])
      shelf.store().add(PlaceBook("2", "two"))
      #expect(shelf.codes() == [.transactionEnded])
      #expect(books.sorted(byKeyPath: "titel").map(\.title) == [])
      #expect(shelf.codes() == [.unknownProperty])

      // The forms that throw are no events.
      #expect(throws: FiefError.self) { try books.filter("titel = 'one'").fetchCount() }
      #expect(throws: FiefError.self) { try books.filter("title = ").all() }
      #expect(throws: FiefError.self) { try shelf.fetchObject(ofType: PlaceBook.self, forPrimaryKey: 3.5) }
      #expect(throws: FiefError.self) { try shelf.objects(WriteBook.self) }
      #expect(try shelf.fetchObject(ofType: PlaceBook.self, forPrimaryKey: "1")?.title == "one")
      #expect(try shelf.fetchObject(ofType: PlaceBook.self, forPrimaryKey: "2") == nil)
      #expect(shelf.codes() == [])
    }
  }

  @Test func everyUseOfAStoreThatCannotBeOpenedIsAnEvent() throws {
    try withShelf(onDisk: true) { shelf in
      try shelf.write { try $0.add(PlaceBook("1", "one")) }
      shelf.close()
      var changed = shelf
      changed.objectTypes = [PlaceBook.self, PlaceAuthor.self, PlaceShop.self]
      #expect(#expect(throws: FiefError.self) { try changed.open() }?.code == .migrationRequired)
      #expect(throws: FiefError.self) { try changed.objects(PlaceBook.self) }
      #expect(throws: FiefError.self) { try changed.count(PlaceBook.self) }
      #expect(shelf.codes() == [])
      #expect(changed.queryAll(returningClass: PlaceBook.self) == nil)
      #expect(changed.object(ofType: PlaceBook.self, forPrimaryKey: "1") == nil)
      let books = changed.store().objects(PlaceBook.self)
      #expect(books.count == 0 && books.first == nil && books.isEmpty)
      for _ in books {}
      changed.store().add(PlaceBook("2", "two"))
      let events = shelf.seen.withLock { $0 }
      #expect(shelf.codes() == Array(repeating: .migrationRequired, count: 7))
      #expect(events.allSatisfy { if case .failedOpening("silent-shelf", _) = $0 { true } else { false } })
    }
  }
}

final class PlaceShop: Object {
  @Persisted(primaryKey: true) var name = ""
}

/// Standard error of a process without an event handler.
@Suite struct StandardErrorTests {
  /// Calls a closure with the path of a program and the arguments that have it fail on a store of its own.
  private func withProgram<Result>(
    _ mode: String,
    _ body: (String, [String]) throws -> Result
  ) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())")
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(ChildProcess.built("fief-legacy-child"), [directory.path, mode])
  }

  @Test func failuresAreWrittenOnceForEachPlace() throws {
    let outcome = try withProgram("events") { try ChildProcess.run($0, $1) }
    let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("fief: ") }
    #expect(outcome.status == 0 && outcome.output == "done\n")
    #expect(lines.count == 4, "\(outcome.errors)")
    #expect(lines.first?.hasPrefix("fief: default: a read failed and returned nothing") == true)
    #expect(lines.dropFirst().first?.hasSuffix("(10 times so far)") == true)
    #expect(lines.contains { $0.contains("used incorrectly") })
    #expect(outcome.errors.contains("nmae") && outcome.errors.contains("type: Cat"))
  }

  @Test func silentEndsIt() throws {
    let outcome = try withProgram("silent") { try ChildProcess.run($0, $1) }
    #expect(outcome.status == 0 && outcome.output == "done\n" && outcome.errors == "")
  }

  @Test func aReaderThatHasGoneDoesNotEndTheProcess() throws {
    try withProgram("events") { program, arguments in
      let child = try ChildProcess(program, arguments, output: .pipe, errors: .pipe)
      child.errors.close()
      #expect(try child.output.rest() == "done\n")
      #expect(child.wait() == .exited(0))
    }
  }
}
