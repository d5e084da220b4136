import FiefRealm
import FiefTesting
import Foundation
import Testing

/// A property of each type, as a single value, one that may be nil, and in collections.
final class QueriedValues: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var bool = false
  @Persisted var int8: Int8 = 0
  @Persisted var int32: Int32 = 0
  @Persisted var int = 0
  @Persisted var float: Float = 0
  @Persisted var double = 0.0
  @Persisted var decimal: Decimal = 0
  @Persisted var date = Date(timeIntervalSinceReferenceDate: 0)
  @Persisted var string = ""
  @Persisted var data = Data()
  @Persisted var uuid = UUID()
  @Persisted var objectId = ObjectId.generate()
  @Persisted var mixed: AnyRealmValue
  @Persisted var size = QueriedSize.small
  @Persisted var grade = QueriedGrade.low
  @Persisted var word = QueriedWord("")
  @Persisted var cents = QueriedCents(0)
  @Persisted var optBool: Bool?
  @Persisted var optInt: Int?
  @Persisted var optDouble: Double?
  @Persisted var optDecimal: Decimal?
  @Persisted var optDate: Date?
  @Persisted var optString: String?
  @Persisted var optData: Data?
  @Persisted var optUUID: UUID?
  @Persisted var optObjectId: ObjectId?
  @Persisted var optSize: QueriedSize?
  @Persisted var optWord: QueriedWord?
  @Persisted var ints: List<Int>
  @Persisted var floats: MutableSet<Float>
  @Persisted var doubles: Map<String, Double>
  @Persisted var decimals: List<Decimal>
  @Persisted var dates: List<Date>
  @Persisted var strings: List<String>
  @Persisted var stringSet: MutableSet<String>
  @Persisted var stringMap: Map<String, String>
  @Persisted var optInts: List<Int?>
  @Persisted var uuids: List<UUID>
  @Persisted var objectIds: MutableSet<ObjectId>
  @Persisted var datas: List<Data>
  @Persisted var sizes: List<QueriedSize>
  @Persisted var grades: Map<String, QueriedGrade>
  @Persisted var centsList: List<QueriedCents>
  @Persisted var words: MutableSet<QueriedWord>
  @Persisted var anys: List<AnyRealmValue>
}

/// Three values of each type, the least first.
private enum Samples {
  static let decimals: [Decimal] = [1, 2, 3]
  static let dates = [1, 2, 3].map { Date(timeIntervalSinceReferenceDate: $0) }
  static let datas = ["a", "b", "c"].map { Data($0.utf8) }
  static let uuids = (1...3).map { UUID(uuidString: "0000000\($0)-0000-0000-0000-000000000000") ?? UUID() }
  static let objectIds = (1...3).map { _ in ObjectId.generate() }
  static let strings = ["ant", "bee", "cat"]
  static let sizes: [QueriedSize] = [.large, .middle, .small]
  static let words = strings.map { QueriedWord($0) }
  static let cents = [1, 2, 3].map { QueriedCents($0) }
}

