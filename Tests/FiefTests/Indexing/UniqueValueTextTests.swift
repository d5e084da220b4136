import Fief
import FiefTesting
import Foundation
import Testing

private final class Ticket: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .unique) var anything: AnyRealmValue = .none
  @Persisted(index: .unique) var time: Date?
  @Persisted(index: .unique) var decimal: Decimal?
  @Persisted(index: .unique) var uuid: UUID?
  @Persisted(index: .unique) var bytes: Data?
  @Persisted(index: .unique) var flag: Bool?
  @Persisted(index: .unique) var holder: TicketHolder?
}

private final class TicketHolder: Object {
  @Persisted(primaryKey: true) var name = ""
}

/// The error of a unique index shows the value that two objects have.
@Suite(.timeLimit(.minutes(20))) struct UniqueValueTextTests {
  private static let uuid = UUID()
  private static let time = Date(timeIntervalSince1970: 0)

  private static let tickets: [(text: String, change: @Sendable (Ticket) -> Void)] = [
    ("5", { $0.anything = .int(5) }), ("a text", { $0.anything = .string("a text") }),
    ("1970-01-01T00:00:00Z", { $0.anything = .date(time) }),
    ("@-Infinity", { $0.anything = .date(Date(timeIntervalSinceReferenceDate: -.infinity)) }),
    ("1970-01-01T00:00:00Z", { $0.time = time }),
    ("@Infinity", { $0.time = Date(timeIntervalSinceReferenceDate: .infinity) }),
    ("1.5", { $0.decimal = 1.5 }), (uuid.uuidString, { $0.uuid = uuid }),
    ("3 bytes", { $0.bytes = Data([1, 2, 3]) }), ("true", { $0.flag = true }),
    ("Ann", { $0.holder = TicketHolder(value: ["name": "Ann"]) }),
  ]

  @Test(arguments: StoreKind.allCases) func theErrorShowsValuesOfEveryKind(_ kind: StoreKind) throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: [Ticket.self, TicketHolder.self]), kind)
    for (text, change) in Self.tickets {
      let tickets = [Ticket(), Ticket()]
      for (id, ticket) in tickets.enumerated() {
        ticket.id = id
        ticket.anything = .int(100 + id)
        change(ticket)
      }
      let error = #expect(throws: FiefError.self) {
        try fixture.write { transaction in
          for ticket in tickets { try transaction.add(ticket, update: .all) }
        }
      }
      #expect(error?.code == .duplicateValue)
      #expect(error?.showingValues().details.last == "the value: " + text)
    }
    fixture.closeChecked()
  }
}
