import FiefRealm
import FiefTesting
import Foundation
import Testing

private final class HeldRow: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

private final class HeldShelf: EmbeddedObject {
  @Persisted var rows: List<HeldRow>
}

private final class HeldTable: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var rows: List<HeldRow>
  @Persisted var tags: MutableSet<String>
  @Persisted var counts: Map<String, Int>
  @Persisted var shelf: HeldShelf?
}

/// A table view whose data source is a held list.
@MainActor private final class TableView {
  var rows: [Int] = []
  var inconsistencies = 0
  var updates = 0

  func take(_ change: RealmCollectionChange<List<HeldRow>>, _ source: List<HeldRow>) {
    switch change {
    case .initial: rows = source.map(\.id)
    case .update(_, let deletions, let insertions, _):
      updates += 1
      if rows.count - deletions.count + insertions.count != source.count { inconsistencies += 1 }
      for index in deletions.reversed() { rows.remove(at: index) }
      for index in insertions { rows.insert(source[index].id, at: index) }
      if rows != source.map(\.id) { inconsistencies += 1 }
    case .error(let error): Issue.record(error)
    }
  }
}

/// Held objects and collections that are observed, and `refresh()`.
@MainActor @Suite(.freshStores, .timeLimit(.minutes(20))) struct HeldCollectionObservingTests {
  private let realm: Realm
  private let table: HeldTable

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [HeldRow.self, HeldTable.self, HeldShelf.self]
      )
    )
    let new = HeldTable(value: ["title": "old", "shelf": [:] as [String: Any]] as [String: Any])
    try realm.write { [realm] in realm.add(new) }
    table = try #require(realm.object(ofType: HeldTable.self, forPrimaryKey: 0))
  }

  /// Changes the stored table on another thread, by an instance of its own.
  nonisolated private static func change(_ realm: Realm, _ body: @escaping @Sendable (HeldTable) -> Void)
    async throws
  {
    try await realm.write { transaction in
      if let table = try transaction.object(ofType: HeldTable.self, forPrimaryKey: 0) { body(table) }
    }
  }

  private func change(_ body: @escaping @Sendable (HeldTable) -> Void) async throws {
    try await Self.change(realm, body)
  }

  private func wait(until isDone: () -> Bool) async throws {
    while !isDone() { try await Task.sleep(for: .milliseconds(1)) }
  }

  enum Source: CaseIterable { case ofTheObject, withoutItsObject, inAPart }

  private func list(_ source: Source) throws -> List<HeldRow> {
    switch source {
    case .ofTheObject: table.rows
    case .withoutItsObject: try #require(realm.object(ofType: HeldTable.self, forPrimaryKey: 0)).rows
    case .inAPart: try #require(table.shelf).rows
    }
  }

  @Test("a list as the data source of a table fits each change", arguments: Source.allCases, [3, 900])
  func dataSource(_ source: Source, _ count: Int) async throws {
    let isInPart = source == .inAPart
    let list = try list(source)
    let view = TableView()
    let token = list.observe { change in view.take(change, list) }
    for number in 1...5 {
      try await change { table in
        let rows = isInPart ? table.shelf?.rows : table.rows
        guard let rows else { return }
        if !rows.isEmpty { rows.remove(at: rows.count / 2) }
        for id in 0..<count { rows.insert(HeldRow(value: ["id": number * 1_000 + id]), at: 0) }
      }
      try await wait { view.rows.first == number * 1_000 + count - 1 }
    }
    #expect(view.inconsistencies == 0 && view.updates >= 1)
    #expect(list.count == 5 * (count - 1) + 1)
    token.invalidate()
    realm.close()
  }

  @Test("a list whose object is deleted is empty in the handler") func deleted() async throws {
    try await change { $0.rows.append(HeldRow()) }
    realm.refresh()
    let list = table.rows
    var counts: [Int] = []
    let token = list.observe { _ in counts.append(list.count) }
    try await wait { counts == [1] }
    try await realm.write { transaction in try transaction.deleteAll(HeldTable.self) }
    try await wait { counts == [1, 0] }
    token.invalidate()
    // The elements that the handler did not see are not replaced by none.
    #expect {
      try realm.write { [realm, table] in realm.add(table) }
    } throws: { ($0 as? FiefError)?.code == .conflict && ($0 as? FiefError)?.property == "rows" }
    #expect(realm.objects(HeldTable.self).isEmpty)
    realm.close()
  }

  @Test("sets and maps have the state of the change") func others() async throws {
    let (tags, counts) = (table.tags, table.counts)
    var seen: [String] = []
    let tokens = [
      tags.observe { _ in seen.append("set \(tags.count)") },
      counts.observe { _ in seen.append("map \(counts["a"] ?? 0)") },
    ]
    try await wait { Set(seen) == ["set 0", "map 0"] }
    try await change { table in
      table.tags.insert("x")
      table.counts["a"] = 7
    }
    try await wait { Set(seen) == ["set 0", "map 0", "set 1", "map 7"] }
    for token in tokens { token.invalidate() }
    realm.close()
  }

  @Test("the handler of an object sees its new values") func object() async throws {
    var titles: [String] = []
    let table = table
    let token = table.observe { _ in titles.append(table.title) }
    try await change { $0.title = "new" }
    try await wait { titles == ["new"] }
    token.invalidate()
    realm.close()
  }

  @Test("unsaved assignments stay") func drafts() async throws {
    let table = table
    var titles: [String] = []
    let token = table.observe { change in
      if case .change(let stored, _) = change { titles.append("\(table.title) \(stored.title)") }
    }
    // An assignment outside of a write is reported.
    withExpectedEvents { table.title = "draft" }
    try await change { $0.title = "new" }
    try await wait { titles == ["draft new"] }
    token.invalidate()
    realm.close()
  }

  @Test("refresh brings held objects and collections to the newest state") func refreshing() async throws {
    let (rows, tags, shelf) = (table.rows, table.tags, try #require(table.shelf))
    let draft = try #require(realm.object(ofType: HeldTable.self, forPrimaryKey: 0))
    withExpectedEvents { draft.title = "draft" }
    let frozen = table.freeze()
    realm.refresh()
    #expect(!realm.refresh() && table.title == "old")
    try await change { table in
      table.title = "new"
      table.rows.append(HeldRow(value: ["id": 1, "name": "one"]))
      table.tags.insert("x")
      table.shelf?.rows.append(HeldRow(value: ["id": 2]))
    }
    #expect(table.title == "old" && rows.isEmpty && tags.isEmpty)
    #expect(realm.refresh())
    #expect(table.title == "new" && rows.count == 1 && tags.contains("x") && shelf.rows.count == 1)
    #expect(rows === table.rows && rows[0].name == "one")
    #expect(draft.title == "draft" && frozen.title == "old")
    let row = rows[0]
    try await change { $0.rows[0].name = "changed" }
    #expect(row.name == "one")
    #expect(await realm.asyncRefresh())
    #expect(row.name == "changed" && !realm.refresh())
    realm.close()
  }

  @Test("a deleted object keeps its values after a refresh") func deletedObject() async throws {
    try await realm.write { transaction in try transaction.deleteAll(HeldTable.self) }
    realm.refresh()
    #expect(table.title == "old" && table.isInvalidated)
    realm.close()
  }
}
