import Fief
import FiefTesting
import Testing

/// Integers take as many bytes as they need and ends as many as the texts need: every width, alone and
/// beside the others, on disk and in memory.
@Suite(.freshStores)
struct RecordWidthTests {
  final class WidthNumbers: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var small: Int16
    @Persisted var middle: Int32?
    @Persisted(indexed: true) var large: Int
    @Persisted var flag: Bool
    @Persisted var optionalFlag: Bool?
    @Persisted var optional: Int?
    @Persisted var tiny: Int8
    @Persisted var last: Int64
    @Persisted var after: Double
  }

  final class WidthTexts: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: String
    @Persisted var number: Int
    @Persisted var second: String?
    @Persisted var third: String
  }

  struct Widths: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType
    var schemaName: String? { "widths" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [WidthNumbers.self, WidthTexts.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  static let kinds: [RealmMemoryType] = [.inStorage, .inMemory(identifier: "widths")]

  /// The numbers on both sides of each limit.
  static let numbers: [Int64] = [0, 7, 15, 31, 63].flatMap { bits -> [Int64] in
    let limit = Int64(bitPattern: (1 as UInt64) << UInt64(bits) &- 1)
    return [limit, ~limit, limit &+ 1, ~limit &- 1]
  }

  private func number(_ id: Int, _ value: Int64, _ other: Int64) -> WidthNumbers {
    let object = WidthNumbers()
    object.id = id
    object.small = Int16(clamping: value)
    object.middle = value == other ? nil : Int32(clamping: other)
    object.large = Int(value)
    object.flag = value > other
    object.optionalFlag = value == 0 ? nil : value < 0
    object.optional = other == 0 ? nil : Int(other)
    object.tiny = Int8(clamping: other)
    object.last = other
    object.after = Double(value)
    return object
  }

  private func expectSame(_ found: WidthNumbers?, _ wanted: WidthNumbers) throws {
    let found = try #require(found)
    #expect(found.small == wanted.small && found.middle == wanted.middle && found.large == wanted.large)
    #expect(found.flag == wanted.flag && found.optionalFlag == wanted.optionalFlag)
    #expect(found.optional == wanted.optional && found.tiny == wanted.tiny && found.last == wanted.last)
    #expect(found.after == wanted.after, "object \(wanted.id)")
  }

  @Test(arguments: kinds) func integersOfEveryWidth(kind: RealmMemoryType) throws {
    let store = Widths(realmMemoryType: kind)
    var wanted: [WidthNumbers] = []
    for value in Self.numbers {
      for other in Self.numbers { wanted.append(number(wanted.count, value, other)) }
    }
    try store.write { try $0.add(wanted.map { number($0.id, Int64($0.large), $0.last) }) }
    for object in wanted {
      try expectSame(store.object(ofType: WidthNumbers.self, forPrimaryKey: object.id), object)
    }
    try expectSound(store)
    // Each becomes the one before it: wider, narrower, or as wide.
    try store.write { transaction in
      for object in wanted {
        let live = try #require(
          try transaction.object(ofType: WidthNumbers.self, forPrimaryKey: object.id)
        )
        let next = wanted[(object.id + 1) % wanted.count]
        live.large = next.large
        live.optional = next.optional
        live.small = next.small
      }
    }
    for object in wanted {
      let next = wanted[(object.id + 1) % wanted.count]
      let found = try #require(store.object(ofType: WidthNumbers.self, forPrimaryKey: object.id))
      #expect(found.large == next.large && found.optional == next.optional && found.small == next.small)
      #expect(found.last == object.last && found.middle == object.middle && found.after == object.after)
    }
    try expectSound(store)
  }

  @Test(arguments: kinds) func textsThatNeedEndsOfEveryWidth(kind: RealmMemoryType) throws {
    let store = Widths(realmMemoryType: kind)
    let lengths = [0, 1, 254, 255, 256, 65_534, 65_535, 65_536, 70_000]
    var id = 0
    for first in lengths {
      for second in [nil, 0, 1, 255, 65_535] as [Int?] {
        let object = WidthTexts()
        object.id = id
        object.first = String(repeating: "a", count: first)
        object.number = first
        object.second = second.map { String(repeating: "é", count: $0) }
        object.third = "the end"
        id += 1
        try store.write { try $0.add(object) }
        let found = try #require(store.object(ofType: WidthTexts.self, forPrimaryKey: object.id))
        #expect(found.first == object.first && found.second == object.second, "\(first), \(second ?? -1)")
        #expect(found.third == "the end" && found.number == first)
      }
    }
    try expectSound(store)
  }

  private func expectSound(_ store: Widths) throws {
    let check = try store.check()
    #expect(check.problems.isEmpty, "\(check.problems)")
  }
}
