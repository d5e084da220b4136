import Dispatch
import FiefRealm
import FiefTesting
import Foundation
import Testing

private final class QueuedRow: Object {
  @Persisted(primaryKey: true) var id = 0
}

private final class QueuedTable: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var rows: List<QueuedRow>
}

/// Stores that were opened for a queue.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct ConfinedQueueTests {
  private let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString,
    objectTypes: [QueuedRow.self, QueuedTable.self]
  )
  private let queue = DispatchQueue(label: "rows")
  private let key = DispatchSpecificKey<Bool>()

  init() throws {
    queue.setSpecific(key: key, value: true)
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(QueuedTable.self) }
  }

  private func addRow(_ id: Int) async throws {
    try await Realm(configuration: configuration).write { transaction in
      let row = try transaction.create(QueuedRow.self, value: ["id": id])
      try transaction.object(ofType: QueuedTable.self, forPrimaryKey: 0)?.rows.append(row)
    }
  }

  @Test("a handler is called on the queue of its observation, where a held list shows the change")
  func handlers() async throws {
    let (calls, continuation) = AsyncStream.makeStream(of: String.self)
    let token = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      let rows = try #require(realm.objects(QueuedTable.self).first).rows
      return rows.observe { [key] _ in
        continuation.yield("\(rows.count) \(DispatchQueue.getSpecific(key: key) == true)")
      }
    }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == "0 true")
    try await addRow(1)
    #expect(await iterator.next() == "1 true")
    token.invalidate()
    try Realm(configuration: configuration).close()
  }

  @Test("an observation that begins elsewhere does not use the queue", arguments: [false, true])
  func elsewhere(isForQueue: Bool) async throws {
    let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
    let realm = try Realm(configuration: configuration, queue: isForQueue ? queue : nil)
    let token = realm.objects(QueuedRow.self).observe { [key] _ in
      continuation.yield(DispatchQueue.getSpecific(key: key) == true)
    }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == false)
    token.invalidate()
    realm.close()
  }

  @Test("the main actor is the place of its handlers with the main queue, too") @MainActor func main()
    async throws
  {
    let realm = try Realm(configuration: configuration, queue: .main)
    var isCalled = false
    let token = realm.objects(QueuedRow.self).observe { _ in
      MainActor.assertIsolated()
      isCalled = true
    }
    while !isCalled { await Task.yield() }
    token.invalidate()
    realm.close()
  }
}