struct PropertyQueryTests {
  /// Objects 1 to 3 have the first, second and third value, and 4 the third and nil where there may be nil; in
  /// collections 1 has the first two values, 2 the third, and 3 and 4 none.
  private func withValues(_ kind: StoreKind, _ body: (Results<QueriedValues>) throws -> Void) throws {
    try withFreshStores(kind) {
      let repository = TestRepository(objectTypes: [QueriedValues.self])
      let store = repository.store()
      try store.write { transaction in
        for id in 1...4 {
          let index = min(id, 3) - 1
          let object = QueriedValues()
          object.id = id
          object.bool = id > 1
          object.int8 = Int8(index)
          object.int32 = Int32(index)
          object.int = index
          object.float = Float(index) + 0.1
          object.double = Double(index) + 0.1
          object.decimal = Samples.decimals[index]
          object.date = Samples.dates[index]
          object.string = Samples.strings[index]
          object.data = Samples.datas[index]
          object.uuid = Samples.uuids[index]
          object.objectId = Samples.objectIds[index]
          object.mixed = .string(Samples.strings[index])
          object.size = Samples.sizes[index]
          object.grade = id > 1 ? .high : .low
          object.word = Samples.words[index]
          object.cents = Samples.cents[index]
          if id < 4 {
            object.optBool = object.bool
            object.optInt = object.int
            object.optDouble = object.double
            object.optDecimal = object.decimal
            object.optDate = object.date
            object.optString = object.string
            object.optData = object.data
            object.optUUID = object.uuid
            object.optObjectId = object.objectId
            object.optSize = object.size
            object.optWord = object.word
          }
          for index in [[0, 1], [2], [], []][id - 1] {
            object.ints.append(index)
            object.floats.insert(Float(index) + 0.1)
            object.doubles["\(index)"] = Double(index)
            object.decimals.append(Samples.decimals[index])
            object.dates.append(Samples.dates[index])
            object.strings.append(Samples.strings[index])
            object.stringSet.insert(Samples.strings[index])
            object.stringMap["k\(index)"] = Samples.strings[index]
            object.optInts.append(index)
            object.uuids.append(Samples.uuids[index])
            object.objectIds.insert(Samples.objectIds[index])
            object.datas.append(Samples.datas[index])
            object.sizes.append(Samples.sizes[index])
            object.grades["\(index)"] = index == 0 ? .low : .high
            object.centsList.append(Samples.cents[index])
            object.words.insert(Samples.words[index])
            object.anys.append(.string(Samples.strings[index]))
          }
          try transaction.add(object)
        }
      }
      try body(store.objects(QueriedValues.self))
      #expect(try repository.check().problems == [])
    }
  }

  /// Checks that a closure and a text find the same objects.
  private func expect(
    _ all: Results<QueriedValues>,
    _ text: String,
    _ arguments: [Any] = [],
    _ ids: [Int],
    _ closure: (Query<QueriedValues>) -> Query<Bool>
  ) throws {
    let typed = try all.where(closure).all().map(\.id)
    let written = try all.query(text, arguments: arguments).all().map(\.id)
    #expect(typed == ids, "closure: \(text)")
    #expect(written == ids, "text: \(text)")
  }

  private typealias Way<Value> = (Query<QueriedValues>) -> Query<Value>

  private func checkEquality<Value>(
    _ all: Results<QueriedValues>,
    _ name: String,
    _ values: [Value],
    _ way: Way<Value>
  ) throws {
    try expect(all, "\(name) == %@", [values[0]], [1]) { way($0) == values[0] }
    try expect(all, "\(name) != %@", [values[0]], [2, 3, 4]) { way($0) != values[0] }
    try expect(all, "NOT \(name) == %@", [values[0]], [2, 3, 4]) { !(way($0) == values[0]) }
    try expect(all, "\(name) IN %@", [[values[0], values[1]]], [1, 2]) { way($0).in([values[0], values[1]]) }
    try expect(all, "NOT \(name) IN %@", [[values[0], values[1]]], [3, 4]) {
      !way($0).in([values[0], values[1]])
    }
    try expect(all, "\(name) == \(name)", [], [1, 2, 3, 4]) { way($0) == way($0) }
  }

  private func checkOrder<Value: Comparable>(
    _ all: Results<QueriedValues>,
    _ name: String,
    _ values: [Value],
    _ way: Way<Value>
  ) throws {
    try checkEquality(all, name, values, way)
    try expect(all, "\(name) > %@", [values[0]], [2, 3, 4]) { way($0) > values[0] }
    try expect(all, "\(name) >= %@", [values[1]], [2, 3, 4]) { way($0) >= values[1] }
    try expect(all, "\(name) < %@", [values[1]], [1]) { way($0) < values[1] }
    try expect(all, "\(name) <= %@", [values[1]], [1, 2]) { way($0) <= values[1] }
    try expect(all, "\(name) BETWEEN %@", [[values[0], values[1]]], [1, 2]) {
      way($0).contains(values[0]...values[1])
    }
    try expect(all, "\(name) >= %@ AND \(name) < %@", [values[0], values[1]], [1]) {
      way($0).contains(values[0]..<values[1])
    }
  }

