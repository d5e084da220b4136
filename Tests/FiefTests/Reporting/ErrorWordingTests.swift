import Fief
import FiefTesting
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// The words of errors and events.
@Suite struct ErrorWordingTests {
  final class Numbered: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var names: [String] = []
  }
  final class Named: Object {
    @Persisted(primaryKey: true) var name = ""
  }

  private func fixture(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    try StoreFixture(TestRepository(objectTypes: [Numbered.self, Named.self]), kind)
  }

  @Test(arguments: StoreKind.allCases) func keysAreTheirTexts(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let wrong = #expect(throws: FiefError.self) {
      try fixture.store().fetchObject(ofType: Numbered.self, forPrimaryKey: "x")
    }
    #expect(wrong?.code == .invalidValue && wrong?.key == "x")
    #expect(wrong?.description.contains("key: 1 character,") == true)
    #expect(wrong?.showingValues().description.contains("key: x,") == true)
    for error in [wrong, wrong?.showingValues()] {
      let texts = [error?.key, error?.description, error?.details.joined()].compactMap(\.self).joined()
      #expect(!texts.unicodeScalars.contains { (0xFFF9...0xFFFB).contains($0.value) })
    }
    let name = String(repeating: "n", count: 600)
    let long = #expect(throws: FiefError.self) {
      try fixture.store().fetchObject(ofType: Named.self, forPrimaryKey: name)
    }
    #expect(long?.code == .primaryKeyTooLong && long?.key == name)
    #expect(long?.description.contains("key: 600 characters") == true)
    #expect(try fixture.check().problems.isEmpty)
  }

  /// The advice of an event is in front of the lines that it calls "below".
  @Test func adviceIsAboveItsLines() throws {
    let error = FiefError(
      .duplicateValue,
      "Taken.",
      store: "pets",
      type: "Dog",
      details: ["the other object: Rex"]
    )
    let lines = EventText(.failedWrite(store: "pets", error: error)).lines().split(separator: "\n")
    let advice = try #require(lines.firstIndex { $0.contains("the lines below") })
    let detail = try #require(lines.firstIndex { $0.contains("the other object") })
    #expect(advice == 1 && advice < detail)
  }

  @Test func changedSchemaHasOneAdvice() throws {
    let error = FiefError(.schemaChanged, "Another process has migrated the store.", store: "pets")
    let advice = ErrorAdvice(error)
    #expect(advice.next.contains("Close the store and open it again") && advice.kind == .refused)
    // The event has the same words, and so has the guide.
    #expect(
      EventText(.failedWrite(store: "pets", error: error)).lines().contains(
        "Close the store and open it again"
      )
    )
    let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Fief/Fief.docc/ErrorsEventsAndLogging.md")
    let row = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n")
      .first { $0.hasPrefix("| `schemaChanged` |") }
    #expect(row?.contains("close it, and open it again") == true)
  }

  @Test func readOnlyFileSystemNamesTheOption() {
    let error = FiefError(LMDBError(.readOnly, path: "/mnt/pets", returnCode: EROFS))
    #expect(error.code == .readOnlyStore && error.message.contains("isReadOnly"))
    #expect(!error.message.contains("was opened for reading only"))
    #expect(ErrorAdvice(error).next.contains("isReadOnly"))
    #expect(FiefError(LMDBError(.readOnly)).message == "The store was opened for reading only.")
  }

  #if os(Linux)
    @Test func directoryOfAnotherUserIsSaidToBeClosed() throws {
      let directory = try TemporaryDirectory()
      let closed = directory["closed"]
      try FileManager.default.createDirectory(atPath: closed + "/stores", withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed) }
      let (lines, _) = try CrashChild("other-user", closed + "/stores").finish()
      #expect(
        lines == ["cannotOpen The system refuses access to the directory or one of its parents."]
      )
    }
  #endif

  @Test(arguments: StoreKind.allCases) func objectOfADeletedStore(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let object = Numbered()
    try fixture.write { try $0.add(object) }
    let held = try #require(fixture.store().objects(Numbered.self).first)
    try fixture.deleteStore()
    held.names = ["changed"]
    let uses: [() throws -> Void] = [
      { try fixture.write { try $0.add(held, update: .all) } },
      { try fixture.saveAndWait(entity: held, update: true) },
    ]
    for use in uses {
      let error = #expect(throws: FiefError.self) { try use() }
      #expect(error?.code == .foreignObject && error?.message.contains("closed or deleted") == true)
      #expect(error?.details == ["read from: \(error?.store ?? "") (closed or deleted)"])
    }
    #expect(try fixture.check().problems.isEmpty)
  }

  @Test(arguments: StoreKind.allCases) func nestedWriteSaysWhatToDo(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let error = #expect(throws: FiefError.self) {
      try fixture.write { _ in try fixture.write { try $0.add(Numbered()) } }
    }
    #expect(error?.code == .nestedWrite && error?.message.contains("use the transaction of") == true)
    #expect(ErrorAdvice(error ?? FiefError(.storage, "")).next.contains("in the write that is running"))
    #expect(try fixture.check().problems.isEmpty)
  }

  /// As the documentation of `close()` says.
  @Test(arguments: StoreKind.allCases) func useAfterCloseOpensAgain(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    try fixture.write { try $0.add(Numbered()) }
    let store = fixture.store()
    fixture.close()
    // A fixture keeps the files of its store in memory until it ends.
    #expect(try fixture.count(Numbered.self) == 1)
    let error = #expect(throws: FiefError.self) { try store.write { try $0.add(Numbered()) } }
    #expect(error?.code == .storeClosed)
    #expect(try fixture.check().problems.isEmpty)
  }
}
