import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

private struct SwiftSettings: PersistableCodable, Hashable {
  var theme = "light"
  var sizes = [10, 12]
  var weights: [String: Double] = [:]
}

/// Codable, but not when it says so.
private struct SwiftTrap: PersistableCodable, Hashable {
  var isSet = false

  func encode(to encoder: any Encoder) throws {
    if isSet { throw CancellationError() }
    var container = encoder.singleValueContainer()
    try container.encode(isSet)
  }

  init() {}
  init(from decoder: any Decoder) throws { isSet = try decoder.singleValueContainer().decode(Bool.self) }
}

private final class SwiftValue: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var tags: [String]
  @Persisted var scores: [String: Int]
  @Persisted var numbers: Set<Int>
  @Persisted var dates: [Date?] = [nil]
  @Persisted var home: URL
  @Persisted(indexed: true) var page: URL?
  @Persisted var links: List<URL>
  @Persisted(indexed: true) var small: UInt8
  @Persisted var medium: UInt16
  @Persisted var wide: UInt32
  @Persisted(indexed: true) var large: UInt64
  @Persisted var plain: UInt?
  @Persisted var settings: SwiftSettings
  @Persisted var more: SwiftSettings?
  @Persisted var history: List<SwiftSettings>
  @Persisted var trap: SwiftTrap
}

/// The same type of an older or a newer program.
private enum SwiftLater {
  final class SwiftNote: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var tags: [String]
    @Persisted var added: [Int] = [1, 2]
  }
}

private final class SwiftNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var tags: List<String>
}

private final class SwiftTarget: Object {
  @Persisted(primaryKey: true) var id = 0
}

private final class SwiftWrong: Object {
  @Persisted(primaryKey: true) var id: UInt64 = 0
  @Persisted var targets: [SwiftTarget]
  @Persisted var byName: [String: SwiftTarget?]
}

/// URLs, unsigned numbers, arrays, sets, dictionaries and Codable values as properties.
@Suite struct SwiftValueTests {
  private func sample(_ id: Int) throws -> SwiftValue {
    let value = SwiftValue()
    value.id = id
    value.tags = ["b", "a", "b"]
    value.scores = ["x": 1, "y": -2]
    value.numbers = [3, 1, 2]
    value.dates = [nil, Date(timeIntervalSince1970: 5)]
    value.home = try #require(URL(string: "https://example.org/a%20b?q=1#f"))
    value.page = URL(string: "mailto:a@b.c")
    value.links.append(value.home)
    value.small = 255
    value.medium = .max
    value.wide = .max
    value.large = .max
    value.plain = .max
    value.settings = SwiftSettings(theme: "da\"rk", sizes: [], weights: ["w": 0.1])
    value.more = SwiftSettings()
    value.history.append(SwiftSettings(theme: "old"))
    return value
  }

  private func expectSample(_ value: SwiftValue) throws {
    let sample = try sample(value.id)
    #expect(value.tags == sample.tags && value.scores == sample.scores)
    #expect(value.numbers == sample.numbers && value.dates == sample.dates)
    #expect(value.home == sample.home && value.page == sample.page)
    #expect(Array(value.links) == Array(sample.links))
    #expect(value.small == 255 && value.medium == .max && value.wide == .max)
    #expect(value.large == .max && value.plain == .max)
    #expect(value.settings == sample.settings && value.more == sample.more)
    #expect(Array(value.history) == Array(sample.history))
  }

