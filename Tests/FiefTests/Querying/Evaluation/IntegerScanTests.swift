import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

private enum Early {
  final class Row: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var short: Int16 = 0
    @Persisted var second: Int?
    @Persisted var third = 0
    @Persisted var fourth: Int32?
    @Persisted var fifth = 0
    @Persisted var sixth: Int?
    @Persisted var flag: Bool?
    @Persisted var name: String?
    override class func className() -> String { "IntegerScanRow" }
  }
}

private enum Late {
  final class Row: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var short = 0
    @Persisted var second: Int?
    @Persisted var third = 0
    @Persisted var fourth: Int?
    @Persisted var fifth = 0
    @Persisted var sixth: Int?
    @Persisted var flag: Bool?
    @Persisted var name: String?
    @Persisted var added: Int?
    override class func className() -> String { "IntegerScanRow" }
  }
}

/// Scans go along the bytes of integers, a page at a time: of every width, with nil and without, in records of
/// this and of an earlier layout.
@Suite(.timeLimit(.minutes(20))) struct IntegerScanTests {
  private struct Values {
    var id: Int
    var short: Int
    var second: Int?
    var third: Int
    var fourth: Int?
    var fifth: Int
    var sixth: Int?
    var added: Int?

    init(_ id: Int, _ random: inout SeededGenerator) {
      self.id = id
      short = Values.number(16, &random)
      second = Values.optional(62, &random)
      third = Values.number(40, &random)
      fourth = Values.optional(32, &random)
      fifth = Values.number(50, &random)
      sixth = Values.optional(62, &random)
    }

    /// A number of any width, around which it becomes wider too.
    static func number(_ bits: Int, _ random: inout SeededGenerator) -> Int {
      let width =
        [3, 7, 8, 15, 16, 31, 32, 50, 62].filter { $0 < bits - 1 }.randomElement(using: &random) ?? 3
      let edge = 1 << width
      let number = edge + Int.random(in: -2...2, using: &random)
      return Bool.random(using: &random) ? number : -number
    }

    static func optional(_ bits: Int, _ random: inout SeededGenerator) -> Int? {
      Int.random(in: 0..<4, using: &random) == 0 ? nil : number(bits, &random)
    }
  }

  private static let columns: [(name: String, value: @Sendable (Values) -> Int?)] = [
    ("short", { $0.short }), ("second", { $0.second }), ("third", { $0.third }), ("fourth", { $0.fourth }),
    ("fifth", { $0.fifth }), ("sixth", { $0.sixth }), ("added", { $0.added }), ("id", { $0.id }),
  ]

  @Test func scansAreThoseOfAnArray() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    var values = (0..<700).map { Values($0, &random) }
    try MigratingStore.withDirectory { directory in
      try MigratingStore(directory, version: 1, [Early.Row.self]).opened { store in
        try store.write { transaction in
          for value in values.prefix(300) {
            let row = Early.Row()
            row.id = value.id
            row.short = Int16(value.short)
            row.second = value.second
            row.third = value.third
            row.fourth = value.fourth.map { Int32($0) }
            row.fifth = value.fifth
            row.sixth = value.sixth
            row.name = value.id % 3 == 0 ? nil : String(repeating: "x", count: value.id % 40)
            try transaction.add(row)
          }
        }
      }
      try MigratingStore(directory, version: 2, [Late.Row.self]).opened { store in
        for index in 300..<values.count { values[index].added = Values.optional(20, &random) }
        try store.write { transaction in
          for value in values[300...] {
            let row = Late.Row()
            row.id = value.id
            row.short = value.short
            row.second = value.second
            row.third = value.third
            row.fourth = value.fourth
            row.fifth = value.fifth
            row.sixth = value.sixth
            row.added = value.added
            try transaction.add(row)
          }
          try compare(transaction.objects(Late.Row.self), values, &random, seed)
        }
        try store.read { try compare($0.objects(Late.Row.self), values, &random, seed) }
      }
    }
  }

  private func compare(
    _ rows: Results<Late.Row>,
    _ values: [Values],
    _ random: inout SeededGenerator,
    _ seed: UInt64
  ) throws {
    for (name, value) in Self.columns {
      let all = values.compactMap(value)
      let comment: Comment = "\(name), seed \(seed)"
      if let sum = Self.sum(all) {
        let found: Int = try rows.fetchSum(ofProperty: name)
        #expect(found == sum, comment)
      }
      for _ in 0..<TestEffort.count(4, more: 12) {
        let low = all.randomElement(using: &random) ?? 0
        let high = max(all.randomElement(using: &random) ?? 0, low)
        let conditions: [(QueryComparison, (Int?) -> Bool)] = [
          (.equal, { $0 == low }), (.notEqual, { $0 != low }), (.less, { ($0 ?? low) < low }),
          (.greaterOrEqual, { ($0 ?? low - 1) >= low }),
        ]
        for (comparison, holds) in conditions {
          let condition = QueryCondition.comparison(
            .path(QueryPath(name)),
            comparison,
            .value(.integer(Int64(low)))
          )
          let found = try rows.filtered(by: condition).all().map(\.id)
          #expect(found == values.filter { holds(value($0)) }.map(\.id), "\(comparison) \(low) \(comment)")
        }
        let within = QueryCondition.all([
          .comparison(.path(QueryPath(name)), .greaterOrEqual, .value(.integer(Int64(low)))),
          .comparison(.path(QueryPath(name)), .lessOrEqual, .value(.integer(Int64(high)))),
          .comparison(.path(QueryPath("third")), .greater, .value(.integer(0))),
        ])
        let some = values.filter { row in value(row).map { low...high ~= $0 } == true && row.third > 0 }
        let found = rows.filtered(by: within)
        #expect(try found.fetchCount() == some.count, comment)
        #expect(
          try found.sorted(byKeyPath: "id", ascending: false).all().map(\.id) == some.map(\.id).reversed()
        )
        if let sum = Self.sum(some.compactMap(value)) {
          let added: Int = try found.fetchSum(ofProperty: name)
          #expect(added == sum, comment)
        }
      }
    }
  }

  private static func sum(_ values: [Int]) -> Int? {
    Int(exactly: values.reduce(Int128(0)) { $0 + Int128($1) })
  }
}
