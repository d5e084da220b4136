import Fief
import Foundation
import Synchronization
import TestEffort
import Testing

/// Many small objects, which count themselves.
final class StreamedItem: Object {
  static let made = Atomic(0)
  static let alive = Atomic(0)

  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var group = 0
  @Persisted var value = 0
  @Persisted var text = ""

  required init() {
    super.init()
    Self.made.add(1, ordering: .relaxed)
    Self.alive.add(1, ordering: .relaxed)
  }

  deinit { Self.alive.subtract(1, ordering: .relaxed) }
}

private struct StreamedRepository: DatabaseConfigurable {
  var storeOptions = StoreOptions()
  let realmMemoryType = RealmMemoryType.inMemory(identifier: UUID().uuidString)
  var directory: String? { nil }
  var schemaName: String? { "streamed" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [StreamedItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }
}

/// Queries over many objects: how many of these there are at a time, and how many are made at all.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StreamingTests {
  private static let count = TestEffort.count(10_000, more: 60_000)
  /// Objects are handed out in batches; this is far below what there is.
  private static let most = 2000

  /// A value without an index that is another one for each object.
  private static func value(_ id: Int) -> Int { id * 7919 % count }

  private func filled() throws -> StreamedRepository {
    var repository = StreamedRepository()
    repository.storeOptions.maximumSortBytes = TestEffort.count(1 << 17, more: 1 << 20)
    let store = repository.store()
    for start in stride(from: 0, to: Self.count, by: 10_000) {
      try store.write { transaction in
        for id in start..<(start + 10_000) {
          let item = StreamedItem()
          item.id = id
          item.group = id % 1000
          item.value = Self.value(id)
          item.text = "item \(id % 10)"
          try transaction.add(item)
        }
      }
    }
    return repository
  }

  private func made(_ body: () -> Void) -> Int {
    let before = StreamedItem.made.load(ordering: .relaxed)
    body()
    return StreamedItem.made.load(ordering: .relaxed) - before
  }

  @Test func manyObjectsAreNeverThereAtOnce() throws {
    let repository = try filled()
    defer { repository.closeChecked() }
    let items = repository.store().objects(StreamedItem.self)
    var peak = 0
    var seen = 0
    func see(_ item: StreamedItem) {
      seen += 1
      peak = max(peak, StreamedItem.alive.load(ordering: .relaxed))
    }
    func check(_ count: Int, _ what: String) {
      #expect(seen == count && peak <= Self.most && peak > 0, "\(what): \(seen) objects, \(peak) at a time")
      (seen, peak) = (0, 0)
    }
    try #require(StreamedItem.alive.load(ordering: .relaxed) <= Self.most)
    for item in items where item.id == seen { see(item) }
    check(Self.count, "iterated over")
    try items.where { $0.value % 2 == 0 }.forEachObject { see($0) }
    check(Self.count / 2, "with a condition")
    try repository.read { snapshot in
      for item in snapshot.objects(StreamedItem.self) { see(item) }
      check(Self.count, "in a read")
    }
    // The sorted objects do not fit into the memory that a sort may use.
    for item in items.sorted(byKeyPath: \.value, ascending: false)
    where item.value == Self.count - 1 - seen { see(item) }
    check(Self.count, "sorted in a file")
    for item in items.sorted(byKeyPath: \.group) where item.group == seen / (Self.count / 1000) { see(item) }
    check(Self.count, "in the order of an index")
    var cursor: QueryCursor?
    repeat {
      let page = try items.sorted(byKeyPath: \.group).page(1000, after: cursor)
      for item in page.objects { see(item) }
      cursor = page.hasMore ? page.end : nil
    } while cursor != nil
    check(Self.count, "in pages")
  }

  @Test func noObjectIsMadeOfManyThatIsNotReturned() throws {
    let repository = try filled()
    defer { repository.closeChecked() }
    let items = repository.store().objects(StreamedItem.self)
    let odd = items.where { $0.value % 2 == 1 }
    let sorted = odd.sorted(byKeyPath: \.text, ascending: false)
    // The paths of key paths are looked up on an object, once.
    _ = (items.sum(of: \.value), items.max(of: \.id), items.average(of: \.value), odd.min(of: \.value))
    _ = (items.distinct(by: \.text).isEmpty, try items.grouped(by: \.text).counts())
    let total = Self.count
    let before = StreamedItem.made.load(ordering: .relaxed)
    #expect(try items.fetchCount() == total)
    #expect(try odd.fetchCount() == total / 2)
    #expect(try odd.fetchExists())
    #expect(try !items.where { $0.value < 0 }.fetchExists())
    #expect(try items.fetchSum(of: \.value) == total * (total - 1) / 2)
    #expect(try odd.fetchMin(of: \.value) == 1)
    #expect(try items.fetchMax(of: \.id) == total - 1)
    #expect(try items.fetchAverage(of: \.value) == Double(total - 1) / 2)
    #expect(try items.distinct(by: \.text).fetchCount() == 10)
    let tenths = Array(repeating: total / 10, count: 10)
    let counts = try items.grouped(by: \.text).counts()
    #expect(counts.map(\.values) == tenths)
    #expect(StreamedItem.made.load(ordering: .relaxed) == before)
    #expect(made { _ = sorted.first } == 1)
    #expect(made { _ = sorted.last } == 1)
    #expect(made { _ = sorted[Self.count / 12 * 5] } == 1)
    let page = made { _ = try? sorted.page(20) }
    #expect(page == 20)
    #expect(made { _ = sorted.limit(toLast: 20).offset(1000).map(\.id) } == 20)
  }
}
