import Fief
import Foundation
import Testing

private enum Inside {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var address: Address?
    @Persisted var others: List<Address>
    @Persisted var byName: Map<String, Address?>
    @Persisted var wallet: Wallet?
  }
  final class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city: City?
    @Persisted var rooms: List<Room>
  }
  final class Room: EmbeddedObject {
    @Persisted var number = 0
  }
  final class Wallet: EmbeddedObject {
    @Persisted var spare: Address?
    @Persisted var coins = 0
  }
  final class City: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
  }
}

private enum Outside {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var address: Address?
    @Persisted var others: List<Address>
    @Persisted var byName: Map<String, Address?>
    @Persisted var wallet: Wallet?
  }
  final class Address: Object {
    @Persisted var street = ""
    @Persisted var city: City?
    @Persisted var rooms: List<Room>
    @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
  }
  final class Room: Object {
    @Persisted(indexed: true) var number = 0
  }
  final class Wallet: EmbeddedObject {
    @Persisted var spare: Address?
    @Persisted var coins = 0
  }
  final class City: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
  }
}

private enum OutsideKeyed {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var address: Address?
    @Persisted var others: List<Address>
  }
  final class Address: Object {
    @Persisted(primaryKey: true) var street = ""
    @Persisted var city: City?
  }
  final class City: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var id = 0
  }
}

@Suite("Embedded objects and objects of their own")
struct EmbeddingTests {
  private static func address(_ street: String, _ city: Inside.City?, rooms: [Int] = []) -> Inside.Address {
    let address = Inside.Address()
    address.street = street
    address.city = city
    for number in rooms {
      let room = Inside.Room()
      room.number = number
      address.rooms.append(room)
    }
    return address
  }

  private static func inside(
    _ directory: String,
    version: UInt64 = 1,
    block: MigrationBlock? = nil
  ) -> MigratingStore {
    MigratingStore(
      directory,
      version: version,
      [Inside.Person.self, Inside.City.self],
      embedded: [Inside.Address.self, Inside.Room.self, Inside.Wallet.self],
      block: block
    )
  }

  private static func outside(
    _ directory: String,
    version: UInt64 = 2,
    block: MigrationBlock? = nil
  ) -> MigratingStore {
    MigratingStore(
      directory,
      version: version,
      [Outside.Person.self, Outside.Address.self, Outside.Room.self, Outside.City.self],
      embedded: [Outside.Wallet.self],
      block: block
    )
  }