  private func checkNil<Value>(
    _ all: Results<QueriedValues>,
    _ name: String,
    _ value: Value,
    _ way: Way<Value?>
  ) throws {
    try expect(all, "\(name) == nil", [], [4]) { way($0) == nil }
    try expect(all, "\(name) != nil", [], [1, 2, 3]) { way($0) != nil }
    try expect(all, "\(name) == %@", [value], [1]) { way($0) == value }
    try expect(all, "\(name) != %@", [value], [2, 3, 4]) { way($0) != value }
    try expect(all, "\(name) IN %@", [[value, nil]], [1, 4]) { way($0).in([value, nil]) }
  }

  @Test(arguments: StoreKind.allCases) func singleValuesAreCompared(_ kind: StoreKind) throws {
    try withValues(kind) { all in
      try checkOrder(all, "int8", [0, 1, 2]) { $0.int8 }
      try checkOrder(all, "int32", [0, 1, 2]) { $0.int32 }
      try checkOrder(all, "int", [0, 1, 2]) { $0.int }
      try checkOrder(all, "float", [0.1, 1.1, 2.1]) { $0.float }
      try checkOrder(all, "double", [0.1, 1.1, 2.1]) { $0.double }
      try checkOrder(all, "decimal", Samples.decimals) { $0.decimal }
      try checkOrder(all, "date", Samples.dates) { $0.date }
      try checkOrder(all, "string", Samples.strings) { $0.string }
      try checkOrder(all, "cents", Samples.cents) { $0.cents }
      try checkEquality(all, "data", Samples.datas) { $0.data }
      try checkEquality(all, "uuid", Samples.uuids) { $0.uuid }
      try checkEquality(all, "objectId", Samples.objectIds) { $0.objectId }
      try checkEquality(all, "mixed", Samples.strings.map { AnyRealmValue.string($0) }) { $0.mixed }
      try checkEquality(all, "size", Samples.sizes) { $0.size }
      try checkEquality(all, "word", Samples.words) { $0.word }
      try expect(all, "bool", [], [2, 3, 4]) { $0.bool }
      try expect(all, "NOT bool", [], [1]) { !$0.bool }
      try expect(all, "bool == %@", [true], [2, 3, 4]) { $0.bool == true }
      try expect(all, "bool == NO OR NOT bool", [], [1]) { $0.bool == false || !$0.bool }
    }
  }

  @Test(arguments: StoreKind.allCases) func valuesThatMayBeNilAreCompared(_ kind: StoreKind) throws {
    try withValues(kind) { all in
      try checkNil(all, "optInt", 0) { $0.optInt }
      try checkNil(all, "optDouble", 0.1) { $0.optDouble }
      try checkNil(all, "optDecimal", Samples.decimals[0]) { $0.optDecimal }
      try checkNil(all, "optDate", Samples.dates[0]) { $0.optDate }
      try checkNil(all, "optString", "ant") { $0.optString }
      try checkNil(all, "optData", Samples.datas[0]) { $0.optData }
      try checkNil(all, "optUUID", Samples.uuids[0]) { $0.optUUID }
      try checkNil(all, "optObjectId", Samples.objectIds[0]) { $0.optObjectId }
      try checkNil(all, "optSize", Samples.sizes[0]) { $0.optSize }
      try checkNil(all, "optWord", Samples.words[0]) { $0.optWord }
      try checkNil(all, "optBool", false) { $0.optBool }
      // Nil has no order.
      try expect(all, "optInt >= 0", [], [1, 2, 3]) { $0.optInt >= 0 }
      try expect(all, "optInt BETWEEN {0, 1}", [], [1, 2]) { $0.optInt.contains(0...1) }
      try expect(all, "optString < 'bee'", [], [1]) { $0.optString < "bee" }
    }
  }

