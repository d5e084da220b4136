import Fief
import FiefTesting
import Foundation
import Testing

@Suite struct UsageTests {
  @Test(arguments: StoreKind.allCases) func countsWhatAServiceWouldBill(_ kind: StoreKind) throws {
    let fixture = try StoreFixture(UsageStores.repository(), kind)
    let store = fixture.store()
    try fixture.saveAndWait(entities: (0..<17).map(UsageStores.dog))
    try fixture.write { transaction in
      let owner = try transaction.create(UsageOwner.self, value: ["id": 1])
      for dog in transaction.objects(UsageDog.self).where({ $0.age >= 13 }) { dog.owner = owner }
    }
    let before = store.usage().total
    for number in 0..<3 { #expect(store.object(ofType: UsageDog.self, forPrimaryKey: "dog\(number)") != nil) }
    #expect(try store.objects(UsageDog.self).where { $0.age < 10 }.all().count == 10)
    #expect(try store.objects(UsageDog.self).where { $0.age > 100 }.all().isEmpty)
    #expect(try store.objects(UsageDog.self).where { $0.age < 7 }.select(\.name).all().count == 7)
    try fixture.saveAndWait(entities: (100..<105).map(UsageStores.dog))
    try fixture.deleteAndWait(ofType: UsageOwner.self, forPrimaryKeys: [1])
    let after = store.usage().total
    #expect(after.reads - before.reads == 21)
    #expect(after.writes - before.writes == 5)
    #expect(after.deletes - before.deletes == 5)
    #expect(after.bytesRead > before.bytesRead && after.bytesWritten > before.bytesWritten)
    #expect(store.metrics.deletes == 5)
    #expect(store.metrics.bytesRead == after.bytesRead && store.metrics.bytesWritten == after.bytesWritten)
  }

  @Test func belongsToTypesAndLabels() throws {
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    try StoreUsage.withLabel("import") {
      try fixture.write { transaction in
        for number in 0..<3 { try transaction.add(UsageStores.dog(number)) }
        try transaction.create(UsageOwner.self, value: ["id": 1])
      }
    }
    StoreUsage.withLabel("profile") {
      _ = store.object(ofType: UsageDog.self, forPrimaryKey: "dog1")
      _ = store.object(ofType: UsageDog.self, forPrimaryKey: "none")
    }
    let usage = store.usage()
    #expect(usage.types["UsageDog"]?.writes == 3 && usage.types["UsageOwner"]?.writes == 1)
    #expect(usage.labels["import"]?.writes == 4)
    #expect(usage.labels["profile"]?.reads == 2 && usage.labels["profile"]?.writes == 0)
    #expect(usage.total.reads == 2)
    // The key has six bytes, and the record at least its head.
    let bytes = try #require(usage.labels["profile"]?.bytesRead)
    #expect(bytes == usage.types["UsageDog"]?.bytesRead && bytes > 10)
  }

  @Test func countsNothingOfAWriteThatFails() throws {
    struct Stop: Error {}
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    #expect(throws: Stop.self) {
      try fixture.write { transaction in
        try transaction.add(UsageStores.dog(1))
        throw Stop()
      }
    }
    try fixture.saveAndWait(entity: UsageStores.dog(1))
    #expect(throws: FiefError.self) {
      try fixture.saveAndWait(entities: [2, 1].map(UsageStores.dog), update: false)
    }
    #expect(store.usage().total.writes == 1)
  }

  /// Works of several callers share a commit, and count each under its own label.
  @Test func worksOfOneBatchCountUnderTheirOwnLabels() async throws {
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    let control = fixture.writes
    try control.pause()
    let tasks = (0..<10).map { number in
      Task { () async throws -> Void in
        try await StoreUsage.withLabel(number < 3 ? "few" : "many") {
          _ = try await fixture.save(entity: UsageStores.dog(number), update: false)
        }
      }
    }
    try await control.waitUntilPending(10)
    try control.resume()
    for task in tasks { try await task.value }
    await withCheckedContinuation { done in
      StoreUsage.withLabel("left") {
        fixture.save(entity: UsageStores.dog(20), update: false) { _ in done.resume() }
      }
    }
    let labels = store.usage().labels
    #expect(labels["few"]?.writes == 3 && labels["many"]?.writes == 7 && labels["left"]?.writes == 1)
  }

  @Test func isExactOnManyThreads() throws {
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    try fixture.saveAndWait(entity: UsageStores.dog(1))
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      StoreUsage.withLabel(thread % 2 == 0 ? "even" : "odd") {
        for _ in 0..<10_000 { _ = store.object(ofType: UsageDog.self, forPrimaryKey: "dog1") }
      }
    }
    let usage = store.usage()
    #expect(usage.labels["even"]?.reads == 40_000 && usage.labels["odd"]?.reads == 40_000)
    #expect(usage.types["UsageDog"]?.reads == 80_000 && usage.total.bytesRead % 80_000 == 0)
    #expect(store.metrics.objectsRead == 80_000 && store.metrics.lookups == 80_000)
  }

  @Test func rowsThatAnOffsetPassesAndCountsAreReads() throws {
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    try fixture.saveAndWait(entities: (0..<20).map(UsageStores.dog))
    func reads(_ body: () throws -> Void) rethrows -> UInt64 {
      let before = store.usage().total.reads
      try body()
      return store.usage().total.reads - before
    }
    let dogs = store.objects(UsageDog.self)
    #expect(try reads { _ = try dogs.offset(5).limit(3).all() } == 8)
    // The last ones behind an offset: by the keys, and of sorted rows.
    #expect(try reads { _ = try dogs.offset(5).limit(toLast: 3).all() } == 8)
    #expect(try reads { _ = try dogs.sorted(byKeyPath: \.age).offset(5).limit(toLast: 3).all() } == 8)
    #expect(try reads { _ = try dogs.sorted(byKeyPath: \.age).offset(50).limit(toLast: 3).all() } == 20)
    #expect(reads { _ = dogs.count } == 1)
    #expect(reads { _ = dogs.sum(of: \.age) } == 1)
    #expect(try reads { _ = try dogs.grouped(by: \.age).counts() } == 20)
    #expect(reads { for _ in dogs {} } == 20)
    #expect(try reads { _ = try dogs.explain() } == 0)
    // A scope has one object for each key, and reads it once.
    let inScope = try reads {
      try store.read { scope in
        let dog = try scope.object(ofType: UsageDog.self, forPrimaryKey: "dog1")
        for _ in 0..<3 { #expect(try scope.object(ofType: UsageDog.self, forPrimaryKey: "dog1") === dog) }
      }
    }
    #expect(inScope == 1)
  }

  /// What a transaction reads counts once, and comparing it at the commit does not.
  @Test func queriesOfATransactionCountAsOthersDo() async throws {
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    try fixture.saveAndWait(entities: (0..<20).map(UsageStores.dog))
    let before = store.usage().total.reads
    try await store.runTransaction { transaction in
      let dogs = transaction.objects(UsageDog.self)
      let page = try transaction.getAll(dogs.offset(5).limit(3))
      let none = try transaction.getAll(dogs.where { $0.age > 100 })
      #expect(page.count == 3 && none.isEmpty)
      try await asOthers { try await store.write { try $0.add(UsageOwner(value: ["id": 1])) } }
      try transaction.set(UsageStores.dog(20))
    }
    #expect(store.usage().total.reads - before == 9)
  }

  @Test func anObserverCostsItsFirstStateAndWhatChanges() throws {
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    try fixture.saveAndWait(entities: (0..<10).map(UsageStores.dog))
    let before = store.usage().total.reads
    let token = StoreUsage.withLabel("list") { store.objects(UsageDog.self).observe { _ in } }
    try store.waitUntilDelivered()
    #expect(store.usage().total.reads - before == 10)
    try fixture.write { transaction in
      try transaction.add(UsageStores.dog(30))
      try transaction.object(ofType: UsageDog.self, forPrimaryKey: "dog1")?.age = 50
      try transaction.delete(ofType: UsageDog.self, forPrimaryKeys: ["dog2"])
    }
    try store.waitUntilDelivered()
    #expect(store.usage().labels["list"]?.reads == 12)
    token.invalidate()
  }

  /// The rows whose keys a look-up by place finds are read as the rows are that it passes over.
  @Test func rowsBeforeAPlaceAreReads() throws {
    let fixture = try StoreFixture(UsageStores.repository(), .onDisk)
    let store = fixture.store()
    try fixture.saveAndWait(entities: (0..<400).map(UsageStores.dog))
    func look(_ dogs: Results<UsageDog>, at place: Int) -> [UInt64] {
      let (usage, metrics) = (store.usage().total, store.metrics)
      #expect((dogs[place] != nil) == (place < 400))
      let (newUsage, newMetrics) = (store.usage().total, store.metrics)
      return [
        newUsage.reads - usage.reads, newMetrics.matchedRows - metrics.matchedRows,
        newMetrics.objectsRead - metrics.objectsRead, newMetrics.lookups - metrics.lookups,
      ]
    }
    for dogs in [store.objects(UsageDog.self), store.objects(UsageDog.self).sorted(byKeyPath: \.age)] {
      let isSorted = !dogs.description.order.isEmpty
      #expect(look(dogs, at: 70) == [71, isSorted ? 400 : 71, 1, 1])
      // The keys of the first 256 rows, and the object at the place.
      #expect(look(dogs, at: 71) == [257, isSorted ? 400 : 256, 1, 1])
      #expect(look(dogs, at: 72) == [1, 0, 1, 1])
      // The keys of all rows.
      #expect(look(dogs, at: 300) == [401, 400, 1, 1])
      #expect(look(dogs, at: 400) == [1, 0, 0, 1])
    }
    #expect(try fixture.check().problems.isEmpty)
  }

  @Test func isTextForPrometheus() throws {
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    try StoreUsage.withLabel("a \"b\"\\\nc") { try fixture.saveAndWait(entity: UsageStores.dog(1)) }
    _ = store.object(ofType: UsageDog.self, forPrimaryKey: "dog1")
    let usage = store.usage()
    let lines = usage.prometheusText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "")
    #expect(lines[0] == "# HELP fief_reads_total Cost reads, by type.")
    #expect(lines[1] == "# TYPE fief_reads_total counter")
    #expect(lines[2] == #"fief_reads_total{store="usage",type="UsageDog"} 1"#)
    #expect(lines.contains(#"fief_label_writes_total{store="usage",label="a \"b\"\\\nc"} 1"#))
    // Of two stores each family has one head.
    let both = Usage.prometheusText([usage, usage]).split(separator: "\n")
    #expect(both.filter { $0.hasPrefix("# TYPE fief_reads_total ") }.count == 1)
    #expect(both.filter { $0.hasPrefix("fief_reads_total{") }.count == 2)
  }

  @Test func labelsBeyondTheLimitCountTogether() throws {
    let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
    let store = fixture.store()
    for number in 0..<300 {
      StoreUsage.withLabel("user \(number)") {
        _ = store.object(ofType: UsageDog.self, forPrimaryKey: "none")
      }
    }
    let labels = store.usage().labels
    #expect(labels.count == 257 && labels[StoreUsage.otherLabels]?.reads == 44)
  }
}
