import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

final class SecretNote: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(index: .unique) var code: String?
  @Persisted var number = 0
}

/// Values may be secrets, and errors go to logs: they are in errors on request only.
@Suite struct HiddenValuesTests {
  private static let secret = "hunter2-äé"

  private func withNotes(_ kind: StoreKind, _ body: (any DatabaseConfigurable) throws -> Void) throws {
    let notes = try StoreFixture(TestRepository("notes", objectTypes: [SecretNote.self]), kind)
    try body(notes)
    notes.end()
  }

  private func expectHidden(
    _ error: FiefError?,
    _ code: FiefError.Code,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.code == code, sourceLocation: sourceLocation)
    guard let error else { return }
    let event = StoreEvent.failedRead(store: "notes", type: nil, property: nil, error: error)
    let texts = [
      "\(error)", error.details.joined(), EventText(event).lines(), ErrorAdvice(error).details.joined(),
      ErrorAdvice(error).place.map(\.value).joined(), error.message,
    ]
    for text in texts { #expect(!text.contains(Self.secret), sourceLocation: sourceLocation) }
    #expect("\(error.showingValues())".contains(Self.secret), sourceLocation: sourceLocation)
  }

  @Test(arguments: StoreKind.allCases) func keysAndValuesAreNotInErrorsOfWrites(_ kind: StoreKind) throws {
    try withNotes(kind) { notes in
      try notes.write { try $0.create(SecretNote.self, value: ["name": Self.secret, "code": Self.secret]) }
      let twice = #expect(throws: FiefError.self) {
        try notes.write { try $0.create(SecretNote.self, value: ["name": Self.secret]) }
      }
      expectHidden(twice, .duplicatePrimaryKey)
      #expect(twice?.key == Self.secret && twice?.description.contains("key: 10 characters") == true)
      let same = #expect(throws: FiefError.self) {
        try notes.write { try $0.create(SecretNote.self, value: ["name": "other", "code": Self.secret]) }
      }
      expectHidden(same, .duplicateValue)
      #expect(same?.details == ["the other object: 10 characters", "the value: 10 characters"])
      let wrong = #expect(throws: FiefError.self) {
        try notes.write { try $0.create(SecretNote.self, value: ["name": "x", "number": Self.secret]) }
      }
      expectHidden(wrong, .invalidValue)
      #expect(wrong?.details.last == "found: String of 10 characters")
    }
  }

  @Test func valuesAreNotInErrorsOfQueriesAndDocuments() throws {
    try withNotes(.inMemory) { notes in
      let results = try notes.objects(SecretNote.self)
      let text = #expect(throws: FiefError.self) {
        try results.filter("name == '\(Self.secret)' name").all()
      }
      expectHidden(text, .malformedQuery)
      #expect(text?.details.contains("name == '••••••••••' name") == true)
      let literal = #expect(throws: FiefError.self) { try results.filter("name '\(Self.secret)'").all() }
      expectHidden(literal, .malformedQuery)
      var document: FiefError?
      do {
        let object = ["name": "x", "number": Self.secret]
        let data = try JSONSerialization.data(withJSONObject: object)
        _ = try StoreFixture(
          TestRepository("others", objectTypes: [SecretNote.self]),
          seed: .json(SecretNote.self, data)
        )
      } catch { document = error as? FiefError }
      expectHidden(document, .invalidValue)
      let id = #expect(throws: FiefError.self) { try ObjectId(string: Self.secret) }
      expectHidden(id, .invalidValue)
    }
  }

  private struct OwnError: Error { let token: String }

  @Test func errorsOfTheApplicationAreNotDumped() {
    let error = FiefError(.migrationFailed, "It failed.", underlying: OwnError(token: Self.secret))
    expectHidden(error, .migrationFailed)
    #expect("\(error)".contains("OwnError"))
    let deep = FiefError(.storage, "Outside.", underlying: error)
    expectHidden(deep, .storage)
    let system = NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC))
    #expect("\(FiefError(.storeFull, "Full.", underlying: system))".contains("No space left"))
  }

  @Test func linesCanBeJoinedAndCut() {
    let line = "a " + HiddenValue.text("1\u{FFFA}2", summary: "…") + " b " + HiddenValue.text("three")
    #expect(HiddenValue.resolved(line, isShown: true) == "a 12 b three")
    #expect(HiddenValue.resolved(line, isShown: false) == "a … b 5 characters")
    #expect(HiddenValue.resolved(String(line.prefix(5)), isShown: false) == "a ")
    #expect(HiddenValue.resolved("plain", isShown: false) == "plain")
  }
}
