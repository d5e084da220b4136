import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// The place of nil in an order from an index, keys of several columns, and keys that are too many to hold.
@Suite(.timeLimit(.minutes(20)))
struct PlanOrderTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func items(_ inMemory: Bool) throws -> PlannedRepository {
    let repository = PlannedRepository(directory, inMemory: inMemory)
    try repository.store().write { scope in
      for id in 1...600 {
        let item = PlannedItem()
        item.id = id
        item.small = id % 4 == 0 ? nil : Int8(id % 7)
        item.flag = id % 2 == 0
        item.number = id % 60
        try scope.add(item)
      }
    }
    return repository
  }

  @Test(arguments: TestEffort.first(1, of: [false, true]))
  func nilGoesWhereItIsAskedFor(inMemory: Bool) throws {
    let repository = try items(inMemory)
    defer { repository.closeChecked() }
    let all = repository.store().objects(PlannedItem.self)
    let cases: [(ascending: Bool, nils: PropertyOrder.Nils, isFirst: Bool)] = [
      (true, .smallest, true), (true, .first, true), (true, .last, false), (false, .smallest, false),
      (false, .first, true), (false, .last, false),
    ]
    for (ascending, nils, isFirst) in cases {
      let comment = "\(ascending), \(nils)"
      let order = PropertyOrder(keyPath: "small", ascending: ascending, nils: nils)
      func value(_ id: Int) -> Int {
        id % 4 == 0 ? (isFirst ? -100 : 100) : ascending ? id % 7 : -(id % 7)
      }
      let expected = (1...600).sorted { (value($0), $0) < (value($1), $1) }
      let results = all.sorted(by: [order])
      let first = results.limit(20)
      #expect(try first.explain().order == .found, "\(comment)")
      #expect(first.map(\.id) == Array(expected.prefix(20)), "\(comment)")
      // Across the end of what is nil.
      let later = results.offset(140).limit(30)
      #expect(later.map(\.id) == Array(expected[140..<170]), "\(comment)")
      #expect(results.limit(toLast: 170).map(\.id) == Array(expected.suffix(170)), "\(comment)")
      #expect(results.map(\.id) == expected, "\(comment)")
      var paged: [Int] = []
      var cursor: QueryCursor?
      repeat {
        let page = try results.page(37, after: cursor)
        paged += page.objects.map(\.id)
        cursor = page.hasMore ? page.end : nil
      } while cursor != nil
      #expect(paged == expected, "\(comment)")
    }
  }

  @Test(arguments: [true, false]) func keysOfTwoColumnsAreRangesOfRecords(inMemory: Bool) throws {
    let repository = PlannedRepository(directory, inMemory: inMemory)
    try repository.store().write { scope in
      for row in ["A", "B", "C", "D"] {
        for place in 0..<200 {
          let seat = PlannedSeat()
          seat.row = row
          seat.place = place
          seat.price = place % 50
          try scope.add(seat)
        }
      }
    }
    defer { repository.closeChecked() }
    let seats = repository.store().objects(PlannedSeat.self)
    func names(_ results: Results<PlannedSeat>) -> [String] { results.map { "\($0.row)\($0.place)" } }
    let one = seats.where { $0.row == "C" && $0.place == 7 }
    #expect(try one.explain().access == .key(ranges: ["= 'C', 7"]))
    #expect(names(one) == ["C7"])
    let some = seats.where { $0.row.in(["D", "A"]) && $0.place.in([3, 1, 500]) }
    #expect(try some.explain().access != .scan)
    #expect(try some.explain().condition == nil)
    #expect(names(some) == ["A1", "A3", "D1", "D3"] && some.count == 4)
    let rows = seats.where { $0.row > "A" && $0.row < "C" }
    #expect(try rows.explain().condition == nil)
    #expect(try rows.explain(.count).isIndexOnly)
    #expect(rows.count == 200 && names(rows.limit(2)) == ["B0", "B1"])
    // The places of one row are in order, in both directions, and pages are ranges.
    let places = seats.where { $0.row == "B" }.sorted(byKeyPath: "place", ascending: false)
    #expect(try places.explain().order == .found)
    #expect(try places.explain().isBackward)
    #expect(names(places.limit(3)) == ["B199", "B198", "B197"])
    let page = try places.page(3, after: nil)
    let next = places.limit(3).offset(3)
    let second = try places.page(3, after: page.end)
    #expect(second.objects.map(\.place) == next.map(\.place))
    // The second column alone says nothing of the key.
    let place = seats.where { $0.place == 5 }
    #expect(try place.explain().access == .scan)
    #expect(names(place) == ["A5", "B5", "C5", "D5"])
    let price = seats.where { $0.price == 3 && $0.row == "B" }
    #expect(names(price) == ["B3", "B53", "B103", "B153"])
  }

  @Test(arguments: [true, false]) func tooManyKeysAreAScan(inMemory: Bool) throws {
    let repository = try items(inMemory)
    defer { repository.closeChecked() }
    let core = try repository.store().core()
    let table = try #require(core.tables["PlannedItem"])
    let index = try #require(table.indexes.first { $0.columns.map(\.name) == ["number"] })
    let condition = QueryCondition.any([
      .comparison(.path(QueryPath("number")), .less, .value(.integer(10))),
      .comparison(.path(QueryPath("number")), .equal, .value(.integer(20))),
    ])
    let expected = (1...600).filter { $0 % 60 < 10 || $0 % 60 == 20 }
    try core.read { transaction in
      let binder = QueryBinder(tables: core.tables, table: table, names: .columns)
      var description = QueryDescription()
      description.condition = condition
      let records = try #require(table.records)
      let search = try PlanSearch(description, binder, transaction, records: records)
      let environment = QueryEnvironment(tables: core.tables, transaction: transaction)
      let match = try search.match(PlannedTree(index, of: table))
      #expect(match.ranges.count == 2)
      for limit in [KeyList.limit, 1000, 0] {
        let access = KeySetAccess(
          table: table,
          source: .ranges(match.source),
          isBackward: false,
          condition: nil,
          wholeCondition: try binder.condition(condition)
        )
        access.keyLimit = limit
        var found: [Int] = []
        var position: QueryPosition?
        repeat {
          var rest = 13
          position = try access.forEachRow(in: environment, after: position) { row in
            found.append(Int(ObjectKey(row.key).description) ?? -1)
            rest -= 1
            return rest > 0
          }
        } while position != nil
        #expect(found == expected, "\(limit)")
        #expect(try access.count(in: environment) == expected.count, "\(limit)")
        var keys = 0
        _ = try access.forEachKey(in: environment, after: nil) { _ in
          keys += 1
          return true
        }
        #expect(keys == expected.count, "\(limit)")
      }
    }
  }
}
