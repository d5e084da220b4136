import Fief
import Foundation
import TestEffort
import Testing

/// Objects whose keys are longer than an entry of an index keeps of them.
final class LongKeyed: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var group = 0
  @Persisted(indexed: true) var any: AnyRealmValue
  @Persisted var plain = 0
  @Persisted(index: .fullText) var body = ""

  convenience init(_ id: String, _ group: Int) {
    self.init()
    self.id = id
    self.group = group
    plain = group
  }
}

struct LongKeyedRepository: DatabaseConfigurable {
  var realmMemoryType = RealmMemoryType.inMemory(identifier: UUID().uuidString)
  var directory: String?
  var schemaName: String? = "long"
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [LongKeyed.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }

  var objects: Results<LongKeyed> { store().objects(LongKeyed.self) }
}

@Suite(.timeLimit(.minutes(20))) struct QueryEdgeTests {
  @Test func tiesOfLongKeysComeInTheOrderOfTheKeys() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    let beginning = String(repeating: "k", count: 300)
    let ids = (100..<TestEffort.count(140, more: 180)).map { beginning + "\($0)" }
    try repository.store().write { try $0.add(ids.shuffled().map { LongKeyed($0, 1) }) }
    for (name, indexed) in [("group", true), ("plain", false)] {
      for ascending in [true, false] {
        let results = repository.objects.sorted(byKeyPath: name, ascending: ascending)
        #expect(try results.all().map(\.id) == ids, "\(name) \(ascending)")
        #expect(results.map(\.id) == ids, "\(name) \(ascending)")
        #expect(results.limit(7).map(\.id) == Array(ids[..<7]), "\(name) \(ascending) \(indexed)")
        #expect(results.limit(toLast: 7).map(\.id) == Array(ids.suffix(7)), "\(name) \(ascending)")
        var cursor: QueryCursor?
        var found: [String] = []
        repeat {
          let page = try results.page(7, after: cursor)
          found += page.objects.map(\.id)
          cursor = page.hasMore ? page.end : nil
        } while cursor != nil
        #expect(found == ids, "\(name) \(ascending)")
        found = []
        repeat {
          let page = try results.page(7, before: cursor)
          found = page.objects.map(\.id) + found
          cursor = page.hasMore ? page.start : nil
        } while cursor != nil
        #expect(found == ids, "\(name) \(ascending)")
      }
    }
    let some = repository.objects.where { $0.group == 1 }
    #expect(some.map(\.id) == ids)
    #expect(some.limit(7).map(\.id) == Array(ids[..<7]))
    #expect(some.limit(toLast: 7).map(\.id) == Array(ids.suffix(7)))
  }

  @Test func theLeastIntegerIsLookedUp() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    try repository.store().write {
      let object = LongKeyed("a", 1)
      object.any = .int(.min)
      try $0.add(object)
    }
    #expect(repository.objects.where { $0.any == .int(.min) }.count == 1)
  }

  /// A date that is not a number equals nothing, itself neither, in a column of any value with an index too.
  @Test func datesThatAreNoneEqualNothing() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    let none = Date(timeIntervalSinceReferenceDate: .nan)
    try repository.store().write { transaction in
      for number in 0..<40 {
        let object = LongKeyed("\(number)", number)
        object.any = number == 3 ? .date(none) : .int(number)
        try transaction.add(object)
      }
    }
    for condition in ["any == %@", "%@ == any", "any IN %@"] {
      let found = repository.objects.filter(condition, condition.contains("IN") ? [none] : none)
      #expect(try found.fetchCount() == 0 && found.all().isEmpty && !found.fetchExists(), "\(condition)")
    }
    let others = repository.objects.filter("any != %@", none)
    #expect(try others.fetchCount() == 40 && others.all().count == 40)
  }

  @Test func offsetsOfAnySize() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    try repository.store().write { try $0.add((0..<9).map { LongKeyed("\($0)", $0) }) }
    for results in [
      repository.objects, repository.objects.sorted(byKeyPath: "group"),
      repository.objects.sorted(byKeyPath: "plain"), repository.objects.where { $0.group > 2 },
      repository.objects.distinct(by: \.group),
    ] {
      #expect(results.offset(.max).limit(toLast: 3).isEmpty)
      #expect(results.offset(.max).limit(toLast: 3).count == 0)
      #expect(results.offset(.max).limit(.max).count == 0)
      #expect(results.offset(.max).last == nil)
      #expect(results.offset(.max).first == nil)
      #expect(results.offset(.max)[.max] == nil)
      #expect(try results.offset(.max).page(.max).objects.isEmpty)
      #expect(try results.offset(.max).page(.max, before: nil).objects.isEmpty)
      #expect(try results.page(.max).objects.count == results.count)
      #expect(results.offset(2).limit(toLast: .max).count == results.count - 2)
      #expect(results.offset(2).limit(toLast: .max).map(\.id) == Array(results.map(\.id).dropFirst(2)))
      #expect(results.offset(2).limit(toLast: .max - 1).last?.id == results.last?.id)
    }
  }

  @Test func contradictionsFindNothing() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    try repository.store().write { try $0.add((0..<2000).map { LongKeyed("\($0)", $0 % 100) }) }
    let none = repository.objects.where { $0.group == 1 && $0.group == 2 }
    #expect(none.count == 0)
    #expect(none.sorted(byKeyPath: "group").limit(3).map(\.id) == [])
    #expect(none.sorted(byKeyPath: "group").first == nil)
    #expect(none.isEmpty)
    let keys = repository.objects.where { $0.id == "1" && $0.id == "2" }
    #expect(keys.count == 0)
    #expect(keys.first == nil)
    #expect(keys.sorted(byKeyPath: "id").limit(2).map(\.id) == [])
  }

  @Test func aWriteMayMoveWhatItIteratesOver() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    let ids = (0..<3000).map { "\($0 + 10000)" }
    try repository.store().write { try $0.add(ids.indices.map { LongKeyed(ids[$0], $0) }) }
    try repository.store().write { transaction in
      let first = transaction.objects(LongKeyed.self).sorted(byKeyPath: "group").limit(40)
      #expect(try first.explain().order == .found)
      var seen: [String] = []
      for object in first {
        seen.append(object.id)
        object.group += 3
      }
      #expect(seen == Array(ids[..<40]))
      // The raised objects are behind the end of the index, where the loop must not come to them again.
      let last = transaction.objects(LongKeyed.self).where { $0.group > 2950 }.sorted(byKeyPath: "group")
      #expect(try last.explain().order == .found)
      seen = []
      try last.forEachObject { object in
        seen.append(object.id)
        object.group += 10_000
        if seen.count > 100 { throw CancellationError() }
      }
      #expect(seen == Array(ids[2951...]))
      seen = []
      try last.select(\.id).forEachRow { id in
        seen.append(id)
        if let object = try transaction.object(ofType: LongKeyed.self, forPrimaryKey: id) {
          object.group += 10_000
        }
        if seen.count > 100 { throw CancellationError() }
      }
      #expect(seen == Array(ids[2951...]))
    }
  }

  @Test func aWriteMayChangeWhatItSelects() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    let text = String(repeating: "x", count: 400)
    let count = TestEffort.count(800, more: 2_000)
    try repository.store().write { transaction in
      try transaction.add((0..<count).map { LongKeyed("\($0 + 10000)", $0) })
    }
    try repository.store().write { transaction in
      let objects = transaction.objects(LongKeyed.self)
      var seen: [String] = []
      try objects.select(\.id, \.group).forEachRow { id, _ in
        seen.append(id)
        if let object = try transaction.object(ofType: LongKeyed.self, forPrimaryKey: id) {
          object.body = text
          object.plain += 1
        }
        try transaction.add(LongKeyed("0\(id)", 1))
        if seen.count % 50 == 0 { _ = objects.where { $0.plain > 3 }.count }
        if seen.count > 10_000 { throw CancellationError() }
      }
      #expect(seen == (0..<count).map { "\($0 + 10000)" })
      seen = []
      try objects.select(["id"]).forEachRow { row in
        seen.append("\(row[0])")
        if seen.count % 3 == 0,
          let object = try transaction.object(ofType: LongKeyed.self, forPrimaryKey: row[0].stringValue ?? "")
        {
          try transaction.delete(object)
        }
        if seen.count % 50 == 0 { _ = objects.where { $0.plain > 3 }.count }
        if seen.count > 10_000 { throw CancellationError() }
      }
      #expect(seen.count == 2 * count)
    }
  }

  @Test func sectionsOfLimitedResults() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    try repository.store().write { try $0.add((0..<20).map { LongKeyed("\($0 + 100)", $0 / 5) }) }
    for results in [
      repository.objects.limit(8), repository.objects.offset(3), repository.objects.limit(toLast: 7),
      repository.objects.offset(3).limit(9), repository.objects.offset(3).limit(toLast: 100),
      repository.objects.distinct(by: \.group).limit(2), repository.objects.distinct(by: \.plain),
      repository.objects.sorted(byKeyPath: "id", ascending: false).limit(8),
    ] {
      for ascending in [true, false] {
        for section in results.sectioned(by: \.group, ascending: ascending) {
          #expect(section.objects.count == section.count)
          #expect(section.objects.allSatisfy { $0.group == section.key })
          #expect(section.objects.map(\.id).count == section.count)
        }
      }
    }
  }

  @Test func relevanceAndSections() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    try repository.store().write { try $0.add((0..<20).map { LongKeyed("\($0 + 100)", $0 / 5) }) }
    let results = repository.objects.where { $0.body.matches("") }.sortedByRelevance()
    #expect(throws: FiefError.self) { try results.sectioned(by: \.group).all() }
  }

  @Test func pagesOfResultsWithAnOffset() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    try repository.store().write { try $0.add((0..<20).map { LongKeyed("\($0 + 100)", $0 / 5) }) }
    let results = repository.objects.sorted(byKeyPath: "group").offset(3)
    var cursor: QueryCursor?
    var found: [String] = []
    repeat {
      let page = try results.page(4, after: cursor)
      found += page.objects.map(\.id)
      cursor = page.hasMore ? page.end : nil
    } while cursor != nil
    #expect(found == results.map(\.id))
    found = []
    repeat {
      let page = try results.page(4, before: cursor)
      found = page.objects.map(\.id) + found
      cursor = page.hasMore ? page.start : nil
    } while cursor != nil
    #expect(found == results.map(\.id))
  }

  @Test func anOrderThatThereIsNotIsAnErrorEverywhere() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    let results = repository.objects.sorted(byKeyPath: "nothing")
    #expect(throws: FiefError.self) { try results.fetchCount() }
    #expect(throws: FiefError.self) { try results.fetchExists() }
    #expect(throws: FiefError.self) { try results.fetchSum(of: \.group) }
    #expect(throws: FiefError.self) { try results.fetchMax(of: \.group) }
    #expect(throws: FiefError.self) { try results.grouped(by: \.group).counts() }
    #expect(throws: FiefError.self) { try results.all() }
  }

  @Test func pagesOfLinks() throws {
    let directory = try TemporaryDirectory()
    let repository = PlannedRepository(directory, inMemory: true)
    defer { repository.closeChecked() }
    try repository.store().write { transaction in
      let one = PlannedItem()
      one.id = 1_000_000
      let other = PlannedItem()
      other.id = 0
      try transaction.add([one, other])
      for id in 1..<3000 {
        let item = PlannedItem()
        item.id = id
        item.friend = id % 30 == 0 ? one : other
        try transaction.add(item)
      }
    }
    let store = repository.store()
    let one = try #require(store.object(ofType: PlannedItem.self, forPrimaryKey: 1_000_000))
    let expected = (1..<3000).filter { $0 % 30 == 0 }
    let results = store.objects(PlannedItem.self).where { $0.friend == one }
    for results in [results, results.sorted(byKeyPath: "id"), results.sorted(byKeyPath: "number")] {
      #expect(results.map(\.id) == expected)
      var cursor: QueryCursor?
      var found: [Int] = []
      repeat {
        let page = try results.page(7, after: cursor)
        found += page.objects.map(\.id)
        cursor = page.hasMore ? page.end : nil
      } while cursor != nil && found.count < 1000
      #expect(found == expected)
      found = []
      repeat {
        let page = try results.page(7, before: cursor)
        found = page.objects.map(\.id) + found
        cursor = page.hasMore ? page.start : nil
      } while cursor != nil && found.count < 1000
      #expect(found == expected)
    }
    let plan = try results.explain()
    #expect("\(plan.access)" == "links of friend")
  }

  @Test func constantsOfAnySizeAreCompared() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    try repository.store().write { try $0.add(LongKeyed("a", 1)) }
    // 2^127 - 1 and -2^127, the ends of the integers that queries calculate with.
    let square = "9223372036854775807 * 9223372036854775807"
    let greatest = "(\(square) + 9223372036854775807 * 2) * 2 + 1"
    for (text, count) in [
      ("group > \(greatest)", 0), ("group <= \(greatest)", 1), ("group != \(greatest)", 1),
      ("group < -(\(greatest)) - 1", 0), ("group >= -(\(greatest)) - 1", 1), ("group == \(greatest)", 0),
    ] {
      #expect(try repository.objects.filter(text).fetchCount() == count, "\(text)")
    }
  }

  @Test(arguments: [0, 1 << 16]) func sortsOfAnyMemory(_ bytes: Int) throws {
    var repository = ResultsRepository()
    repository.storeOptions.maximumSortBytes = bytes
    defer { repository.closeChecked() }
    var random = SeededGenerator(seed: UInt64(bytes) + 5)
    let values = PlayerValues.random(1500, &random)
    try repository.fill(values)
    let sorted = values.sorted { ($0.rating ?? -9, $0.name, $0.id) < ($1.rating ?? -9, $1.name, $1.id) }
    let ids = sorted.map(\.id)
    let results = repository.players.sorted(by: [
      PropertyOrder(keyPath: "rating"), PropertyOrder(keyPath: "name"),
    ])
    #expect(try results.all().map(\.id) == ids)
    #expect(results.map(\.id) == ids)
    #expect(results.limit(634).map(\.id) == Array(ids[..<634]))
    #expect(results.limit(toLast: 634).map(\.id) == Array(ids.suffix(634)))
    #expect(results.offset(100).limit(634).map(\.id) == Array(ids[100..<734]))
    #expect(results.offset(1400).limit(toLast: 634).map(\.id) == Array(ids[1400...]))
    var names: Set<[String]> = []
    let distinct = sorted.filter { names.insert([$0.name, $0.city ?? "-"]).inserted }.map(\.id)
    #expect(results.distinct(by: \.name, \.city).map(\.id) == distinct)
    #expect(
      results.distinct(by: \.name, \.city).offset(2).limit(toLast: 3).map(\.id) == Array(distinct.suffix(3))
    )
    let place = try #require(results[750])
    let cursor = try results.cursor(for: place)
    #expect(results.start(after: cursor).limit(700).map(\.id) == Array(ids[751..<1451]))
    #expect(results.end(before: cursor).limit(toLast: 700).map(\.id) == Array(ids[50..<750]))
    let localized = results.sorted(by: [PropertyOrder(keyPath: "name", collation: .locale("de_DE"))])
    let expected = values.sorted { first, second in
      let order = first.name.compare(second.name, locale: Locale(identifier: "de_DE"))
      return order == .orderedSame
        ? (first.name, first.id) < (second.name, second.id) : order == .orderedAscending
    }
    #expect(localized.map(\.id) == expected.map(\.id))
  }

  @Test func numbersOfAllKindsAreOrderedByTheirValue() throws {
    let repository = LongKeyedRepository()
    defer { repository.closeChecked() }
    let values: [AnyRealmValue] = [
      .none, .double(-.infinity), .decimal128(-3), .double(-2.5), .int(-2), .decimal128(0), .float(0.5),
      .int(1),
      .decimal128(Decimal(string: "1.5") ?? 0), .int(2), .int(1 << 60),
      .decimal128(Decimal(string: "1152921504606846976.5") ?? 0), .int((1 << 60) + 1), .int(.max),
      .double(1e30),
    ]
    try repository.store().write { transaction in
      for (place, value) in values.enumerated() {
        let object = LongKeyed("\((place * 7) % 15)", place)
        object.any = value
        try transaction.add(object)
      }
    }
    #expect(repository.objects.sorted(byKeyPath: "any").map(\.group) == Array(values.indices))
    #expect(
      repository.objects.sorted(byKeyPath: "any", ascending: false).map(\.group) == values.indices.reversed()
    )
  }
}
