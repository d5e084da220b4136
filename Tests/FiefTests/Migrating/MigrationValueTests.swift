import Fief
import Foundation
import Testing

private enum Size: String, PersistableEnum { case small, large }
private enum Grade: Int, PersistableEnum { case low = 1, high = 2 }

private enum Before {
  final class Sample: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var flag = true
    @Persisted var tiny: Int8 = -8
    @Persisted var medium: Int32? = 32
    @Persisted var ratio: Float = 0.5
    @Persisted var weight = 2.25
    @Persisted var text: String? = "text"
    @Persisted var data = Data([1, 2, 3])
    @Persisted var date = Date(timeIntervalSince1970: 86_400)
    @Persisted var uid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    @Persisted var price: Decimal = 12.5
    @Persisted var anything: AnyRealmValue = .string("any")
    @Persisted var size = Size.large
    @Persisted var grade: Grade? = .high
    @Persisted var numbers: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Double>
    @Persisted var gaps: List<String?>
    @Persisted var part: SamplePart?
    @Persisted var parts: List<SamplePart>
    @Persisted var other: Sample?
  }
  final class SamplePart: EmbeddedObject {
    @Persisted var name = "part"
    @Persisted var count = 1
    @Persisted var link: Sample?
  }
}

private enum After {
  final class Sample: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var small: Int16 = 0
    @Persisted var size = Size.small
    @Persisted var grade: Grade?
    @Persisted var numbers: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Double>
    @Persisted var gaps: List<String?>
    @Persisted var part: SamplePart?
    @Persisted var parts: List<SamplePart>
    @Persisted var other: Sample?
    @Persisted var others: List<Sample>
  }
  final class SamplePart: EmbeddedObject {
    @Persisted var name = "new"
    @Persisted var count = 7
    @Persisted var link: Sample?
    @Persisted var note: String? = "note"
  }
}

