import Fief
import Foundation
import Testing

@testable import FiefCore

private enum Newer {
  enum State: String, PersistableEnum { case open, closed, merged }
  enum Level: Int, PersistableEnum { case low = 1, high = 2, urgent = 90_000 }

  final class Ticket: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted(indexed: true) var state = State.open
    @Persisted var level = Level.low
    @Persisted var former: State?
    @Persisted var formerLevel: Level?
    @Persisted var states: List<State>
    @Persisted var detail: Detail?
  }

  final class Detail: EmbeddedObject {
    @Persisted var text = ""
    @Persisted var level = Level.low
  }
}

private enum Older {
  enum State: String, PersistableEnum { case open, closed }
  enum Level: Int, PersistableEnum { case low = 1, high = 2 }

  final class Ticket: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted(indexed: true) var state = State.closed
    @Persisted var level = Level.low
    @Persisted var former: State?
    @Persisted var formerLevel: Level?
    @Persisted var states: List<State>
    @Persisted var detail: Detail?
  }

  final class Detail: EmbeddedObject {
    @Persisted var text = ""
    @Persisted var level = Level.low
  }
}

private struct TicketStore: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "tickets" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]?
  var embeddedObjectTypes: [EmbeddedObject.Type]?
  var migrationBlock: MigrationBlock? { nil }
  var directory: String?
  var storeOptions = StoreOptions()

  func save(_ object: Object, _ policy: UpdatePolicy = .all) throws {
    try Saving.save([object], SaveOptions(policy, seeing: nil), in: try store().core())
  }
}

/// A program that is older than the data reads raw values that it does not know, and leaves them as they are.
@Suite("Raw values that no case has")
struct UnknownValueTests {
  private let places = Lock<[String]>([])