  private func withPeople(_ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try Self.inside(directory).opened { (store: MigratingStore) throws in
        let city = Inside.City()
        city.id = 1
        city.name = "Ulm"
        let people = (1...3).map { id in
          let person = Inside.Person()
          person.id = id
          return person
        }
        people[0].address = Self.address("Home 1", city, rooms: [11, 12])
        people[0].others.append(Self.address("Second", nil))
        people[0].others.append(Self.address("Third", city, rooms: [31]))
        people[0].byName["work"] = Self.address("Office", city)
        people[1].address = Self.address("Home 2", nil)
        people[1].wallet = Inside.Wallet()
        people[1].wallet?.coins = 5
        people[1].wallet?.spare = Self.address("Hidden", city, rooms: [41])
        try store.store().write { try $0.add(people, update: .all) }
      }
      try body(directory)
    }
  }

  private func expectOutside(_ store: MigratingStore) throws {
    let first = try #require(store.object(ofType: Outside.Person.self, forPrimaryKey: 1))
    #expect(first.address?.street == "Home 1")
    #expect(first.address?.city?.name == "Ulm")
    #expect(first.address?.rooms.map(\.number) == [11, 12])
    #expect(first.address?.residents.map(\.id) == [1])
    #expect(first.others.map(\.street) == ["Second", "Third"])
    #expect(first.byName["work"]??.street == "Office")
    let second = try #require(store.object(ofType: Outside.Person.self, forPrimaryKey: 2))
    #expect(second.wallet?.coins == 5)
    #expect(second.wallet?.spare?.rooms.map(\.number) == [41])
    #expect(try store.count(Outside.Address.self) == 6)
    #expect(try store.count(Outside.Room.self) == 4)
  }

  @Test("embedded ones become objects that their owners link, nested ones too")
  func promoted() throws {
    try withPeople { (directory: String) throws in
      let store = Self.outside(directory) { (migration: Migration, _: UInt64) throws in
        #expect(migration.count(ofType: "Address") == 6)
        migration.enumerateObjects(ofType: "Person") { old, new in
          let before = old?["address"] as? MigrationObject
          let now = new?["address"] as? MigrationObject
          #expect(before?["street"] as? String == now?["street"] as? String)
          #expect(
            (old?["others"] as? [MigrationObject])?.count == (new?["others"] as? [MigrationObject])?.count
          )
        }
        var count = 0
        migration.enumerateObjects(ofType: "Address") { old, new in
          #expect(old == nil)
          count += new == nil ? 0 : 1
        }
        #expect(count == 6)
      }
      try store.opened { try expectOutside($0) }
    }
  }

  @Test("and back again, into each owner")
  func demoted() throws {
    try withPeople { (directory: String) throws in
      try Self.outside(directory).opened { (store: MigratingStore) throws in
        try store.store().write { transaction in
          // Shared by two owners, and one without an owner.
          let shared = try #require(try transaction.object(ofType: Outside.Person.self, forPrimaryKey: 1))
            .address
          try #require(try transaction.object(ofType: Outside.Person.self, forPrimaryKey: 3)).address = shared
          let alone = Outside.Address()
          alone.street = "Nowhere"
          try transaction.add(alone)
        }
      }
      let error = try Self.inside(directory, version: 3).failure()
      #expect(error.code == .migrationFailed)
      #expect(error.type == "Address")
      #expect(error.details.count == 1)
      let store = Self.inside(directory, version: 3) { (migration: Migration, _: UInt64) throws in
        migration.deleteUnlinkedObjects(ofType: "Address")
        try migration.enumerateObjects(ofType: "Address") { old, new in
          let street = try old?.value("street", as: String.self) ?? ""
          new?["street"] = street + "!"
        }
      }
      try store.opened { (store: MigratingStore) throws in
        for id in [1, 3] {
          let person = try #require(store.object(ofType: Inside.Person.self, forPrimaryKey: id))
          #expect(person.address?.street == "Home 1!")
          #expect(person.address?.city?.name == "Ulm")
          #expect(person.address?.rooms.map(\.number) == [11, 12])
        }
        let first = try #require(store.object(ofType: Inside.Person.self, forPrimaryKey: 1))
        #expect(first.others.map(\.street) == ["Second!", "Third!"])
        #expect(first.byName["work"]??.street == "Office!")
        let second = try #require(store.object(ofType: Inside.Person.self, forPrimaryKey: 2))
        #expect(second.wallet?.spare?.street == "Hidden!")
        #expect(second.wallet?.spare?.rooms.map(\.number) == [41])
      }
      // Once more out and in, without anything left over.
      try Self.outside(directory, version: 4).opened { (store: MigratingStore) throws in
        #expect(store.object(ofType: Outside.Person.self, forPrimaryKey: 3)?.address?.street == "Home 1!")
        #expect(try store.count(Outside.Address.self) == 7, "what was shared is not any more")
      }
      try Self.inside(directory, version: 5).opened { (store: MigratingStore) throws in
        let first = try #require(store.object(ofType: Inside.Person.self, forPrimaryKey: 1))
        #expect(first.others.map(\.street) == ["Second!", "Third!"])
      }
    }
  }

  @Test("embedded ones get a primary key, while those that they link get another one")
  func promotedWithKey() throws {
    try withPeople { (directory: String) throws in
      let store = MigratingStore(
        directory,
        version: 2,
        [OutsideKeyed.Person.self, OutsideKeyed.Address.self, OutsideKeyed.City.self]
      )
      try store.opened { (store: MigratingStore) throws in
        let first = try #require(store.object(ofType: OutsideKeyed.Person.self, forPrimaryKey: 1))
        #expect(first.address?.street == "Home 1")
        #expect(first.others.map(\.street) == ["Second", "Third"])
        let home = try #require(store.object(ofType: OutsideKeyed.Address.self, forPrimaryKey: "Home 1"))
        #expect(home.city?.name == "Ulm")
        #expect(home.city?.id == 1)
      }
      let back = MigratingStore(
        directory,
        version: 3,
        [Inside.Person.self, Inside.City.self],
        embedded: [Inside.Address.self, Inside.Room.self, Inside.Wallet.self]
      ) { (migration: Migration, _: UInt64) throws in
        // Addresses that only a map or a wallet had are not linked any more.
        migration.deleteUnlinkedObjects(ofType: "Address")
        #expect(
          try migration.object(ofType: "Address", forPrimaryKey: "Second")?["street"] as? String == "Second"
        )
      }
      try back.opened { (store: MigratingStore) throws in
        let first = try #require(store.object(ofType: Inside.Person.self, forPrimaryKey: 1))
        #expect(first.address?.street == "Home 1", "the old key is a value now")
        #expect(first.address?.city?.id == 1)
        #expect(first.others.map(\.street) == ["Second", "Third"])
      }
    }
  }
}
