import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// The choice of the access path, and that it finds the right objects.
@Suite(.timeLimit(.minutes(20)))
struct PlanTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Two thousand items: `number` is `id % 200`, `text` one of ten, `name` one of twenty-six, `small` of three.
  private func store(_ inMemory: Bool) throws -> PlannedRepository {
    let repository = PlannedRepository(directory, inMemory: inMemory)
    try repository.store().write { scope in
      for id in 1...2000 {
        let item = PlannedItem()
        item.id = id
        item.number = id % 200
        item.small = id % 3 == 0 ? nil : Int8(id % 3)
        item.double = Double(id) / 4
        item.date = Date(timeIntervalSinceReferenceDate: Double(id % 500))
        item.text = "text \(id % 10)"
        item.name = String(Unicode.Scalar(UInt8(ascii: "A") + UInt8(id % 26))) + "\(id % 7)"
        item.plain = id % 5
        try scope.add(item)
      }
      for row in ["A", "B", "C"] {
        for place in 0..<100 {
          let seat = PlannedSeat()
          seat.row = row
          seat.place = place
          seat.price = place % 4
          try scope.add(seat)
        }
      }
    }
    return repository
  }

  private func results<Element: Object>(
    _ repository: PlannedRepository,
    _ type: Element.Type,
    _ text: String
  ) -> Results<Element> {
    repository.store().objects(type).filter(text)
  }

  /// The short form has each test in one place only.
  static let firstInMemory = TestEffort.first(1, of: [true, false])
  static let firstOnDisk = TestEffort.first(1, of: [false, true])

  private typealias Access = QueryPlan.Access

  @Test(arguments: firstOnDisk) func keysAreLookedUp(inMemory: Bool) throws {
    let repository = try store(inMemory)
    defer { repository.closeChecked() }
    let one = results(repository, PlannedItem.self, "id == 7")
    #expect(try one.explain().access == .key(ranges: ["= 7"]))
    #expect(try one.explain().condition == nil)
    #expect(one.map(\.id) == [7])
    let some = results(repository, PlannedItem.self, "id IN {9, 3, 5000, 3}")
    #expect(try some.explain().access == .key(ranges: ["= 3", "= 9", "= 5000"]))
    #expect(some.map(\.id) == [3, 9])
    let range = results(repository, PlannedItem.self, "id >= 10 AND id < 13 AND plain != 1")
    #expect(try range.explain().access == .key(ranges: ["≥ 10 and < 13"]))
    #expect(try range.explain().condition == "plain != 1")
    #expect(range.map(\.id) == [10, 12])
    let row = results(repository, PlannedSeat.self, "row == 'B' AND place < 3")
    #expect(try row.explain().access == .key(ranges: ["≥ 'B'… and < 'B', 3"]))
    #expect(row.map(\.place) == [0, 1, 2])
    #expect(try results(repository, PlannedItem.self, "id == 3.5").explain().access == .nothing)
  }

  @Test(arguments: firstInMemory) func indexesAreUsedWhereFewObjectsAreLeft(inMemory: Bool) throws {
    let repository = try store(inMemory)
    defer { repository.closeChecked() }
    let equal = results(repository, PlannedItem.self, "double == 5.25")
    #expect(try equal.explain().access == .index(["double"], ranges: ["= 5.25"]))
    #expect(equal.map(\.id) == [21])
    let range = results(repository, PlannedItem.self, "double > 5.25 AND double <= 6")
    #expect(range.map(\.id) == [22, 23, 24])
    guard case .index(["double"], _) = try range.explain().access else {
      Issue.record("\(try range.explain())")
      return
    }
    let most = results(repository, PlannedItem.self, "double > 5.25")
    #expect(try most.explain().access == .scan)
    #expect(most.count == 2000 - 21)
    let compound = repository.store().objects(PlannedItem.self).filtered(
      by: .all([
        .comparison(.path(QueryPath("number")), .equal, .value(.integer(11))),
        .comparison(.path(QueryPath("text")), .equal, .value(.string("text 1"))),
      ])
    )
    let access = try compound.explain().access
    #expect(access == .index(["number", "text"], ranges: ["= 11, 'text 1'"]))
    #expect(try compound.explain().condition == nil)
    #expect(compound.map(\.id) == stride(from: 11, through: 2000, by: 200).map { $0 })
    let folded = results(repository, PlannedItem.self, "name ==[c] 'b1' AND number == 1")
    #expect(try folded.explain().access == .index(["name", "number"], ranges: ["= 'b1', 1"]))
    #expect(folded.map(\.id) == (1...2000).filter { $0 % 26 == 1 && $0 % 7 == 1 && $0 % 200 == 1 })
  }

  @Test(arguments: firstOnDisk) func severalIndexesArePutTogether(inMemory: Bool) throws {
    let repository = try store(inMemory)
    defer { repository.closeChecked() }
    let union = results(repository, PlannedItem.self, "double == 5 OR number == 7 OR id == 20")
    guard case .union(let parts) = try union.explain().access else {
      Issue.record("\(try union.explain())")
      return
    }
    #expect(parts.count == 3)
    #expect(union.map(\.id) == (1...2000).filter { $0 == 20 || $0 % 200 == 7 })
    #expect(union.count == 11)
    let scan = results(repository, PlannedItem.self, "double == 5 OR plain == 3")
    #expect(try scan.explain().access == .scan)
    #expect(scan.count == (1...2000).filter { $0 == 20 || $0 % 5 == 3 }.count)
  }

  @Test(arguments: firstInMemory) func ordersComeFromIndexes(inMemory: Bool) throws {
    let repository = try store(inMemory)
    defer { repository.closeChecked() }
    let all = repository.store().objects(PlannedItem.self)
    let first = all.sorted(byKeyPath: "date", ascending: false).limit(3)
    #expect(try first.explain().order == .found)
    #expect(try first.explain().isBackward)
    // Ties are in the order of the keys, whatever the direction of the values.
    #expect(first.map(\.id) == [499, 999, 1499])
    let rising = all.sorted(byKeyPath: "number").limit(3)
    #expect(try rising.explain().order == .found)
    #expect(rising.map(\.id) == [200, 400, 600])
    let kept = all.sorted(byKeyPath: "plain").limit(3)
    #expect(try kept.explain().order == .sortedKeeping(3))
    #expect(kept.map(\.id) == [5, 10, 15])
    #expect(try all.sorted(byKeyPath: "plain").explain().order == .sorted)
    #expect(try all.sorted(byKeyPath: "id", ascending: false).explain().order == .found)
  }

  @Test(arguments: firstOnDisk) func descriptionsAreForPeople(inMemory: Bool) throws {
    let repository = try store(inMemory)
    defer { repository.closeChecked() }
    let plan = try results(repository, PlannedItem.self, "double == 5 AND plain == 0").explain()
    #expect(
      plan.description == """
        PlannedItem: index (double) = 5.0
          looks at about 1 of 2000
          checks plain == 0
          needs no sort
        """
    )
    #expect(throws: FiefError.self) { try results(repository, PlannedItem.self, "nothing == 5").explain() }
  }
}
