import Fief
import Foundation
import Testing

/// Values whose property gets another type are converted, or the migration says what would be lost.
@Suite("Values are not lost with the type of their property")
struct ValueLossTests {
  private static let lost = [
    "Ticket.price", "Ticket.rate", "Ticket.optional", "Ticket.list", "Seat.row", "Holder.name",
  ]

  private func with(objects count: Int, _ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { directory in
      try before(directory).opened { store in
        try store.store().write { transaction in
          for id in 0..<count {
            let ticket = LossBefore.Ticket(value: ["id": id, "price": id * 7, "number": -id])
            (ticket.rate, ticket.weight) = (1e22 / 3, 0.1)
            ticket.amount = Decimal(string: "12.340") ?? 0
            ticket.optional = id % 2 == 0 ? id : nil
            ticket.list.append(objectsIn: [3, -1, 3])
            ticket.set.insert(objectsIn: [ticket.code, UUID()])
            ticket.map["a"] = 0.5
            ticket.map["b"] = .some(nil)
            ticket.seat = LossBefore.Seat(value: ["row": id])
            let holder = LossBefore.Holder(value: ["name": "holder \(id)"])
            holder.tickets.append(ticket)
            try transaction.add(holder)
          }
        }
      }
      try body(directory)
    }
  }

  private func before(_ directory: String) -> MigratingStore {
    MigratingStore(
      directory,
      version: 1,
      [LossBefore.Ticket.self, LossBefore.Holder.self],
      embedded: [LossBefore.Seat.self]
    )
  }

  private func dropped(_ directory: String, block: MigrationBlock? = nil) -> MigratingStore {
    MigratingStore(
      directory,
      version: 2,
      [LossDropped.Ticket.self, LossDropped.Holder.self],
      embedded: [LossDropped.Seat.self],
      block: block
    )
  }

  @Test("numbers and identifiers become what holds them, with links to other keys")
  func converted() throws {
    try with(objects: 30) { directory in
      var old: [Int: LossBefore.Ticket] = [:]
      try before(directory).opened {
        for ticket in try $0.all(LossBefore.Ticket.self) { old[ticket.id] = ticket }
      }
      let store = MigratingStore(
        directory,
        version: 2,
        [LossConverted.Ticket.self, LossConverted.Holder.self],
        embedded: [LossConverted.Seat.self]
      )
      try store.opened { store in
        #expect(try store.all(LossConverted.Ticket.self).count == 30)
        for (id, old) in old {
          let new = try #require(store.object(ofType: LossConverted.Ticket.self, forPrimaryKey: "\(id)"))
          #expect(new.price == Decimal(id * 7) && new.rate == Decimal(string: "\(old.rate)"))
          #expect(new.weight == Decimal(string: "0.1") && new.amount == "12.34" && new.number == "\(-id)")
          #expect(new.code == old.code.uuidString && new.token == "\(old.token)")
          #expect(new.optional == (id % 2 == 0 ? "\(id)" : nil))
          #expect(Array(new.list) == ["3", "-1", "3"] && new.seat?.row == "\(id)")
          #expect(Set(new.set) == Set(old.set.map(\.uuidString)))
          #expect(new.map["a"] == "0.5" && new.map["b"] == .some(nil))
          let holder = store.object(ofType: LossConverted.Holder.self, forPrimaryKey: "holder \(id)")
          #expect(holder?.tickets.first?.id == "\(id)")
          #expect(store.store().objects(LossConverted.Ticket.self).where { $0.number == "\(-id)" }.count == 1)
        }
      }
    }
  }

  @Test("what would be lost is listed, and the store stays as it was")
  func listed() throws {
    try with(objects: 3) { directory in
      let error = try dropped(directory).failure()
      #expect(error.code == .migrationFailed)
      for name in Self.lost {
        #expect(error.details.contains { $0.hasPrefix("\(name) was changed from ") }, "\(error)")
      }
      #expect(error.details.count == Self.lost.count + 1, "\(error)")
      #expect(error.details.last?.contains("migration.discard(") ?? false)
      // The rest is listed where some of them are assigned or discarded.
      let rest = try dropped(directory) { migration, _ in
        migration.discard("Ticket.price")
        migration.discard("Seat.row")
        migration.enumerateObjects(ofType: "Ticket") { old, new in new?["rate"] = 3 }
      }.failure()
      #expect(rest.details.count == Self.lost.count - 3 + 1, "\(rest)")
      try before(directory).opened { store in
        let tickets = try store.all(LossBefore.Ticket.self)
        #expect(tickets.map(\.price) == [0, 7, 14] && tickets.last?.seat?.row == 2)
      }
    }
  }

  @Test("what is assigned or discarded is migrated")
  func assignedOrDiscarded() throws {
    try with(objects: 3) { directory in
      let store = dropped(directory) { migration, _ in
        migration.discard("Ticket.price")
        migration.discard("Ticket.optional")
        migration.discard("Ticket.list")
        // One that is kept, and one that was there before.
        migration.discard("Ticket.number")
        migration.enumerateObjects(ofType: "Ticket") { old, new in
          new?["rate"] = (old?["id"] as? Int).map { $0 * 2 }
          (new?["seat"] as? MigrationObject)?["row"] = Date(timeIntervalSinceReferenceDate: 5)
        }
        var number = 0
        migration.enumerateObjects(ofType: "Holder") { _, new in
          number += 1
          new?["name"] = number
        }
      }
      try store.opened { store in
        let tickets = try store.all(LossDropped.Ticket.self)
        #expect(tickets.map(\.rate) == [0, 2, 4] && tickets.allSatisfy { !$0.price && $0.list.isEmpty })
        #expect(tickets.map(\.number) == [0, -1, -2])
        #expect(tickets.allSatisfy { $0.seat?.row == Date(timeIntervalSinceReferenceDate: 5) })
        #expect(try store.all(LossDropped.Holder.self).map(\.name) == [1, 2, 3])
      }
    }
  }

  @Test("a store without such values needs no block")
  func empty() throws {
    try with(objects: 0) { directory in
      try dropped(directory).opened { store in
        let found = try store.all(LossDropped.Ticket.self)
        #expect(found.isEmpty)
      }
    }
  }

  @Test("values of objects that the block deletes are not lost")
  func deleted() throws {
    try with(objects: 3) { directory in
      let store = dropped(directory) { migration, _ in
        migration.deleteData(forType: "Holder")
        migration.deleteData(forType: "Ticket")
        migration.create("Holder", value: ["name": 7])
      }
      try store.opened { store in
        let found = try store.all(LossDropped.Holder.self)
        #expect(found.map(\.name) == [7])
      }
    }
  }

  @Test("unknown properties cannot be discarded", arguments: ["Ticket", "Ticket.prize", "Tocket.price", ""])
  func unknown(name: String) throws {
    try with(objects: 1) { directory in
      let error = try dropped(directory) { migration, _ in migration.discard(name) }.failure()
      #expect(error.code == .unknownProperty)
    }
  }

  @Test("a value that the new type cannot hold ends the migration with its place")
  func doesNotFit() throws {
    try with(objects: 1) { directory in
      try before(directory).opened { store in
        try store.write { transaction in
          try transaction.object(ofType: LossBefore.Ticket.self, forPrimaryKey: 0)?.rate = .infinity
        }
      }
      let store = MigratingStore(
        directory,
        version: 2,
        [LossConverted.Ticket.self, LossConverted.Holder.self],
        embedded: [LossConverted.Seat.self]
      )
      let error = try store.failure()
      #expect(error.code == .invalidValue && error.type == "Ticket" && error.property == "rate", "\(error)")
    }
  }
}
