import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// A store with objects of two layout versions, and the same objects as plain values.
final class EvaluationStore {
  static let texts = [
    "", "a", "A", "ab", "Ab", "aB1", "é", "É", "e\u{301}", "ß", "ss", "b*?", "\u{1}\u{0}a", "日本",
  ]
  static let doubles: [Double] = [-2.5, -1, -0.0, 0, 0.125, 1, 2.5, 3, 100, .infinity, -.infinity, .nan]
  static let uuids = (1...3).map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
  static let ids = (1...3).map { ObjectId(bytes: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
  static let codes = ["", "a", "b\u{0}c", "b\u{1}", "zoe"]

  let repository: EvaluationRepository
  private var random: PieceRandom

  init(directory: String, seed: UInt64) throws {
    random = PieceRandom(seed: seed)
    repository = .after(directory)
    let before = EvaluationRepository.before(directory)
    try before.write { transaction in
      let owners = Self.codes.map { EvaluationBefore.Owner(value: ["code": $0]) }
      for (index, owner) in owners.enumerated() {
        owner.age = index % 2 == 0 ? index : nil
        owner.boss = index == 0 ? nil : owners[index - 1]
      }
      try transaction.add(owners)
      for id in 0..<30 { try transaction.add(earlier(id, owners)) }
    }
    before.close()
    try repository.write { transaction in
      let owners = Array(transaction.objects(EvaluationAfter.Owner.self))
      for id in 30..<70 { try transaction.add(later(id, owners)) }
    }
  }

  private func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private func maybe<Value>(_ value: @autoclosure () -> Value) -> Value? {
    one(of: [true, true, false]) ? value() : nil
  }

  private func some<Value>(_ value: () -> Value) -> [Value] {
    (0..<one(of: [0, 1, 2, 4])).map { _ in value() }
  }

  private func earlier(_ id: Int, _ owners: [EvaluationBefore.Owner]) -> EvaluationBefore.Item {
    let item = EvaluationBefore.Item()
    item.id = id - 10
    item.small = one(of: [-300, -1, 0, 1, 2, 3])
    item.maybe = maybe(one(of: [-1, 0, 3, 127]))
    item.whole = one(of: [-3, 0, 1, 70_000])
    item.ratio = Float(one(of: Self.doubles))
    item.weight = maybe(one(of: Self.doubles))
    item.isOn = one(of: [true, false])
    item.name = one(of: Self.texts)
    item.nick = maybe(one(of: Self.texts))
    item.when = maybe(Date(timeIntervalSinceReferenceDate: one(of: [-1, 0, 0.5, 9])))
    item.owner = maybe(one(of: owners))
    item.part = maybe(EvaluationBefore.Part(value: ["size": one(of: [0, 1, 2])]))
    item.part?.label = maybe(one(of: Self.texts))
    item.numbers.append(objectsIn: some { one(of: [-1, 0, 1, 2, 3]) })
    item.owners.append(objectsIn: some { one(of: owners) })
    return item
  }

  private func later(_ id: Int, _ owners: [EvaluationAfter.Owner]) -> EvaluationAfter.Item {
    let item = EvaluationAfter.Item()
    item.id = id - 10
    item.small = one(of: [.min, -300, -1, 0, 1, 2, 3, .max])
    item.maybe = maybe(one(of: [-1, 0, 3, 127]))
    item.whole = one(of: Self.doubles)
    item.ratio = maybe(one(of: Self.doubles))
    item.weight = maybe(one(of: Self.doubles))
    item.isOn = maybe(one(of: [true, false]))
    item.name = one(of: Self.texts)
    item.nick = one(of: Self.texts)
    item.when = maybe(Date(timeIntervalSinceReferenceDate: one(of: [-1, 0, 0.5, 9])))
    item.owner = maybe(one(of: owners))
    item.part = maybe(part())
    item.numbers.append(objectsIn: some { one(of: [-1, 0, 1, 2, 3]) })
    item.owners.append(objectsIn: some { one(of: owners) })
    item.added = one(of: [1, 7, 8])
    item.tag = maybe(one(of: Self.texts))
    item.bytes = maybe(Data(one(of: [[], [0], [1, 2], [2]])))
    item.uuid = maybe(one(of: Self.uuids))
    item.objectId = maybe(one(of: Self.ids))
    item.price = maybe(one(of: [-1.5, 0, 1, 2.5, 1_000_000].map { Decimal($0) }))
    item.any = anyValue()
    item.words.insert(objectsIn: some { one(of: Self.texts) })
    for key in some({ one(of: ["a", "b", "c"]) }) { item.counts[key] = one(of: [0, 1, 2]) }
    item.parts.append(objectsIn: some { part() })
    item.optionals.append(objectsIn: some { maybe(one(of: [0, 1, 2])) })
    return item
  }

  private func part() -> EvaluationAfter.Part {
    let part = EvaluationAfter.Part(value: [
      "size": one(of: [0, 1, 2]) as Int, "extra": one(of: [0.5, 1.5]),
    ])
    part.label = maybe(one(of: Self.texts))
    return part
  }

  private func anyValue() -> AnyRealmValue {
    one(of: [
      .none, .int(1), .int(3), .double(1), .float(2.5), .string("a"), .string("é"), .bool(true),
      .data(Data([1, 2])),
      .decimal128(Decimal(1)), .uuid(Self.uuids[0]), .date(Date(timeIntervalSinceReferenceDate: 0)),
      .objectId(Self.ids[1]),
    ])
  }

  /// The keys of the items that a condition holds for, by the evaluation of records.
  func keys(_ condition: QueryCondition) throws -> [[UInt8]] {
    let core = try repository.store().core()
    let table = try #require(core.tables["Item"])
    let binder = QueryBinder(tables: core.tables, table: table, names: core.queryNames)
    let condition = try binder.condition(condition)
    return try core.read { transaction in
      let environment = QueryEnvironment(tables: core.tables, transaction: transaction)
      let cursor = try transaction.cursor(try #require(table.records))
      var keys: [[UInt8]] = []
      while try cursor.next() {
        let row = try QueryRow(key: cursor.key, record: cursor.value, of: table)
        if try condition.holds(row, in: environment) { keys.append([UInt8](cursor.key)) }
      }
      return keys
    }
  }

  /// The items as plain values, in the order of their keys.
  func plainItems() throws -> [PlainObject] {
    try repository.read { snapshot in
      var owners: [String: PlainObject] = [:]
      for owner in snapshot.objects(EvaluationAfter.Owner.self) { owners[owner.code] = PlainObject(owner) }
      for owner in snapshot.objects(EvaluationAfter.Owner.self) {
        owners[owner.code]?.values["boss"] = PlainValue(owner.boss.flatMap { owners[$0.code] })
      }
      let items = snapshot.objects(EvaluationAfter.Item.self).map { PlainObject($0, owners) }
      for (code, owner) in owners {
        let linking = items.filter {
          if case .object(let other)? = $0.values["owner"] { other === owner } else { false }
        }
        owners[code]?.values["items"] = .list(linking.map { .object($0) })
      }
      return items
    }
  }
}
