import Fief
import FiefTesting
import Foundation
import Testing

/// A raw value that no case has is refused wherever the class is known.
@Suite("Raw values that are given") struct EnumValueTests {
  enum Mood: String, PersistableEnum { case calm, wild }
  enum Size: Int, PersistableEnum { case small = 1, large }

  final class Moods: EmbeddedObject {
    @Persisted var mood = Mood.calm
  }

  final class Moody: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var mood = Mood.calm
    @Persisted var former: Mood?
    @Persisted var size = Size.small
    @Persisted var moods: List<Mood>
    @Persisted var sizes: List<Size>
    @Persisted var byName: Map<String, Mood>
    @Persisted var part: Moods?
    @Persisted var next: Moody?
  }

  private static let wrong: [(property: String, value: any Sendable, json: String)] = [
    ("mood", "bogus", #""bogus""#), ("former", "bogus", #""bogus""#), ("size", 7, "7"),
    ("moods", ["calm", "bogus"], #"["calm","bogus"]"#), ("sizes", [1, 7], "[1,7]"),
    ("byName", ["x": "bogus"], #"{"x":"bogus"}"#), ("part", ["mood": "bogus"], #"{"mood":"bogus"}"#),
  ]

  private func expect(
    _ error: FiefError?,
    _ property: String,
    hasStore: Bool,
    key: String? = "3",
    _ comment: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.code == .invalidValue, "\(comment) \(property)", sourceLocation: sourceLocation)
    #expect(
      error?.property == (property == "part" ? "mood" : property),
      "\(comment) \(property)",
      sourceLocation: sourceLocation
    )
    #expect(
      error?.type == (property == "part" ? "Moods" : "Moody"),
      "\(comment) \(property)",
      sourceLocation: sourceLocation
    )
    let expected = error?.details.first { $0.hasPrefix("expected: ") }
    #expect(
      expected?.hasPrefix("expected: a case of ") == true,
      "\(comment) \(property)",
      sourceLocation: sourceLocation
    )
    #expect(error?.key == key, "\(comment) \(property)", sourceLocation: sourceLocation)
    if hasStore {
      #expect(error?.store == "test", "\(comment) \(property)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: StoreKind.allCases) func areRefused(_ kind: StoreKind) throws {
    let repository = TestRepository(objectTypes: [Moody.self], embedded: [Moods.self])
    let store = try StoreFixture(repository, kind)
    try store.saveAndWait(entity: Moody(value: ["id": 3, "mood": "wild", "moods": ["wild"]]))
    for (property, value, json) in Self.wrong {
      let values: [String: Any] = ["id": 3, property: value]
      let object = #expect(throws: FiefError.self) { try Moody(validating: values) }
      expect(object, property, hasStore: false, "validating")
      let assigned = #expect(throws: FiefError.self) {
        try Moody(value: ["id": 3]).setValue(value, ofProperty: property)
      }
      expect(assigned, property, hasStore: false, "setValue")
      let unsaved = #expect(throws: FiefError.self) { try store.saveAndWait(entity: Moody(value: values)) }
      expect(unsaved, property, hasStore: true, "value")
      let created = #expect(throws: FiefError.self) {
        try store.write { _ = try $0.create(Moody.self, value: values, update: .all) }
      }
      expect(created, property, hasStore: true, "create")
      let imported = #expect(throws: FiefError.self) {
        let data = Data(#"{"id":3,"\#(property)":\#(json)}"#.utf8)
        try store.saveAndWait(saveClass: Moody.self, jsonData: data)
      }
      expect(imported, property, hasStore: true, "JSON")
    }
    for (property, value) in [("mood", "bogus" as FieldValue), ("former", "bogus"), ("size", 7)] {
      let batch = #expect(throws: FiefError.self) {
        var batch = store.store().batch()
        try batch.update(Moody.self, forPrimaryKey: 3, [property: value])
      }
      expect(batch, property, hasStore: true, "batch")
      let update = #expect(throws: FiefError.self) {
        try store.write { try $0.update(Moody.self, forPrimaryKey: 3, [property: value]) }
      }
      expect(update, property, hasStore: true, "update")
    }
    // By the places of the properties, and as a linked object, which has a key of its own.
    let array = #expect(throws: FiefError.self) { try Moody(validating: [3, "bogus"] as [Any]) }
    expect(array, "mood", hasStore: false, "array")
    let linked = #expect(throws: FiefError.self) {
      try Moody(validating: ["id": 4, "next": ["id": 3, "mood": "bogus"] as [String: Any]] as [String: Any])
    }
    expect(linked, "mood", hasStore: false, "linked")
    let keyless = #expect(throws: FiefError.self) {
      try Moody(validating: ["id": 4, "next": ["mood": "bogus"]] as [String: Any])
    }
    expect(keyless, "mood", hasStore: false, key: nil, "without a key")
    let stored = try #require(store.object(ofType: Moody.self, forPrimaryKey: 3))
    #expect(stored.mood == .wild && Array(stored.moods) == [.wild] && stored.size == .small)
    #expect(try store.check().unknownValues.isEmpty)
  }
}
