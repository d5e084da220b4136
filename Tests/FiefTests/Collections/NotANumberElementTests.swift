import Fief
import FiefTesting
import Foundation
import Testing

struct MeasuredValue: CustomPersistable {
  typealias PersistedType = Double
  var number: Double
  init(persistedValue: Double) { number = persistedValue }
  var persistableValue: Double { number }
}

final class Measurement: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var doubles: List<Double>
  @Persisted var set: MutableSet<Double>
  @Persisted var optionals: MutableSet<Double?>
  @Persisted var floats: MutableSet<Float>
  @Persisted var dates: MutableSet<Date>
  @Persisted var decimals: MutableSet<Decimal>
  @Persisted var values: MutableSet<AnyRealmValue>
  @Persisted var custom: MutableSet<MeasuredValue>
  @Persisted var swift: Set<Double> = []
}

final class UniqueMeasurement: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .unique) var double: Double?
  @Persisted(index: .unique) var float: Float?
  @Persisted(index: .unique) var date: Date?
  @Persisted(index: .unique) var decimal: Decimal?
}

/// NaN and the two zeros: one value each where values are told apart, and NaN nothing to a unique index.
@Suite(.timeLimit(.minutes(20))) struct NotANumberElementTests {
  private typealias Fixture = StoreFixture<TestRepository>

  /// NaNs with different bits.
  private static let nans: [Double] = [.nan, -.nan, Double(nan: 5, signaling: false)]
  /// Enough elements for a tree of their own.
  private static let more = (1...900).map { Double($0) }

  private func store(_ kind: StoreKind) throws -> Fixture {
    let store = try Fixture(
      TestRepository(objectTypes: [Measurement.self, UniqueMeasurement.self, CornerNumber.self]),
      kind
    )
    try store.saveAndWait(entity: Measurement(value: ["id": 0]))
    return store
  }

  private func inEachScope(_ store: Fixture, _ body: (Measurement) throws -> Void) throws {
    try body(try #require(try store.store().fetchObject(ofType: Measurement.self, forPrimaryKey: 0)))
    try store.read { try body(try #require(try $0.object(ofType: Measurement.self, forPrimaryKey: 0))) }
    try change(store, body)
  }

  private func change(_ store: Fixture, _ body: (Measurement) throws -> Void) throws {
    try store.write { try body(try #require(try $0.object(ofType: Measurement.self, forPrimaryKey: 0))) }
  }

  @Test(arguments: StoreKind.allCases, [false, true]) func sets(_ kind: StoreKind, _ isLarge: Bool) throws {
    let store = try store(kind)
    let rest = isLarge ? Self.more : []
    try change(store) { $0.set.insert(objectsIn: rest) }
    try change(store) { item in
      for number in Self.nans + [-0.0, 0.0] { item.set.insert(number) }
      #expect(item.set.count == rest.count + 2)
      for number in Self.nans + [-0.0, 0.0] { #expect(item.set.contains(number)) }
    }
    try inEachScope(store) { item in
      #expect(item.set.count == rest.count + 2 && item.set.filter(\.isNaN).count == 1)
      #expect(item.set.filter { $0 == 0 }.count == 1)
      for number in Self.nans + [-0.0, 0.0] { #expect(item.set.contains(number)) }
      let unmanaged = MutableSet(rest + [-0.0, -.nan])
      #expect(unmanaged == item.set && item.set.subtracting(unmanaged).isEmpty)
    }
    try change(store) { item in
      item.set.remove(Self.nans[2])
      item.set.remove(-0.0)
    }
    try inEachScope(store) { item in
      #expect(item.set.count == rest.count)
      #expect(!item.set.contains(.nan) && !item.set.contains(0))
    }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func setsOfEachType(_ kind: StoreKind) throws {
    let store = try store(kind)
    let all = Self.nans + [0.0, -0.0]
    try change(store) { item in
      for number in all {
        item.optionals.insert(number)
        item.floats.insert(Float(number))
        item.dates.insert(Date(timeIntervalSinceReferenceDate: number))
        item.values.insert(.double(number))
        item.values.insert(.float(Float(number)))
        item.custom.insert(MeasuredValue(persistedValue: number))
        item.swift.insert(number)
      }
      for _ in 0..<2 { item.decimals.insert(.nan) }
    }
    try inEachScope(store) { item in
      #expect(item.optionals.count == 2 && item.floats.count == 2 && item.dates.count == 2)
      #expect(item.values.count == 4 && item.custom.count == 2 && item.decimals.count == 1)
      #expect(item.swift.count == 2)
      for number in all {
        #expect(item.optionals.contains(number) && item.floats.contains(Float(number)))
        #expect(item.values.contains(.double(number)) && item.values.contains(.float(Float(number))))
        #expect(item.custom.contains(MeasuredValue(persistedValue: number)))
        #expect(item.dates.contains(Date(timeIntervalSinceReferenceDate: number)))
      }
      #expect(item.decimals.contains(.nan))
    }
    #expect(AnyRealmValue.double(.nan) == .double(-.nan) && AnyRealmValue.double(0) == .double(-0.0))
    let values: [AnyRealmValue] = [.double(.nan), .double(-.nan), .decimal128(.nan), .decimal128(.nan)]
    #expect(Set(values).count == 2)
    #expect(AnyRealmValue.list([.double(0)]) != .list([.double(-0.0)]))
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases, [false, true]) func lists(_ kind: StoreKind, _ isLarge: Bool) throws {
    let store = try store(kind)
    let rest = isLarge ? Self.more : []
    try change(store) { $0.doubles.append(objectsIn: rest + [-0.0, -.nan]) }
    try inEachScope(store) { item in
      #expect(item.doubles.index(of: 0) == rest.count && item.doubles.index(of: .nan) == rest.count + 1)
      #expect(item.doubles.contains(.nan) && item.doubles.firstIndex(of: -0.0) == rest.count)
      #expect(List([0.0, -0.0, .nan, -.nan]).distinct().count == 2)
      #expect(List([Double.nan]) == List([-Double.nan]))
      // A list keeps the zero that it was given.
      #expect(item.doubles[rest.count].sign == .minus)
    }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func batches(_ kind: StoreKind) throws {
    let store = try store(kind)
    try change(store) { item in
      item.doubles.append(objectsIn: [-0.0, 1, .nan, 0.0])
      item.set.insert(objectsIn: [-0.0, 1, .nan])
    }
    var batch = store.batch()
    try batch.update(
      Measurement.self,
      forPrimaryKey: 0,
      .union(\.doubles, [0.0, -.nan, 2]),
      .union(\.set, [0.0, -.nan, 2])
    )
    try batch.commitAndWait()
    try inEachScope(store) { item in
      #expect(item.doubles.count == 5 && item.set.count == 4)
      #expect(item.set.contains(0) && item.set.contains(.nan))
    }
    batch = store.batch()
    try batch.update(
      Measurement.self,
      forPrimaryKey: 0,
      .remove(\.doubles, [0.0, .nan]),
      .remove(\.set, [-0.0, -.nan])
    )
    try batch.commitAndWait()
    try inEachScope(store) { item in
      #expect(Array(item.doubles) == [1, 2] && item.set.sorted() == [1, 2])
    }
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func uniqueIndexes(_ kind: StoreKind) throws {
    let store = try store(kind)
    for id in 0..<3 {
      let item = UniqueMeasurement(value: ["id": id])
      (item.double, item.float, item.decimal) = (.nan, .nan, .nan)
      item.date = Date(timeIntervalSinceReferenceDate: .nan)
      try store.saveAndWait(entity: item)
    }
    let items = store.store().objects(UniqueMeasurement.self)
    #expect(items.count == 3)
    #expect(items.where { $0.decimal == .nan }.isEmpty && items.where { $0.double == .nan }.isEmpty)
    try store.saveAndWait(
      entity: UniqueMeasurement(value: ["id": 7, "decimal": Decimal(3), "double": 0.0] as [String: Any])
    )
    let error = #expect(throws: FiefError.self) {
      try store.saveAndWait(
        entity: UniqueMeasurement(value: ["id": 8, "decimal": Decimal(3)] as [String: Any])
      )
    }
    #expect(error?.code == .duplicateValue)
    #expect(throws: FiefError.self) {
      try store.saveAndWait(entity: UniqueMeasurement(value: ["id": 8, "double": -0.0] as [String: Any]))
    }
    try store.write {
      try $0.delete(try #require(try $0.object(ofType: UniqueMeasurement.self, forPrimaryKey: 1)))
    }
    #expect(items.count == 3)
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func sectionsOfFrozenResults(_ kind: StoreKind) throws {
    let store = try store(kind)
    try store.write { transaction in
      for (id, number) in [Double.nan, .nan, .nan, 0, -0.0].enumerated() {
        try transaction.add(CornerNumber(value: ["id": id, "number": number]))
      }
    }
    let frozen = try store.store().objects(CornerNumber.self).fetchFrozen()
    for sections in [frozen.sectioned(by: \.number), frozen.sectioned(by: { $0.number })] {
      #expect(Set(sections.map(\.count)) == [2, 3] && sections.count == 2)
      for section in sections { #expect(section.thaw()?.count == section.count) }
    }
    store.closeChecked()
  }
}

final class CornerNumber: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = 0.0
}