  @Test(arguments: TypedPlace.allCases) func valuesComeBack(_ place: TypedPlace) throws {
    let store = try TypedStore(place, [SwiftValue.self])
    let unset = SwiftValue()
    unset.id = 1
    try store.put(unset, try sample(2))
    store.reopen()
    let empty = try #require(store.object(ofType: SwiftValue.self, forPrimaryKey: 1))
    #expect(empty.tags == [] && empty.scores == [:] && empty.numbers == [] && empty.dates == [nil])
    #expect(empty.home == URL(fileURLWithPath: "/") && empty.page == nil && empty.small == 0)
    #expect(empty.large == 0 && empty.plain == nil && empty.settings == SwiftSettings() && empty.more == nil)
    let found = try #require(store.object(ofType: SwiftValue.self, forPrimaryKey: 2))
    try expectSample(found)
    try expectSample(found.detached())
    // Values are changed as values, and saved with the object.
    found.tags.append("c")
    found.scores["x"] = nil
    found.numbers.insert(9)
    found.settings.sizes.append(1)
    try store.put([found], update: .modified)
    store.reopen()
    let changed = try #require(store.object(ofType: SwiftValue.self, forPrimaryKey: 2))
    #expect(changed.tags == ["b", "a", "b", "c"] && changed.scores == ["y": -2])
    #expect(changed.numbers == [1, 2, 3, 9] && changed.settings.sizes == [1])
    try store.store().write { transaction in
      let value = try #require(try transaction.object(ofType: SwiftValue.self, forPrimaryKey: 2))
      value.tags = []
      value.plain = 7
    }
    #expect(store.object(ofType: SwiftValue.self, forPrimaryKey: 2)?.tags == [])
    #expect(store.object(ofType: SwiftValue.self, forPrimaryKey: 2)?.plain == 7)
  }

  @Test(arguments: TypedPlace.allCases) func longArraysComeBack(_ place: TypedPlace) throws {
    let count = TestEffort.count(700, more: 5_000)
    let store = try TypedStore(place, [SwiftValue.self])
    let value = try sample(1)
    value.tags = (0..<count).map { "tag \($0)" }
    value.numbers = Set(0..<count)
    value.scores = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", $0) })
    let (tags, numbers, scores) = (value.tags, value.numbers, value.scores)
    try store.put(value)
    store.reopen()
    let found = try #require(store.object(ofType: SwiftValue.self, forPrimaryKey: 1))
    #expect(found.tags == tags && found.numbers == numbers && found.scores == scores)
    found.tags[7] = "other"
    try store.put([found], update: .modified)
    store.reopen()
    #expect(store.object(ofType: SwiftValue.self, forPrimaryKey: 1)?.tags[7] == "other")
    #expect(store.object(ofType: SwiftValue.self, forPrimaryKey: 1)?.tags.count == count)
    let last = "tag \(count - 1)"
    #expect(try store.store().objects(SwiftValue.self).where { $0.tags.contains(last) }.fetchCount() == 1)
    #expect(store.object(ofType: SwiftValue.self, forPrimaryKey: 1)?.scores == scores)
  }

