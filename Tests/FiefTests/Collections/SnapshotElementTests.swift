import Fief
import Foundation
import Testing

enum SnapChoice: String, PersistableEnum {
  case first, second, third
}

struct SnapCode: CustomPersistable, Hashable {
  typealias PersistedType = Int
  var number: Int
  init(persistedValue: Int) { number = persistedValue }
  var persistableValue: Int { number }
}

/// An object with a large collection of each element type that `SnapAlbum` lacks.
final class SnapMixed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var flags: List<Bool>
  @Persisted var shorts: List<Int16>
  @Persisted var floats: List<Float>
  @Persisted var decimals: List<Decimal>
  @Persisted var ids: List<ObjectId>
  @Persisted var uuids: List<UUID>
  @Persisted var choices: List<SnapChoice>
  @Persisted var codes: List<SnapCode>
  @Persisted var optionalTexts: List<String?>
  @Persisted var optionalDates: List<Date?>
  @Persisted var blobSet: MutableSet<Data>
  @Persisted var decimalSet: MutableSet<Decimal>
  @Persisted var valueSet: MutableSet<AnyRealmValue>
  @Persisted var codeSet: MutableSet<SnapCode>
  @Persisted var flagMap: Map<String, Bool>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var valueMap: Map<String, AnyRealmValue>
  @Persisted var optionalMap: Map<String, Int?>
}

/// Copies with large collections of further types, whose object was deleted by others.
@Suite("Collections of copies: further types of elements", .timeLimit(.minutes(20)))
struct SnapshotElementTests {
  private struct Property: Sendable {
    let name: String
    let fill: @Sendable (SnapMixed) -> Void
    let contents: @Sendable (SnapMixed) -> [String]
  }

  /// A number of elements with more than 4,000 bytes, if one has four bytes or more.
  private static let count = 1_200

  private static func list<Element: RealmCollectionValue>(
    _ name: String,
    _ path: @escaping @Sendable (SnapMixed) -> List<Element>,
    count: Int = count,
    _ make: @escaping @Sendable (Int) -> Element
  ) -> Property {
    Property(name: name) {
      path($0).append(objectsIn: (0..<count).map(make))
    } contents: {
      path($0).map { "\($0)" }
    }
  }

  private static func set<Element: RealmCollectionValue>(
    _ name: String,
    _ path: @escaping @Sendable (SnapMixed) -> MutableSet<Element>,
    count: Int = count,
    _ make: @escaping @Sendable (Int) -> Element
  ) -> Property {
    Property(name: name) {
      path($0).insert(objectsIn: (0..<count).map(make))
    } contents: {
      path($0).map { "\($0)" }.sorted()
    }
  }

  private static func map<Value: RealmCollectionValue>(
    _ name: String,
    _ path: @escaping @Sendable (SnapMixed) -> Map<String, Value>,
    _ make: @escaping @Sendable (Int) -> Value
  ) -> Property {
    Property(name: name) { mixed in
      for number in 0..<count { path(mixed)["key \(number)"] = make(number) }
    } contents: {
      path($0).map { "\($0.key) \($0.value)" }.sorted()
    }
  }

  private static func date(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number)) }
  private static func text(_ number: Int) -> String { "text \(number)" }
  private static func id(_ number: Int) -> ObjectId {
    ObjectId(timestamp: Date(timeIntervalSince1970: Double(number)), machineId: 1, processId: 2)
  }
  private static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, UInt8(number >> 8 & 255), UInt8(number & 255)))
  }

  private static let properties: [Property] = [
    list("flags", { $0.flags }, count: 4_500) { $0 % 3 == 0 },
    list("shorts", { $0.shorts }, count: 2_500) { Int16($0) },
    list("floats", { $0.floats }) { Float($0) },
    list("decimals", { $0.decimals }, count: 2_500) { Decimal($0) / 8 },
    list("ids", { $0.ids }) { id($0) }, list("uuids", { $0.uuids }) { uuid($0) },
    list("choices", { $0.choices }) { [.first, .second, .third][$0 % 3] },
    list("codes", { $0.codes }) { SnapCode(persistedValue: $0) },
    list("optionalTexts", { $0.optionalTexts }) { $0 % 5 == 0 ? nil : text($0) },
    list("optionalDates", { $0.optionalDates }) { $0 % 5 == 0 ? nil : date($0) },
    set("blobSet", { $0.blobSet }) { Data(text($0).utf8) },
    set("decimalSet", { $0.decimalSet }, count: 2_500) { Decimal($0) / 8 },
    set("valueSet", { $0.valueSet }) { $0 % 2 == 0 ? .int($0) : .string(text($0)) },
    set("codeSet", { $0.codeSet }) { SnapCode(persistedValue: $0) },
    map("flagMap", { $0.flagMap }) { $0 % 3 == 0 }, map("dateMap", { $0.dateMap }) { date($0) },
    map("valueMap", { $0.valueMap }) { .list([.int($0)]) },
    map("optionalMap", { $0.optionalMap }) { $0 % 5 == 0 ? nil : $0 },
  ]

  @Test("a use has the elements that were read, or is an error", arguments: TypedPlace.allCases)
  func deletedByOthers(place: TypedPlace) throws {
    try SnapStore.with(place) { store in
      let mixed = SnapMixed(value: ["id": 1, "title": "first"] as [String: Any])
      for property in Self.properties { property.fill(mixed) }
      let expected = Self.properties.map { $0.contents(mixed) }
      try store.saveAndWait(entity: mixed, update: .all)
      func copy() throws -> SnapMixed {
        try #require(try store.fetchObject(ofType: SnapMixed.self, forPrimaryKey: 1))
      }
      let (unread, read) = (try copy(), try copy())
      for (property, elements) in zip(Self.properties, expected) {
        #expect(property.contents(read) == elements, "\(property.name)")
      }
      try store.deleteAndWait(ofType: SnapMixed.self, forPrimaryKeys: [1])
      #expect(store.errors().isEmpty)
      for property in Self.properties {
        #expect(property.contents(unread).isEmpty, "\(property.name)")
        let errors = store.errors()
        #expect(!errors.isEmpty, "\(property.name)")
        for error in errors {
          #expect([.conflict, .objectNotFound].contains(error.code), "\(property.name)")
          #expect(error.type == "SnapMixed" && error.property == property.name)
        }
      }
      let error = try typedError { try store.saveAndWait(entity: unread, update: .all) }
      #expect(error.code == .conflict && error.type == "SnapMixed" && error.key != nil)
      #expect(Self.properties.contains { $0.name == error.property })
      #expect(try store.count(SnapMixed.self) == 0)
      _ = store.errors()
      try store.saveAndWait(entity: read, update: .all)
      let stored = try copy()
      for (property, elements) in zip(Self.properties, expected) {
        #expect(property.contents(stored) == elements, "\(property.name)")
      }
      #expect(store.errors().isEmpty)
    }
  }
}
