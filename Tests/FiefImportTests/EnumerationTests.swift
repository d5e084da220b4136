import Fief
import FiefImport
import FiefTesting
import Foundation
import Testing

/// Imports of values that the types of properties cannot represent.
struct EnumerationTests {
  @Test(arguments: StoreKind.allCases) func aRawValueWithoutACaseIsAProblemOfItsLine(_ kind: StoreKind) throws
  {
    let library = try StoreFixture(LibraryRepository(), kind)
    let text = """
      {"id": 1, "format": "audio", "condition": 2, "formats": ["print", "audio"], "conditions": [1, 2]}
      {"id": 2, "format": "vinyl"}
      {"id": 3, "condition": 9}
      {"id": 4, "formats": ["print", "vinyl"]}
      {"id": 5, "conditions": [1, 9]}
      {"id": 6, "byShelf": {"a": "print", "b": "vinyl"}}
      {"id": 7, "label": {"format": "vinyl"}}
      {"id": 8, "format": "print", "condition": null, "byShelf": {"a": "audio"}, "label": {"format": "audio"}}
      {"id": 9, "condition": {"$numberInt": "9"}}
      """
    let result = try library.importObjectsAndWait(from: try FeedFile(text).url, of: Copy.self)
    #expect(result.inserted == 2 && result.problemCount == 7)
    let found = result.problems.sorted { $0.line < $1.line }
    #expect(found.map(\.line) == [2, 3, 4, 5, 6, 7, 9])
    #expect(
      found.map(\.error.property) == [
        "format", "condition", "formats", "conditions", "byShelf", "format", "condition",
      ]
    )
    #expect(found.allSatisfy { $0.error.code == .invalidValue })
    #expect(found.map(\.error.type) == ["Copy", "Copy", "Copy", "Copy", "Copy", "Label", "Copy"])
    let first = try #require(found.first)
    #expect(first.description.hasPrefix("line 2: Copy.format: ") && !first.description.contains("vinyl"))
    #expect(first.error.showingValues().details.contains { $0.contains("vinyl") })
    #expect(first.error.details.contains { $0.contains("a value of Format") })
    try expectContents(of: library, Copy.self, \.id, equal: [1, 8])
    #expect(try library.check().unknownValues == [])
  }

  @Test(arguments: StoreKind.allCases) func feedsOfRowsAndChangesRefuseUnknownValues(_ kind: StoreKind) throws
  {
    let library = try StoreFixture(LibraryRepository(), kind)
    let rows = "id,format,condition\n1,audio,2\n2,vinyl,1\n3,print,9\n4,print,\n"
    let result = try library.importObjectsAndWait(from: try FeedFile(rows, "csv").url, of: Copy.self)
    #expect(result.inserted == 2 && result.problems.map(\.line) == [3, 4])
    var options = ImportOptions()
    options.onConflict = .merge
    let lines = "{\"id\": 1, \"format\": \"vinyl\"}\n{\"id\": 4, \"format\": \"audio\"}\n"
    let merged = try library.importObjectsAndWait(
      from: try FeedFile(lines).url,
      of: Copy.self,
      options: options
    )
    #expect(merged.problems.map(\.line) == [1] && merged.problems.first?.error.property == "format")
    try expectContents(of: library, Copy.self, \.format, equal: [.audio, .audio])
    #expect(try library.check().unknownValues == [])
  }

  @Test(arguments: StoreKind.allCases) func omittedEnumerationsHaveTheDefaultOfTheirClass(_ kind: StoreKind)
    throws
  {
    let library = try StoreFixture(LibraryRepository(), kind)
    let text = """
      {"id": 1}
      {"id": 2, "condition": 2, "label": {}, "state": 2}
      {"id": 3, "format": "audio", "state": 1}
      """
    let result = try library.importObjectsAndWait(from: try FeedFile(text).url, of: Copy.self)
    #expect(result.inserted == 3 && result.problems.isEmpty)
    func copy(_ id: Int) throws -> Copy {
      try #require(try library.store().fetchObject(ofType: Copy.self, forPrimaryKey: id))
    }
    let copies = try (1...3).map(copy)
    #expect(copies.map(\.format) == [.print, .print, .audio])
    #expect(copies.map(\.condition) == [nil, .used, nil])
    #expect(copies.map(\.state) == [.used, .used, .new])
    #expect(copies.map(\.label?.format) == [nil, .print, nil])
    #expect(try library.check().unknownValues == [])
    // The policy `merge` keeps the stored value. The policy `replace` stores the default of the class.
    let expected: [(DynamicConflict, Condition)] = [(.merge, .new), (.replace, .used)]
    for (policy, state) in expected {
      var options = ImportOptions()
      options.onConflict = policy
      let again = try FeedFile("{\"id\": 3, \"format\": \"print\"}\n")
      _ = try library.importObjectsAndWait(from: again.url, of: Copy.self, options: options)
      #expect(try copy(3).state == state)
    }
    #expect(try library.check().unknownValues == [])
  }
}
