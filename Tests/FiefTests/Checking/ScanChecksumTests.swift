import Fief
import Foundation
import Testing

/// Queries that read columns in place verify the records first: a flipped bit is an error in each form.
@Suite(.timeLimit(.minutes(20))) struct ScanChecksumTests {
  private static let count = 3000
  /// The weight of the record that is damaged: bytes that are in no other place.
  private static let marked = 0x0102_0304_0506_0708

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let repository = Self.repository(directory, wholeBytes: 16 << 20)
    try repository.store().write { transaction in
      let items = (0..<Self.count).map { ScannedItem(number: $0, weight: $0 == 1234 ? Self.marked : $0) }
      items[5].next = items[1234]
      items[1234].next = items[7]
      for item in items { try transaction.add(item) }
    }
    repository.closeChecked()
  }

  private static func repository(_ directory: TemporaryDirectory, wholeBytes: Int) -> ScannedRepository {
    var repository = ScannedRepository(directory: directory.path)
    repository.storeOptions.wholeVerificationBytes = wholeBytes
    return repository
  }

  /// Flips a bit of the weight, wherever the file has it.
  private func flip() throws {
    let bytes = withUnsafeBytes(of: Self.marked.littleEndian) { Data($0) }
    try FileDamage.flip(4, at: 2, of: bytes, in: directory["scanned/data.mdb"])
  }

  private func code(_ body: () throws -> Void) -> FiefError.Code? {
    do { try body() } catch { return (error as? FiefError)?.code }
    return nil
  }

  private func forms(_ items: Results<ScannedItem>) -> [(String, () throws -> Void)] {
    [
      ("sum", { _ = try items.fetchSum(of: \.weight) as Int }),
      ("average", { _ = try items.fetchAverage(of: \.weight) }),
      ("min", { _ = try items.fetchMin(of: \.weight) }),
      ("max", { _ = try items.fetchMax(of: \.weight) }),
      ("where", { _ = try items.where { $0.weight > 100_000 }.all() }),
      ("count", { _ = try items.where { $0.weight > 100_000 }.fetchCount() }),
      ("sort", { _ = try items.sorted(byKeyPath: "weight").fetchFirst() }),
      ("sum by an index", { _ = try items.where { $0.group == 4 }.fetchSum(of: \.weight) as Int }),
      ("where by an index", { _ = try items.where { $0.group == 4 && $0.weight > 9_000_000 }.all() }),
      ("link", { _ = try items.where { $0.next.weight > 100_000 }.all() }),
      ("text", { _ = try items.filter("weight > 100000 AND note != nil").fetchCount() }),
    ]
  }

  @Test(arguments: [16 << 20, 0]) func everyFormOfReadingFindsIt(wholeBytes: Int) throws {
    try flip()
    let repository = Self.repository(directory, wholeBytes: wholeBytes)
    let store = repository.store()
    #expect(store.openingError == nil)
    for round in 0..<2 {
      for (name, body) in forms(store.objects(ScannedItem.self)) {
        #expect(code(body) == .damagedRecord, "\(name) \(round)")
      }
      try store.read { snapshot in
        for (name, body) in forms(snapshot.objects(ScannedItem.self)) {
          #expect(code(body) == .damagedRecord, "\(name) in a read, \(round)")
        }
      }
      // A write copies the page of the damaged record, which does not make it right.
      try store.write { transaction in
        try transaction.object(ofType: ScannedItem.self, forPrimaryKey: 1233)?.weight = 70 + round
      }
    }
    #expect(
      code {
        try store.write { transaction in
          _ = try transaction.objects(ScannedItem.self).fetchSum(of: \.weight) as Int
        }
      } == .damagedRecord
    )
    #expect(try repository.check().problems.contains { $0.contains("damagedRecord") })
    repository.close()
  }

  /// Valid pages are read on: pages that were verified, and those that a write has changed since.
  @Test func whatIsWholeIsReadOn() throws {
    let repository = Self.repository(directory, wholeBytes: 0)
    let store = repository.store()
    var expected = (0..<Self.count).reduce(0, +) - 1234 + Self.marked
    for round in 0..<20 {
      let sum: Int = try store.objects(ScannedItem.self).fetchSum(of: \.weight)
      #expect(sum == expected)
      let number = round * 150
      try store.write { transaction in
        try transaction.object(ofType: ScannedItem.self, forPrimaryKey: number)?.weight += 7
      }
      expected += 7
    }
    repository.closeChecked()
  }

  /// An object that links a deleted one is written again without the link, and would get a checksum that is right.
  @Test func aWriteGivesNoDamagedRecordARightChecksum() throws {
    try flip()
    let repository = Self.repository(directory, wholeBytes: 16 << 20)
    let deletion = code {
      try repository.store().write { transaction in
        if let item = try transaction.object(ofType: ScannedItem.self, forPrimaryKey: 7) {
          try transaction.delete(item)
        }
      }
    }
    #expect(deletion == .damagedRecord)
    #expect(repository.store().objects(ScannedItem.self).count == Self.count)
    #expect(try repository.check().problems.contains { $0.contains("damagedRecord") })
    repository.close()
  }

  /// Forms that cannot throw report it, and have no answer of damaged records.
  @Test func withoutThrowingItIsReported() throws {
    try flip()
    var repository = Self.repository(directory, wholeBytes: 16 << 20)
    let codes = EventCodes()
    repository.storeOptions.eventHandler = { event in
      if case .failedRead(_, _, _, let error) = event { codes.add((error as? FiefError)?.code) }
    }
    var found = 0
    for _ in repository.store().objects(ScannedItem.self).where({ $0.weight > 100_000 }) { found += 1 }
    #expect(found == 0)
    #expect(codes.all.contains(.damagedRecord))
    repository.close()
  }
}

/// The codes of reported errors.
private final class EventCodes: @unchecked Sendable {
  // SAFETY: guarded by the lock.
  private var codes: [FiefError.Code] = []
  private let lock = NSLock()
  func add(_ code: FiefError.Code?) { lock.withLock { if let code { codes.append(code) } } }
  var all: [FiefError.Code] { lock.withLock { codes } }
}

private final class ScannedItem: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var weight = 0
  @Persisted(indexed: true) var group = 0
  @Persisted var note: String?
  @Persisted var next: ScannedItem?

  convenience init(number: Int, weight: Int) {
    self.init()
    self.number = number
    self.weight = weight
    group = number % 10
    note = "note \(number)"
  }
}

private struct ScannedRepository: DatabaseConfigurable, Sendable {
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "scanned"
  let schemaVersion: UInt64? = 1
  var directory: String?
  var storeOptions = StoreOptions()
  var objectTypes: [Object.Type]? { [ScannedItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}
