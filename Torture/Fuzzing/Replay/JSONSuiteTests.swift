import Fief
import FiefConsole
import Foundation
import Testing

@testable import FiefCore
@testable import FiefInspection

/// The rules of JSONTestSuite by Nicolas Seriot: documents `y_…` have to be accepted, `n_…` refused, `i_…` may be either.
@Suite struct JSONSuiteTests {
  private static func documents() throws -> [(name: String, bytes: [UInt8])] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Tests/Fixtures/JSONTestSuite.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    var documents = try lines.filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: " ")
      let data = try #require(Data(base64Encoded: words.count > 1 ? String(words[1]) : ""))
      return (name: String(words[0]), bytes: [UInt8](data))
    }
    documents.append(
      ("n_structure_100000_opening_arrays", Array(String(repeating: "[", count: 100_000).utf8))
    )
    let open = String(repeating: #"[{"":"#, count: 50_000) + "\n"
    documents.append(("n_structure_open_array_object", Array(open.utf8)))
    return documents
  }

  /// Whether a reader finds no error in the text itself; what the value may be is for the type.
  private func accepts(_ read: () throws -> Void) throws -> Bool {
    do {
      try read()
      return true
    } catch let error as FiefError {
      let codes: [FiefError.Code] = [
        .malformedJSON, .invalidValue, .missingValue, .missingPrimaryKey, .unknownType, .unknownProperty,
      ]
      #expect(codes.contains(error.code), "\(error)")
      return error.code != .malformedJSON
    }
  }

  /// Whether a document of the suite was treated as its name wants it.
  private func isRight(_ name: String, _ isAccepted: Bool) -> Bool {
    name.hasPrefix("n_") ? !isAccepted : name.hasPrefix("y_") ? isAccepted : true
  }

  private func check(_ name: String, _ isAccepted: Bool, _ reader: String) {
    #expect(isRight(name, isAccepted), "\(reader) \(isAccepted ? "accepts" : "refuses") \(name)")
  }

  /// The control: a reader of JSON5 accepts what JSON has not.
  @Test func theSuiteFindsALenientReader() throws {
    struct Anything: Decodable {
      // The text is read before.
      init(from decoder: any Decoder) {}
    }
    let reader = JSONDecoder()
    reader.allowsJSON5 = true
    let wrong = try Self.documents().compactMap { name, bytes in
      let value = try? reader.decode(Anything.self, from: Data(bytes))
      return isRight(name, value != nil) ? nil : name
    }
    #expect(wrong.contains("n_array_extra_comma"))
    #expect(wrong.contains("n_object_single_quote"))
  }

  @Test func allReadersFollowTheSuite() throws {
    let documents = try Self.documents()
    #expect(documents.filter { $0.name.hasPrefix("y_") }.count == 95)
    #expect(documents.filter { $0.name.hasPrefix("n_") }.count == 188)
    #expect(documents.filter { $0.name.hasPrefix("i_") }.count == 35)
    let repository = FuzzedRepository(name: "suite", realmMemoryType: .inStorage)
    try repository.open()
    defer { repository.close() }
    let store = try DynamicStore(directory: "\(FuzzPlace.directory)/suite", isReadOnly: false)
    defer { store.close() }
    for (name, bytes) in documents {
      var value: Any?
      let isAccepted = try accepts { value = try bytes.withUnsafeBytes { try JSONParser.parse($0) } as Any }
      check(name, isAccepted, "the parser")
      var isDone = false
      let isSaved = try accepts {
        try repository.saveAndWait(saveClass: FuzzedThing.self, jsonData: Data(bytes), update: true)
        isDone = true
      }
      #expect(!isDone || !name.hasPrefix("n_"), "\(name) is saved")
      // The objects before a mistake are read before it, and may be none.
      #expect(isSaved || !isAccepted, "saving \(name)")
      let isMember = try accepts {
        let document = Data(#"{"id":"a","unknown":"#.utf8) + Data(bytes) + Data("}".utf8)
        try repository.saveAndWait(saveClass: FuzzedThing.self, jsonData: document, update: true)
      }
      // A mark of the order of bytes may be at the beginning of a document only, and a bracket may be the closing one.
      if !name.hasPrefix("i_") { check(name, isMember, "a member") }
      let isLine = try accepts {
        try store.write { transaction in
          _ = try bytes.withUnsafeBytes {
            try transaction.put("FuzzedThing", line: $0, conflict: .replace, links: .leaveOut { _, _ in })
          }
        }
      }
      // A line may not have two members of one name.
      let isUnique = try accepts {
        _ = try bytes.withUnsafeBytes { try JSONParser.parse($0, acceptsDuplicates: false) }
      }
      #expect(isLine == isUnique && (isAccepted || !isUnique), "a line of an import \(name)")
      guard let value else { continue }
      let document = JSONChecks.document(value)
      for text in [document.line(), document.pretty()] {
        try JSONChecks.checkStrict(text)
        #expect(try JSONChecks.document(JSONParser.parse(text)) == document, "\(name)")
      }
    }
    #expect(try repository.check().problems == [])
  }

  @Test func theLastOfTwoMembersCounts() throws {
    for count in [1, 20] {
      let others = (0..<count).map { #""other\#($0)": 1, "# }.joined()
      let repository = FuzzedRepository(name: "twice", realmMemoryType: .inMemory(identifier: nil))
      defer { repository.close() }
      let text = #"{"id": "a", "# + others + #""id": "b"}"#
      try repository.saveAndWait(saveClass: FuzzedThing.self, jsonData: Data(text.utf8), update: true)
      #expect(try repository.store().objects(FuzzedThing.self).all().map(\.id) == ["b"])
    }
  }

  @Test(arguments: [
    "[", #"{"a":"#, #"{"id":"a","any":["#, #"{"id":"a","part":{"part":"#, #"[{"id":"a","best":"#,
  ])
  func aHundredThousandLevelsAreAnError(opening: String) throws {
    let repository = FuzzedRepository(name: "deep", realmMemoryType: .inMemory(identifier: nil))
    let closing = opening.reversed().compactMap { $0 == "[" ? "]" : $0 == "{" ? "}" : nil }.joined()
    let text =
      String(repeating: opening, count: 100_000) + #""x""# + String(repeating: closing, count: 100_000)
    let error = #expect(throws: FiefError.self) {
      try repository.saveAndWait(saveClass: FuzzedThing.self, jsonData: Data(text.utf8), update: true)
    }
    #expect(error?.code == .malformedJSON && error?.message == "The document is nested too deeply.")
    #expect(throws: FiefError.self) { try JSONParser.parse(text) }
  }
}
