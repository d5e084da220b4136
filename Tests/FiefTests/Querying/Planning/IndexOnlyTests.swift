import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Aggregates, counts and tests for existence that an index answers without the records.
@Suite(.timeLimit(.minutes(20)))
struct IndexOnlyTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func store(_ inMemory: Bool, _ count: Int, _ fill: (PlannedItem) -> Void) throws
    -> PlannedRepository
  {
    let repository = PlannedRepository(directory, inMemory: inMemory)
    try repository.store().write { scope in
      for id in 1...count {
        let item = PlannedItem()
        item.id = id
        fill(item)
        try scope.add(item)
      }
    }
    return repository
  }

  /// The result of `body`, which passes over no record: only that of the least or the greatest value is looked up.
  private func withoutRecords<Value>(_ repository: PlannedRepository, _ body: () throws -> Value) throws
    -> Value
  {
    let counters = try repository.store().core().counters
    let before = counters.current.matchedRows
    let value = try body()
    #expect(counters.current.matchedRows == before)
    return value
  }

  @Test(arguments: TestEffort.first(1, of: [false, true])) func entriesTellAggregates(inMemory: Bool) throws {
    let repository = try store(inMemory, 2000) { item in
      let id = item.id
      item.number = id % 300 - 100
      item.small = id % 3 == 0 ? nil : Int8(id % 5)
      item.double = id % 10 == 0 ? .nan : Double(id % 64) / 4
      item.float = id % 4 == 0 ? nil : Float(id % 9) - 4
      let amount: Decimal = id % 7 == 0 ? .nan : Decimal(id % 11) / 4
      item.amount = id % 6 == 0 ? nil : amount
      item.date = Date(timeIntervalSinceReferenceDate: Double(id % 500))
      item.text = id % 5 == 0 ? nil : "text \(id % 10)"
    }
    defer { repository.closeChecked() }
    let all = repository.store().objects(PlannedItem.self)
    let numbers = (1...2000).map { $0 % 300 - 100 }
    for use in [QueryPlan.Use.sum("number"), .average("number"), .min("number"), .max("number")] {
      let plan = try all.explain(use)
      #expect(plan.isIndexOnly && plan.description.contains("index only"), "\(use)")
      guard case .index(let columns, ranges: []) = plan.access else {
        Issue.record("\(plan)")
        continue
      }
      #expect(columns.first == "number")
    }
    try withoutRecords(repository) { () throws in
      #expect(try all.fetchSum(of: \.number) == numbers.reduce(0, +))
      #expect(try all.fetchAverage(of: \.number) == Double(numbers.reduce(0, +)) / 2000)
      #expect(try all.fetchMin(of: \.number) == -100)
      #expect(try all.fetchMax(of: \.number) == 199)
      // Nil values do not count.
      let smalls: [Int] = (1...2000).filter { $0 % 3 != 0 }.map { $0 % 5 }
      let average: Double = Double(smalls.reduce(0, +)) / Double(smalls.count)
      #expect(try all.fetchAverage(of: \.small) == average)
      #expect(try all.fetchMin(of: \.small) == 0)
      #expect(try all.fetchMax(of: \.small) == 4)
      // A NaN is no extreme, and makes the sum a NaN.
      #expect(try all.fetchMin(of: \.double) == 0)
      #expect(try all.fetchMax(of: \.double) == 63 / 4.0)
      #expect(try all.fetchSum(of: \.double).isNaN)
      #expect(try all.fetchMin(of: \.float) == -4)
      #expect(try all.fetchMax(of: \.float) == 4)
      #expect(try all.fetchMin(of: \.amount) == 0)
      #expect(try all.fetchMax(of: \.amount) == 2.5)
      #expect(try all.fetchSum(of: \.amount).isNaN)
      #expect(try all.fetchMax(of: \.date) == Date(timeIntervalSinceReferenceDate: 499))
      #expect(try all.fetchMin(of: \.text) == "text 1")
      #expect(try all.fetchMax(of: \.text) == "text 9")
    }
  }

  @Test(arguments: TestEffort.first(1, of: [true, false]))
  func conditionsOfTheSameIndexAreAnswered(inMemory: Bool) throws {
    let repository = try store(inMemory, 2000) { item in
      item.number = item.id % 200
      item.text = item.id % 9 == 0 ? nil : "text \(item.id % 10)"
      item.small = item.id % 3 == 0 ? nil : Int8(item.id % 3)
      item.double = Double(item.id) / 4
      item.plain = item.id % 7
    }
    defer { repository.closeChecked() }
    let all = repository.store().objects(PlannedItem.self)
    let ids = Array(1...2000)
    try withoutRecords(repository) { () throws in
      // A range of the column itself, most of the objects too.
      let range = all.where { $0.number >= 20 && $0.number < 180 }
      #expect(try range.explain(.sum("number")).isIndexOnly)
      let inRange: [Int] = ids.map { $0 % 200 }.filter { $0 >= 20 && $0 < 180 }
      #expect(try range.fetchSum(of: \.number) == inRange.reduce(0, +))
      #expect(try range.fetchMin(of: \.number) == 20)
      #expect(try range.fetchMax(of: \.number) == 179)
      #expect(try range.fetchCount() == inRange.count)
      #expect(try range.explain(.count).isIndexOnly)
      // A column before it in an index of several.
      let text = all.where { $0.text == "text 3" }
      let expected: [Double] = ids.filter { $0 % 9 != 0 && $0 % 10 == 3 }.map { Double($0) / 4 }
      #expect(try text.explain(.sum("double")).access == .index(["text", "double"], ranges: ["= 'text 3'"]))
      #expect(try text.fetchSum(of: \.double) == expected.reduce(0, +))
      #expect(try text.fetchMin(of: \.double) == expected.min())
      #expect(try text.fetchMax(of: \.double) == expected.max())
      let three = all.where { $0.number == 3 }
      #expect(try three.fetchMin(of: \.text) == "text 3")
      #expect(try three.fetchMin(of: \.number) == 3)
      // No object at all.
      let none = all.where { $0.number == 3000 }
      #expect(try none.fetchMin(of: \.number) == nil)
      #expect(try none.fetchSum(of: \.number) == 0)
      #expect(try none.fetchAverage(of: \.number) == nil)
      #expect(try !none.fetchExists())
      #expect(try all.where { $0.small == nil }.fetchMax(of: \.small) == nil)
      #expect(try text.fetchExists())
      #expect(!all.isEmpty)
      #expect(try text.limit(7).fetchCount() == 7)
    }
    // A column that is in no index is read from the records.
    #expect(try all.where { $0.number == 3 }.fetchMin(of: \.small) == 1)
    let plain = all.where { $0.plain == 3 }
    #expect(try !plain.explain(.sum("number")).isIndexOnly)
    #expect(try !plain.explain(.count).isIndexOnly)
    let numbers: [Int] = ids.filter { $0 % 7 == 3 }.map { $0 % 200 }
    #expect(try plain.fetchSum(of: \.number) == numbers.reduce(0, +))
    #expect(try plain.fetchMax(of: \.number) == numbers.max())
    #expect(try !all.explain(.sum("plain")).isIndexOnly)
    #expect(try !all.explain().isIndexOnly)
    #expect(throws: FiefError.self) { try all.explain(.sum("name")) }
    #expect(throws: FiefError.self) { try all.explain(.min("nothing")) }
  }

  @Test(arguments: [true, false]) func whatEntriesDoNotTellIsRead(inMemory: Bool) throws {
    let long = String(repeating: "x", count: 300)
    let repository = try store(inMemory, 200) { item in
      item.text = long + (item.id == 77 ? "a" : item.id == 78 ? "z" : "m\(item.id)")
      item.double = Double(item.id)
      item.number = .max
    }
    defer { repository.closeChecked() }
    let all = repository.store().objects(PlannedItem.self)
    #expect(try all.fetchMin(of: \.text) == long + "a")
    #expect(try all.fetchMax(of: \.text) == long + "z")
    // The second column is behind what was cut.
    #expect(try all.where { $0.text == long + "z" }.fetchSum(of: \.double) == 78)
    #expect(try all.where { $0.text > "x" }.fetchSum(of: \.double) == Double((1...200).reduce(0, +)))
    // The sum is computed in 128 bits, and is an error where the result does not fit.
    #expect(try all.fetchAverage(of: \.number) == Double(Int.max))
    do {
      _ = try all.fetchSum(of: \.number)
      Issue.record("a sum that fits")
    } catch let error as FiefError {
      #expect(error.code == .invalidValue && error.property == "number")
    }
  }
}