  private func with(_ body: (_ older: TicketStore, _ newer: TicketStore) throws -> Void) throws {
    let directory = NSTemporaryDirectory() + "fief-unknown-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let newer = TicketStore(
      objectTypes: [Newer.Ticket.self],
      embeddedObjectTypes: [Newer.Detail.self],
      directory: directory
    )
    var older = TicketStore(
      objectTypes: [Older.Ticket.self],
      embeddedObjectTypes: [Older.Detail.self],
      directory: directory
    )
    let places = places
    older.storeOptions.eventHandler = { event in
      guard case .failedRead(_, let type, let property, _) = event else { return }
      places.withLock { $0.append("\(type ?? "").\(property ?? "")") }
    }
    try newer.write { transaction in
      for id in 0..<6 {
        let ticket = Newer.Ticket(value: ["id": id, "title": "ticket \(id)"])
        ticket.state = id % 2 == 0 ? .merged : .closed
        ticket.level = id % 2 == 0 ? .urgent : .high
        ticket.former = id % 2 == 0 ? .merged : .open
        ticket.formerLevel = id % 2 == 0 ? .urgent : nil
        ticket.states.append(objectsIn: [.closed, id % 2 == 0 ? .merged : .open])
        ticket.detail = Newer.Detail(value: ["text": "detail", "level": Newer.Level.urgent])
        try transaction.add(ticket)
      }
    }
    newer.closeChecked()
    try body(older, newer)
  }

  private func expectKept(
    _ newer: TicketStore,
    _ id: Int = 0,
    title: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let ticket = try #require(newer.object(ofType: Newer.Ticket.self, forPrimaryKey: id))
    #expect(ticket.title == title, sourceLocation: sourceLocation)
    #expect(ticket.state == .merged && ticket.level == .urgent, sourceLocation: sourceLocation)
    #expect(ticket.former == .merged && ticket.formerLevel == .urgent, sourceLocation: sourceLocation)
    #expect(Array(ticket.states) == [.closed, .merged], sourceLocation: sourceLocation)
    #expect(ticket.detail?.level == .urgent, sourceLocation: sourceLocation)
    newer.closeChecked()
  }

  private func read(_ older: TicketStore, _ id: Int = 0) throws -> Older.Ticket {
    let ticket = try #require(older.object(ofType: Older.Ticket.self, forPrimaryKey: id))
    #expect(
      ticket.state == .open && ticket.level == .low && ticket.former == nil && ticket.formerLevel == nil
    )
    #expect(Array(ticket.states) == [.closed] && ticket.detail?.level == .low)
    return ticket
  }

  @Test("are kept by every way of saving an object for another reason")
  func kept() throws {
    try with { older, newer in
      let saved = try read(older)
      saved.title = "saved"
      try older.save(saved)
      older.closeChecked()
      try expectKept(newer, title: "saved")
      let patched = try read(older)
      patched.title = "patched"
      try older.save(patched, .modified)
      older.closeChecked()
      try expectKept(newer, title: "patched")
      try older.write { transaction in
        let live = try transaction.object(ofType: Older.Ticket.self, forPrimaryKey: 0)
        #expect(live?.state == .open && live?.states.count == 1)
        live?.title = "live"
        live?.detail?.text = "other"
      }
      older.closeChecked()
      try expectKept(newer, title: "live")
      let again = try read(older)
      try older.write { transaction in
        _ = try transaction.object(ofType: Older.Ticket.self, forPrimaryKey: 0)
        again.title = "over a live one"
        try transaction.add(again, update: .all)
      }
      older.closeChecked()
      try expectKept(newer, title: "over a live one")
    }
  }

  @Test("are kept by a detached copy")
  func detached() throws {
    try with { older, newer in
      let ticket = try read(older)
      ticket.states = List([.closed])
      let copy = ticket.detached()
      copy.title = "detached"
      #expect(copy.description.contains("(unknown value)"))
      try older.save(copy)
      older.closeChecked()
      let stored = try #require(newer.object(ofType: Newer.Ticket.self, forPrimaryKey: 0))
      #expect(stored.title == "detached" && stored.state == .merged && stored.level == .urgent)
      #expect(
        stored.former == .merged && stored.detail?.level == .urgent && Array(stored.states) == [.closed]
      )
      newer.closeChecked()
    }
  }

  @Test("go when the property is assigned")
  func assigned() throws {
    try with { older, newer in
      let ticket = try read(older)
      (ticket.state, ticket.formerLevel) = (.open, nil)
      ticket.states = List([.open])
      try older.save(ticket)
      try older.write { transaction in
        let live = try transaction.object(ofType: Older.Ticket.self, forPrimaryKey: 2)
        live?.state = .closed
        live?.detail?.level = .high
      }
      older.closeChecked()
      let first = try #require(newer.object(ofType: Newer.Ticket.self, forPrimaryKey: 0))
      #expect(first.state == .open && first.formerLevel == nil && Array(first.states) == [.open])
      #expect(first.level == .urgent && first.former == .merged)
      let other = try #require(newer.object(ofType: Newer.Ticket.self, forPrimaryKey: 2))
      #expect(other.state == .closed && other.detail?.level == .high && other.level == .urgent)
      newer.closeChecked()
    }
  }

  @Test("are not lost by a change of the list that has them")
  func changedList() throws {
    try with { older, newer in
      let ticket = try read(older)
      ticket.states.append(.open)
      #expect(throws: FiefError.self) { try older.save(ticket) }
      older.closeChecked()
      try expectKept(newer, title: "ticket 0")
    }
  }

  @Test("are what queries and groups go by, and what the checker and one event report")
  func reported() throws {
    try with { older, newer in
      let tickets = older.store().objects(Older.Ticket.self)
      #expect(
        tickets.where { $0.state == .open }.count == 0 && tickets.where { $0.state == .closed }.count == 3
      )
      #expect(tickets.filter("state == 'merged'").count == 3 && tickets.filter("level > 1000").count == 3)
      #expect(try tickets.grouped(by: \.state).counts().map(\.values).sorted() == [3, 3])
      for _ in 0..<2 { for id in [0, 2, 4] { _ = try read(older, id) } }
      let expected = ["Ticket.state", "Ticket.level", "Ticket.former", "Ticket.formerLevel", "Ticket.states"]
      #expect(places.withLock { $0.sorted() } == (expected + ["Detail.level"]).sorted())
      let check = try older.check()
      let lines = expected.map { "\($0): 3 objects" } + ["Detail.level: 6 objects"]
      #expect(check.isConsistent && check.unknownValues.sorted() == lines.sorted())
      older.closeChecked()
      #expect(try newer.check().unknownValues == [])
      newer.close()
    }
  }
}
