import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Operating*.
@Suite(.freshStores(.onDisk)) struct OperatingArticleTests {
  final class Reading: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var taken: Date
    @Persisted var value = 0.0
  }

  // Documentation: begin repository
  struct SensorRepository: DatabaseConfigurable {
    let schemaName: String? = "sensors"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Reading.self]

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      // Compacts before the store is opened, where more than half of a file of more than 64 MiB is free.
      options.shouldCompactOnLaunch = { total, used in total > 64 << 20 && used * 2 < total }
      return options
    }
  }
  // Documentation: end repository

  // Documentation: begin budgets
  struct MeteredRepository: DatabaseConfigurable {
    let schemaName: String? = "metered"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Reading.self]

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.budgets = [
        Budget(.reads, limit: 50_000, per: .day, at: [0.8, 1]) { notice in
          print("\(notice.store): \(notice.used) of the day's \(notice.budget.limit) reads")
        },
        Budget(.bytesWritten, limit: 1 << 30, per: .hour, of: .label("import")) { _ in
          print("import writes a lot")
        },
      ]
      return options
    }
  }
  // Documentation: end budgets

  private let sensors = SensorRepository()

  private func fill(_ count: Int) throws {
    try sensors.write { transaction in
      for id in 0..<count {
        let reading = Reading()
        reading.id = id
        reading.taken = Date(timeIntervalSinceReferenceDate: Double(id))
        try transaction.add(reading)
      }
    }
  }

  @Test func aStoreIsCheckedAndMeasured() throws {
    try fill(100)
    // Documentation: begin check
    let report = try sensors.check()
    for problem in report.problems { print(problem) }

    let overview = try sensors.overview()
    print(overview.count, "objects in", overview.fileSize, "bytes")
    for type in overview.types { print(type.name, type.count, type.bytes) }
    // Documentation: end check
    #expect(report.isConsistent && report.records == 100)
    #expect(overview.count == 100 && overview.fileSize > 0 && overview.types.map(\.name) == ["Reading"])
  }

  @Test func usageIsCounted() throws {
    try fill(100)
    // Documentation: begin usage
    func latest() throws -> [Reading] {
      try StoreUsage.withLabel("dashboard") {
        try sensors.objects(Reading.self).sorted(byKeyPath: \.taken, ascending: false).limit(50).all()
      }
    }

    let usage = sensors.store().usage()
    print(usage.total.reads, usage.types["Reading"]?.bytesRead ?? 0, usage.labels["dashboard"]?.reads ?? 0)
    // For a page that Prometheus scrapes; text/plain; version=0.0.4
    print(usage.prometheusText)
    // Documentation: end usage
    #expect(usage.total.writes == 100 && usage.labels.isEmpty)
    _ = try latest()
    #expect(sensors.store().usage().labels["dashboard"]?.reads == 50)
    let metered = MeteredRepository()
    _ = metered.store().objects(Reading.self).count
    #expect(metered.store().usage(per: .day)?.total.reads == 1)
  }

  @Test func aStoreIsCompactedWhileItIsOpen() throws {
    try fill(20_000)
    try sensors.deleteAllAndWait(deleteObjClass: Reading.self)
    let before = try sensors.overview().fileSize
    // Documentation: begin compact
    do {
      try sensors.compact()
    } catch let error as FiefError where error.code == .storeInUse {
      print("Another process has the store open.")
    }
    // Documentation: end compact
    #expect(try sensors.overview().fileSize < before)
  }

  // Documentation: begin room
  /// Deletes the oldest readings, a thousand in a commit; works on a full disk too.
  func makeRoom(before date: Date) async throws {
    let old = try sensors.objects(Reading.self).where { $0.taken < date }.sorted(byKeyPath: \.taken)
    while true {
      let keys = try old.limit(1_000).all().map(\.id)
      if keys.isEmpty { return }
      try await sensors.delete(ofType: Reading.self, forPrimaryKeys: keys)
    }
  }
  // Documentation: end room

  @Test func oldObjectsAreDeletedInParts() async throws {
    try fill(2_500)
    try await makeRoom(before: Date(timeIntervalSinceReferenceDate: 2_200))
    #expect(try sensors.count(Reading.self) == 300)
    #expect(try sensors.check().problems == [])
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("Operating", as: #filePath) }
}