@Suite("Values in a migration")
struct MigrationValueTests {
  private func withSamples(_ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 1,
        [Before.Sample.self],
        embedded: [Before.SamplePart.self]
      )
      try store.opened { (store: MigratingStore) throws in
        let samples = (1...2).map { id in
          let sample = Before.Sample()
          sample.id = id
          sample.numbers.append(objectsIn: [3, 1, 2])
          sample.tags.insert("a")
          sample.scores["x"] = 1.5
          sample.gaps.append(nil)
          sample.gaps.append("gap")
          sample.part = Before.SamplePart()
          sample.parts.append(Before.SamplePart())
          return sample
        }
        samples[0].other = samples[1]
        samples[0].part?.link = samples[1]
        samples[1].text = nil
        samples[1].medium = nil
        samples[1].grade = nil
        try store.store().write { try $0.add(samples, update: .all) }
      }
      try body(directory)
    }
  }

  private func migrate(_ directory: String, _ block: @escaping MigrationBlock) -> MigratingStore {
    MigratingStore(
      directory,
      version: 2,
      [After.Sample.self],
      embedded: [After.SamplePart.self],
      block: block
    )
  }

  @Test("are read by name, in the type that is asked for")
  func reading() throws {
    try withSamples { (directory: String) throws in
      try migrate(directory) { (migration: Migration, _: UInt64) throws in
        let sample = try #require(try migration.oldObject(ofType: "Sample", forPrimaryKey: 1))
        #expect(try sample.value("flag") == true)
        #expect(try sample.value("tiny", as: Int8.self) == -8)
        #expect(try sample.value("tiny") == -8)
        #expect(try sample.value("medium", as: UInt16.self) == 32)
        #expect(try sample.value("medium", as: Int32?.self) == 32)
        #expect(try sample.value("ratio", as: Float.self) == 0.5)
        #expect(try sample.value("weight", as: Double.self) == 2.25)
        #expect(try sample.value("text", as: String?.self) == "text")
        #expect(try sample.value("data", as: Data.self) == Data([1, 2, 3]))
        #expect(try sample.value("date", as: Date.self) == Date(timeIntervalSince1970: 86_400))
        #expect(try sample.value("uid", as: UUID.self).uuidString.hasPrefix("01020304"))
        #expect(try sample.value("price", as: Decimal.self) == 12.5)
        #expect(try sample.value("anything", as: AnyRealmValue.self) == .string("any"))
        #expect(try sample.value("size", as: Size.self) == .large)
        #expect(try sample.value("size", as: String.self) == "large")
        #expect(try sample.value("grade", as: Grade?.self) == .high)
        #expect(try sample.value("numbers", as: [Int].self) == [3, 1, 2])
        #expect(try sample.value("numbers", as: [Int32].self) == [3, 1, 2])
        #expect(sample["numbers"] as? [Int] == [3, 1, 2])
        #expect(try sample.value("tags", as: [String].self) == ["a"])
        #expect(try sample.value("scores", as: [String: Double].self) == ["x": 1.5])
        #expect(try sample.value("gaps", as: [String?].self) == [nil, "gap"])
        let part = try sample.value("part", as: MigrationObject.self)
        #expect(part["name"] as? String == "part")
        #expect((part["link"] as? MigrationObject)?["id"] as? Int == 2)
        #expect(try sample.value("parts", as: [MigrationObject].self).map { $0["count"] as? Int } == [1])
        #expect((sample["other"] as? MigrationObject)?.key.description == "2")
        let second = try #require(try migration.oldObject(ofType: "Sample", forPrimaryKey: 2))
        #expect(try second.value("text", as: String?.self) == nil)
        #expect(try second.value("grade", as: Grade?.self) == nil)
        #expect(throws: FiefError.self) { try second.value("text", as: String.self) }
        #expect(throws: FiefError.self) { try sample.value("medium", as: String.self) }
        #expect(throws: FiefError.self) { try sample.value("tiny", as: UInt8.self) }
        #expect(throws: FiefError.self) { try sample.value("missing", as: Int.self) }
        #expect(migration.typeNames == ["Sample", "SamplePart"])
        #expect(migration.oldTypeNames == ["Sample", "SamplePart"])
        #expect(migration.properties(ofType: "Sample")?.first?.isPrimaryKey == true)
        #expect(migration.oldProperties(ofType: "Sample")?.contains { $0.name == "price" } == true)
        #expect(migration.properties(ofType: "Nothing") == nil)
        #expect(sample.isOld)
        #expect(sample.propertyNames.count == 21)
      }.opened { (store: MigratingStore) throws in #expect(try store.count(After.Sample.self) == 2) }
    }
  }

  @Test("are assigned by name: embedded objects, collections, links by object and by key")
  func assigning() throws {
    try withSamples { (directory: String) throws in
      try migrate(directory) { (migration: Migration, _: UInt64) throws in
        let first = try #require(try migration.object(ofType: "Sample", forPrimaryKey: 1))
        let second = try #require(try migration.object(ofType: "Sample", forPrimaryKey: 2))
        first["small"] = 300
        first["size"] = "large"
        first["grade"] = 1
        first["numbers"] = [Int32(9), 8]
        first["tags"] = ["z", "y"]
        first["scores"] = ["a": 2.0, "b": 3.0]
        first["gaps"] = ["1", nil] as [String?]
        (first["part"] as? MigrationObject)?["name"] = "changed"
        var parts = first["parts"] as? [Any] ?? []
        parts.append(["name": "made", "link": second] as [String: Any])
        first["parts"] = parts
        first["others"] = [second, 1, try migration.oldObject(ofType: "Sample", forPrimaryKey: 2)] as [Any?]
        second["other"] = 1
        second["part"] = try migration.oldObject(ofType: "Sample", forPrimaryKey: 1)?["part"]
        let third = migration.create("Sample", value: ["id": 3, "other": first, "part": ["count": 5]])
        third["others"] = [third, second]
        migration.delete(second)
        let again = try #require(try migration.object(ofType: "Sample", forPrimaryKey: 1))
        #expect((again["part"] as? MigrationObject)?["name"] as? String == "changed")
      }.opened { (store: MigratingStore) throws in
        let first = try #require(store.object(ofType: After.Sample.self, forPrimaryKey: 1))
        #expect(first.small == 300)
        #expect(first.size == .large)
        #expect(first.grade == .low)
        #expect(Array(first.numbers) == [9, 8])
        #expect(Set(first.tags) == ["y", "z"])
        #expect(first.scores["b"] == 3)
        #expect(Array(first.gaps) == ["1", nil])
        #expect(first.part?.name == "changed")
        #expect(first.part?.count == 1)
        #expect(first.part?.note == "note")
        #expect(first.parts.map(\.name) == ["part", "made"])
        #expect(first.parts.last?.count == 7)
        #expect(first.others.map(\.id) == [1], "the deleted object is gone")
        #expect(first.other == nil)
        let third = try #require(store.object(ofType: After.Sample.self, forPrimaryKey: 3))
        #expect(third.others.map(\.id) == [3])
        #expect(third.part?.count == 5)
        #expect(third.part?.name == "new")
        #expect(store.object(ofType: After.Sample.self, forPrimaryKey: 2) == nil)
      }
    }
  }

  @Test("that are wrong end the migration with an error that names the place")
  func wrongValues() throws {
    let wrong: [(String, Any?)] = [
      ("small", 40_000), ("small", "x"), ("small", nil), ("missing", 1), ("other", 77), ("other", "x"),
      ("part", ["unknown": 1]), ("part", 5), ("numbers", 5), ("numbers", ["x"]), ("scores", [1]),
    ]
    try withSamples { (directory: String) throws in
      for (index, (name, _)) in wrong.enumerated() {
        let error = try migrate(directory) { (migration: Migration, _: UInt64) throws in
          let all: [(String, Any?)] = [
            ("small", 40_000), ("small", "x"), ("small", nil), ("missing", 1), ("other", 77), ("other", "x"),
            ("part", ["unknown": 1]), ("part", 5), ("numbers", 5), ("numbers", ["x"]), ("scores", [1]),
          ]
          try migration.object(ofType: "Sample", forPrimaryKey: 1)?[name] = all[index].1
        }.failure()
        #expect(
          [.invalidValue, .missingValue, .unknownProperty, .objectNotFound].contains(error.code),
          "\(error)"
        )
        #expect(error.store == "migrated")
        #expect(error.type != nil)
        #expect(error.property != nil, "\(name): \(error)")
      }
      let error = try migrate(directory) { (migration: Migration, _: UInt64) throws in
        try migration.oldObject(ofType: "Sample", forPrimaryKey: 1)?["numbers"] = [1]
      }.failure()
      #expect(error.code == .invalidValue)
    }
  }
}
