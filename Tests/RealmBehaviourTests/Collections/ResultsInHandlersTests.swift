import FiefRealm
import FiefTesting
import Foundation
import Testing

private final class TableRow: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var group = 0
  @Persisted var tags: List<String>
}

private final class TableNote: Object {
  @Persisted(primaryKey: true) var id = 0
}

/// Results that a screen keeps as the data source of a table. While a handler runs, other threads write.
@MainActor @Suite(.timeLimit(.minutes(20))) struct ResultsInHandlersTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [TableRow.self])
    )
    try realm.write { for id in 0..<3 { realm.create(TableRow.self, value: ["id": id]) } }
  }

  /// Commits a write of another thread before it returns.
  nonisolated private static func commitElsewhere(_ realm: Realm, _ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do { try realm.write { body() } } catch { Issue.record(error) }
      done.signal()
    }
    done.wait()
  }

  private func wait(until isDone: () -> Bool) async throws {
    while !isDone() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test("show the state of the change in the handler") func dataSource() async throws {
    let rows = realm.objects(TableRow.self).sorted(byKeyPath: "id")
    let sections = rows.sectioned(by: \.group)
    var (known, isReady, calls) = (0, false, 0)
    let token = rows.observe { [realm] change in
      // The next report is prepared before the table asks for its rows.
      if calls < 4 {
        let id = 100 + calls
        Self.commitElsewhere(realm) { realm.create(TableRow.self, value: ["id": id]) }
        #expect(realm.object(ofType: TableRow.self, forPrimaryKey: id) == nil)
      }
      calls += 1
      switch change {
      case .initial(let shown):
        #expect(rows.count == 3 && shown.count == 3 && sections[0].count == 3)
        known = rows.count
      case .update(let shown, let deletions, let insertions, _):
        #expect(rows.count == known - deletions.count + insertions.count)
        #expect(rows.count == shown.count && sections[0].count == shown.count)
        #expect(rows.last?.id == shown.last?.id && rows.map(\.id) == shown.map(\.id))
        #expect(realm.objects(TableRow.self).count == shown.count && rows.freeze().count == shown.count)
        known = rows.count
      case .error(let error): Issue.record(error)
      }
      isReady = calls == 5
    }
    try await wait { isReady }
    // Outside of handlers results have the newest state.
    #expect(known == 7 && rows.count == 7)
    Self.commitElsewhere(realm) { [realm] in realm.create(TableRow.self, value: ["id": 200]) }
    #expect(rows.count == 8)
    token.invalidate()
    realm.close()
  }

  @Test("and so do sections of values, and held objects after refresh()") func values() async throws {
    let row = realm.objects(TableRow.self)[0]
    try realm.write { row.tags.append("a") }
    let sections = row.tags.sectioned(by: { $0 })
    var counts: [Int?] = []
    let token = realm.objects(TableRow.self).observe { [realm] _ in
      if !counts.isEmpty { return }
      Self.commitElsewhere(realm) { realm.objects(TableRow.self)[0].tags.append("b") }
      #expect(!realm.refresh())
      counts = [sections.thaw()?.count, realm.objects(TableRow.self)[0].tags.count, row.tags.count]
    }
    try await wait { !counts.isEmpty }
    #expect(counts == [1, 1, 1])
    #expect(sections.thaw()?.count == 2)
    token.invalidate()
    realm.close()
  }

  @Test("objects keep the types of the handle that reads them") func types() async throws {
    let files = try RealmFiles()
    func repository(_ types: [Object.Type]) -> TestRepository {
      TestRepository("rows", memoryType: .inMemory(identifier: files.directory.path), objectTypes: types)
    }
    let (all, part) = (repository([TableRow.self, TableNote.self]), repository([TableRow.self]))
    defer { all.close() }
    try all.saveAndWait(entity: TableRow())
    let (rows, rowsOfPart) = (all.store().objects(TableRow.self), part.store().objects(TableRow.self))
    var counts: [Int] = []
    let token = rows.observe { _ in
      if !counts.isEmpty { return }
      counts = [rowsOfPart, rows, rowsOfPart].map { $0.first?.realm?.schema.objectSchema.count ?? 0 }
    }
    try await wait { !counts.isEmpty }
    #expect(counts == [1, 2, 1])
    token.invalidate()
    realm.close()
  }

  @Test("have the newest state after the handler has written") func writing() async throws {
    let rows = realm.objects(TableRow.self)
    var counts: [Int] = []
    let token = rows.observe { [realm] change in
      guard case .initial = change else { return }
      Self.commitElsewhere(realm) { realm.create(TableRow.self, value: ["id": 100]) }
      counts.append(rows.count)
      try? realm.write {
        counts.append(rows.count)
        realm.create(TableRow.self, value: ["id": 101])
        counts.append(rows.count)
      }
      counts.append(rows.count)
      Self.commitElsewhere(realm) { realm.create(TableRow.self, value: ["id": 102]) }
      counts.append(rows.count)
    }
    try await wait { counts.count == 5 }
    #expect(counts == [3, 4, 5, 5, 6])
    token.invalidate()
    realm.close()
  }

  @Test("objects of a handler are changed in writes, and reported outside of them") func objects()
    async throws
  {
    let events = TranslatedRealm.Events()
    var configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString,
      objectTypes: [TableRow.self]
    )
    configuration.eventHandler = { events.add($0) }
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(TableRow.self, value: ["id": 1]) }
    let rows = realm.objects(TableRow.self)
    var kept: TableRow?
    let token = rows.observe { _ in if kept == nil { kept = rows.first } }
    try await wait { kept != nil }
    let row = try #require(kept)
    try realm.write { row.name = "written" }
    #expect(realm.objects(TableRow.self)[0].name == "written")
    #expect(events.take().isEmpty)
    row.name = "not written"
    #expect(events.take().count == 1)
    token.invalidate()
    realm.close()
  }
}