  private func checkCollection<Collection: _QueryableCollection>(
    _ all: Results<QueriedValues>,
    _ name: String,
    _ values: [Collection._QueryElement],
    _ way: Way<Collection>
  ) throws {
    try expect(all, "%@ IN \(name)", [values[0]], [1]) { way($0).contains(values[0]) }
    try expect(all, "NOT %@ IN \(name)", [values[0]], [2, 3, 4]) { !way($0).contains(values[0]) }
    try expect(all, "ANY \(name) == %@", [values[2]], [2]) { way($0) == values[2] }
    try expect(all, "ANY \(name) != %@", [values[0]], [1, 2]) { way($0) != values[0] }
    try expect(all, "ANY \(name) IN %@", [[values[0], values[2]]], [1, 2]) {
      way($0).containsAny(in: [values[0], values[2]])
    }
    try expect(all, "\(name).@count == 2", [], [1]) { way($0).count == 2 }
    try expect(all, "\(name).@count < 1", [], [3, 4]) { way($0).count < 1 }
  }

  @Test(arguments: StoreKind.allCases) func collectionsAreAskedForElements(_ kind: StoreKind) throws {
    try withValues(kind) { all in
      try checkCollection(all, "ints", [0, 1, 2]) { $0.ints }
      try checkCollection(all, "floats", [0.1, 1.1, 2.1]) { $0.floats }
      try checkCollection(all, "doubles", [0, 1, 2]) { $0.doubles }
      try checkCollection(all, "decimals", Samples.decimals) { $0.decimals }
      try checkCollection(all, "dates", Samples.dates) { $0.dates }
      try checkCollection(all, "strings", Samples.strings) { $0.strings }
      try checkCollection(all, "stringSet", Samples.strings) { $0.stringSet }
      try checkCollection(all, "stringMap", Samples.strings) { $0.stringMap }
      try checkCollection(all, "optInts", [0, 1, 2]) { $0.optInts }
      try checkCollection(all, "uuids", Samples.uuids) { $0.uuids }
      try checkCollection(all, "objectIds", Samples.objectIds) { $0.objectIds }
      try checkCollection(all, "datas", Samples.datas) { $0.datas }
      try checkCollection(all, "sizes", Samples.sizes) { $0.sizes }
      try checkCollection(all, "centsList", Samples.cents) { $0.centsList }
      try checkCollection(all, "words", Samples.words) { $0.words }
      try checkCollection(all, "anys", Samples.strings.map { AnyRealmValue.string($0) }) { $0.anys }
    }
  }

  private func checkNumbers<Collection: _QueryableCollection>(
    _ all: Results<QueriedValues>,
    _ name: String,
    _ values: [Collection._QueryElement],
    _ way: Way<Collection>
  ) throws where Collection._QueryElement: _QueryableNumber & Comparable {
    try expect(all, "\(name).@min == %@", [values[0]], [1]) { way($0).min == values[0] }
    try expect(all, "\(name).@max == %@", [values[1]], [1]) { way($0).max == values[1] }
    try expect(all, "\(name).@max > %@", [values[1]], [2]) { way($0).max > values[1] }
    try expect(all, "\(name).@min == nil", [], [3, 4]) { way($0).min == nil }
    try expect(all, "\(name) > %@", [values[1]], [2]) { way($0) > values[1] }
    try expect(all, "\(name) <= %@", [values[0]], [1]) { way($0) <= values[0] }
    try expect(all, "\(name).@min >= %@ AND \(name).@max <= %@", [values[0], values[1]], [1]) {
      way($0).contains(values[0]...values[1])
    }
    try expect(all, "\(name).@min >= %@ AND \(name).@max < %@", [values[0], values[1]], []) {
      way($0).contains(values[0]..<values[1])
    }
  }

