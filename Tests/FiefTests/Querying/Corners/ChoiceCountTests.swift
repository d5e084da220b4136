import Fief
import Foundation
import Testing

@testable import FiefCore

final class ChoiceItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number: Int?
  @Persisted var value: AnyRealmValue
}

/// Beside a value of any type a literal has two readings, as a double and as a decimal. Choices inside of each other have both of them
/// after one evaluation.
@Suite("Choices beside values of any type", .timeLimit(.minutes(20)))
struct ChoiceCountTests {
  private final class CountedOperand: RowOperand {
    private let value: RowValue
    private(set) var count = 0

    init(_ value: RowValue) {
      self.value = value
      super.init(kind: .any)
    }

    override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
      count += 1
      return value
    }
  }

  private final class CountedCondition: RowCondition {
    private let result: Bool
    private(set) var count = 0

    init(_ result: Bool) { self.result = result }

    override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
      count += 1
      return result
    }
  }

  private static func with(_ place: TypedPlace, _ body: (TypedStore) throws -> Void) throws {
    let store = try TypedStore(place, [ChoiceItem.self])
    try store.write { write in
      for id in 0..<3 {
        let item = try write.create(ChoiceItem.self, value: ["id": id])
        let decimal = try #require(Decimal(string: "19.99"))
        item.value = ([.none, .decimal128(decimal), .double(19.99)] as [AnyRealmValue])[id]
      }
    }
    try body(store)
  }

  /// Calls a closure with a row of the store.
  private static func withRow(of store: TypedStore, _ body: (QueryRow, QueryEnvironment) throws -> Void)
    throws
  {
    let core = try store.store().core()
    try core.read { transaction in
      let table = try #require(core.tables["ChoiceItem"])
      let cursor = try transaction.cursor(try #require(table.records))
      try #require(try cursor.next())
      let environment = QueryEnvironment(tables: core.tables, transaction: transaction)
      try body(try QueryRow(key: cursor.key, record: cursor.value, of: table), environment)
    }
  }

  @Test("are evaluated once for each row", arguments: TypedPlace.allCases)
  func counts(place: TypedPlace) throws {
    try Self.with(place) { store in
      try Self.withRow(of: store) { row, environment in
        let last = CountedOperand(.integer(7))
        var (operands, conditions): ([CountedOperand], [CountedCondition]) = ([], [])
        var choice: RowOperand = last
        for level in 0..<60 {
          let operand = CountedOperand(.null)
          operands.append(operand)
          if level % 2 == 0 {
            choice = CoalescedOperand(operand, choice, kind: .any)
          } else {
            let condition = CountedCondition(level % 4 == 1)
            conditions.append(condition)
            choice =
              level % 4 == 1
              ? ConditionalOperand(condition, choice, operand, kind: .any)
              : ConditionalOperand(condition, operand, choice, kind: .any)
          }
          // Arithmetic and the opposite of the opposite between the choices.
          if level % 10 == 9 {
            let zero = ConstantOperand(.integer(0), kind: .int64)
            choice = NegativeOperand(NegativeOperand(ArithmeticOperand(choice, .add, zero, kind: .any)))
          }
        }
        let comparison = ComparisonCondition(choice, .equal, ConstantOperand(.integer(7), kind: .int64))
        let holds = try comparison.holds(row, in: environment)
        #expect(holds)
        #expect(last.count == 1)
        #expect(conditions.map(\.count) == Array(repeating: 1, count: 30))
        // The operand of a conditional that was not chosen is not evaluated.
        #expect(operands.map(\.count) == (0..<60).map { $0 % 2 == 0 ? 1 : 0 })
      }
    }
  }

  @Test("have both readings of their literals inside of each other", arguments: TypedPlace.allCases)
  func deepTexts(place: TypedPlace) throws {
    let depth = 12
    let choices: [(name: String, wrap: (String) -> String)] = [
      ("??", { "(number ?? \($0))" }),
      ("COALESCE", { "COALESCE(number, \($0))" }),
      ("TERNARY", { "TERNARY(id >= 0, \($0), number)" }),
      ("the other TERNARY", { "TERNARY(id < 0, value, \($0))" }),
    ]
    try Self.with(place) { store in
      for (name, wrap) in choices {
        let nested = (0..<depth).reduce("19.99") { text, _ in wrap(text) }
        // A literal is the decimal that it is written as beside a decimal, and the double beside a double.
        for text in ["value == \(nested)", "\(nested) == value"] {
          let found = try store.store().objects(ChoiceItem.self).filter(text).all()
          #expect(found.map(\.id).sorted() == [1, 2], "\(name)")
        }
        let values = (0..<depth).reduce("value") { text, _ in wrap(text) }
        let found = try store.store().objects(ChoiceItem.self).filter("\(values) == 19.99").all().map(\.id)
        #expect(found.sorted() == [1, 2], "\(name)")
      }
    }
  }
}