  @Test(arguments: TypedPlace.allCases) func queriesLookIntoThem(_ place: TypedPlace) throws {
    let store = try TypedStore(place, [SwiftValue.self])
    let other = SwiftValue()
    other.id = 1
    other.small = 3
    other.large = 1 << 40
    try store.put(other, try sample(2))
    let all = store.store().objects(SwiftValue.self)
    let home = try sample(0).home
    func expect(_ results: Results<SwiftValue>, _ ids: [Int], _ location: SourceLocation = #_sourceLocation) {
      var found: [Int]?
      #expect(throws: Never.self, sourceLocation: location) { found = try results.all().map(\.id) }
      #expect(found == ids, sourceLocation: location)
    }
    expect(all.where { $0.tags.contains("a") }, [2])
    expect(all.where { $0.tags.count == 3 && $0.numbers.contains(3) }, [2])
    expect(all.where { $0.scores.contains(-2) }, [2])
    expect(all.where { $0.home == home }, [2])
    expect(all.where { $0.page == nil }, [1])
    expect(all.where { $0.small > 3 }, [2])
    expect(all.where { $0.large > UInt64(Int64.max) }, [2])
    expect(all.where { $0.large.in([1 << 40]) }, [1])
    expect(all.filter("ANY tags == 'b' AND numbers.@count == 3"), [2])
    expect(all.filter("small >= 255 AND large == 18446744073709551615"), [2])
    expect(all.filter("settings CONTAINS 'rk'"), [2])
    let (tag, small): (String, UInt8) = ("a", 255)
    expect(all.filter(#Predicate { $0.tags.contains(tag) && $0.small == small }), [2])
    expect(all.sorted(by: \.large, ascending: false), [2, 1])
    expect(all.sorted(by: \.small), [1, 2])
    #expect(try all.fetchMax(of: \.large) == .max)
  }

  @Test(arguments: TypedPlace.allCases) func documentsAndTheToolSeeThem(_ place: TypedPlace) throws {
    let store = try TypedStore(place, [SwiftValue.self])
    let document = """
      [{"id": 2, "tags": ["b", "a", "b"], "scores": {"x": 1, "y": -2}, "numbers": [1, 2, 3],
        "dates": [null, 5], "home": "https://example.org/a%20b?q=1#f", "page": "mailto:a@b.c",
        "links": ["https://example.org/a%20b?q=1#f"], "small": 255, "medium": 65535, "wide": 4294967295,
        "large": 18446744073709551615, "plain": 18446744073709551615,
        "settings": {"theme": "da\\"rk", "sizes": [], "weights": {"w": 0.1}},
        "more": "{\\"theme\\": \\"light\\", \\"sizes\\": [10, 12], \\"weights\\": {}}",
        "history": [{"theme": "old", "sizes": [10, 12], "weights": {}}]}]
      """
    try store.saveAndWait(saveClass: SwiftValue.self, jsonData: Data(document.utf8))
    store.reopen()
    try expectSample(try #require(store.object(ofType: SwiftValue.self, forPrimaryKey: 2)))
    for wrong in [
      #"{"id": 3, "small": 256}"#, #"{"id": 3, "small": -1}"#, #"{"id": 3, "large": 18446744073709551616}"#,
      #"{"id": 3, "tags": [1]}"#, #"{"id": 3, "settings": {"theme": 1}}"#, #"{"id": 3, "home": 5}"#,
    ] {
      let error = #expect(throws: FiefError.self, "\(wrong)") {
        try store.saveAndWait(saveClass: SwiftValue.self, jsonData: Data(wrong.utf8))
      }
      #expect(error?.code == .invalidValue, "\(wrong): \(String(describing: error))")
    }
    #expect(try store.count(SwiftValue.self) == 1)
    let made = SwiftValue(value: [
      "id": 2, "tags": ["b", "a", "b"], "small": 255, "numbers": Set([1, 2, 3]),
    ])
    #expect(made.tags == ["b", "a", "b"] && made.small == 255 && made.numbers == [1, 2, 3])
  }

  @Test(arguments: TypedPlace.allCases) func whatCannotBeEncodedFailsTheSave(_ place: TypedPlace) throws {
    let store = try TypedStore(place, [SwiftValue.self])
    let value = try sample(1)
    value.trap.isSet = true
    let error = #expect(throws: FiefError.self) { try store.put(value) }
    #expect(error?.code == .invalidValue && error?.type == "SwiftValue")
    #expect(try store.count(SwiftValue.self) == 0)
    value.trap.isSet = false
    try store.put(value)
    #expect(try store.count(SwiftValue.self) == 1)
  }

  @Test func aListBecomesAnArrayWithoutAMigration() throws {
    let directory = try TemporaryDirectory()
    struct Repository: DatabaseConfigurable {
      var realmMemoryType: RealmMemoryType { .inStorage }
      let schemaName: String? = "notes"
      let schemaVersion: UInt64?
      let objectTypes: [Object.Type]?
      var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
      let directory: String?
    }
    let old = Repository(schemaVersion: 1, objectTypes: [SwiftNote.self], directory: directory.path)
    let note = SwiftNote()
    note.tags.append(objectsIn: ["a", "b"])
    try old.saveAndWait(entity: note)
    old.closeChecked()
    let new = Repository(
      schemaVersion: 2,
      objectTypes: [SwiftLater.SwiftNote.self],
      directory: directory.path
    )
    let found = try #require(new.object(ofType: SwiftLater.SwiftNote.self, forPrimaryKey: 0))
    // The value is that of queries: the object is older than the property.
    #expect(found.tags == ["a", "b"] && found.added == [])
    new.closeChecked()
  }

  @Test func whatTheyCannotHoldSaysWhatToUse() throws {
    let error = #expect(throws: FiefError.self) {
      let repository = TestRepository(
        memoryType: .inMemory(identifier: nil),
        objectTypes: [SwiftWrong.self, SwiftTarget.self]
      )
      try repository.open()
    }
    #expect(error?.code == .invalidSchema)
    let text = error?.details.joined(separator: "\n") ?? ""
    #expect(text.contains("SwiftWrong.targets") && text.contains("use List<SwiftTarget>"))
    #expect(text.contains("SwiftWrong.byName") && text.contains("use Map<String, SwiftTarget"))
    #expect(text.contains("SwiftWrong.id: Decimal cannot be a primary key; Int, String"))
  }
}