  @Test(arguments: StoreKind.allCases) func numbersOfCollectionsHaveAggregates(_ kind: StoreKind) throws {
    try withValues(kind) { all in
      try checkNumbers(all, "ints", [0, 1, 2]) { $0.ints }
      try checkNumbers(all, "floats", [0.1, 1.1, 2.1]) { $0.floats }
      try checkNumbers(all, "doubles", [0, 1, 2]) { $0.doubles }
      try checkNumbers(all, "decimals", Samples.decimals) { $0.decimals }
      try checkNumbers(all, "dates", Samples.dates) { $0.dates }
      try expect(all, "ints.@sum == 1", [], [1]) { $0.ints.sum == 1 }
      try expect(all, "ints.@sum == 0", [], [3, 4]) { $0.ints.sum == 0 }
      try expect(all, "ints.@avg == 0.5", [], [1]) { $0.ints.avg == 0.5 }
      try expect(all, "doubles.@avg == 2", [], [2]) { $0.doubles.avg == 2 }
      try expect(all, "decimals.@sum == 3", [], [1, 2]) { $0.decimals.sum == 3 }
      try expect(all, "optInts.@sum == 1", [], [1]) { $0.optInts.sum == 1 }
    }
  }

  @Test(arguments: StoreKind.allCases) func textsHaveFunctions(_ kind: StoreKind) throws {
    try withValues(kind) { all in
      try expect(all, "string CONTAINS 'e'", [], [2]) { $0.string.contains("e") }
      try expect(all, "string CONTAINS[c] 'A'", [], [1, 3, 4]) {
        $0.string.contains("A", options: .caseInsensitive)
      }
      try expect(all, "string BEGINSWITH[cd] 'Á'", [], [1]) {
        $0.string.starts(with: "Á", options: [.caseInsensitive, .diacriticInsensitive])
      }
      try expect(all, "string ENDSWITH 't'", [], [1, 3, 4]) { $0.string.ends(with: "t") }
      try expect(all, "string LIKE '?a*'", [], [3, 4]) { $0.string.like("?a*") }
      try expect(all, "string LIKE[c] 'BE?'", [], [2]) { $0.string.like("BE?", caseInsensitive: true) }
      try expect(all, "string ==[c] 'BEE'", [], [2]) { $0.string.equals("BEE", options: .caseInsensitive) }
      try expect(all, "string !=[c] 'BEE'", [], [1, 3, 4]) {
        $0.string.notEquals("BEE", options: .caseInsensitive)
      }
      try expect(all, "optString CONTAINS string", [], [1, 2, 3]) { $0.optString.contains($0.string) }
      try expect(all, "strings CONTAINS[c] 'ANT'", [], [1]) {
        $0.strings.any { $0.equals("ANT", options: .caseInsensitive) }
      }
      try expect(all, "data BEGINSWITH %@", [Samples.datas[1]], [2]) {
        $0.data.starts(with: Samples.datas[1])
      }
      try expect(all, "stringMap['k0'] == 'ant'", [], [1]) { $0.stringMap["k0"] == "ant" }
      try expect(all, "stringMap['k0'] BEGINSWITH 'a'", [], [1]) { $0.stringMap["k0"].starts(with: "a") }
      try expect(all, "stringMap.@keys == 'k2'", [], [2]) { $0.stringMap.keys == "k2" }
      try expect(all, "stringMap.@keys BEGINSWITH[c] 'K'", [], [1, 2]) {
        $0.stringMap.keys.starts(with: "K", options: .caseInsensitive)
      }
      try expect(all, "stringMap.@values LIKE '*e'", [], [1]) { $0.stringMap.values.like("*e") }
    }
  }
}
