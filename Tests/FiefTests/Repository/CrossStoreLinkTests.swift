import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore
@testable import FiefMultiStore

final class CrossPet: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

final class CrossBreed: Object {
  @Persisted(primaryKey: true) var code = ""
}

final class CrossSpot: Object {
  @Persisted(primaryKey: true) var city = ""
  @Persisted(primaryKey: true) var number = 0
}

final class CrossTag: Object {
  @Persisted(primaryKey: true) var id = UUID()
}

/// No primary key.
final class CrossNote: Object {
  @Persisted var text = ""
}

final class CrossOrder: Object {
  @Persisted(primaryKey: true) var number = ""
  @Persisted(indexed: true) var pet: CrossStoreLink<CrossPet>
  @Persisted var gift: CrossStoreLink<CrossPet>?
  @Persisted var pets: List<CrossStoreLink<CrossPet>>
  @Persisted var breeds: MutableSet<CrossStoreLink<CrossBreed>>
  @Persisted var spots: Map<String, CrossStoreLink<CrossSpot>>
  @Persisted var tag: CrossStoreLink<CrossTag>?
}

struct CrossPets: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "pets" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? {
    [CrossPet.self, CrossBreed.self, CrossSpot.self, CrossTag.self, CrossNote.self]
  }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}

struct CrossOrders: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "orders" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [CrossOrder.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}

extension DatabaseConfigurable {
  /// The synchronous form, also where the asynchronous one would be taken.
  func writeNow(_ body: (WriteTransaction) throws -> Void) throws { try write(body) }
}

/// References to objects of other stores.
@Suite struct CrossStoreLinkTests {
  private func inFreshStores(_ kind: StoreKind, _ body: (StoreManager) async throws -> Void) async throws {
    try await withFreshStores(kind) {
      let manager = StoreManager(repositories: [CrossPets(), CrossOrders()])
      try await body(manager)
      CrossPets().closeChecked()
      CrossOrders().closeChecked()
    }
  }

  private func link(_ id: Int) throws -> CrossStoreLink<CrossPet> {
    try CrossStoreLink(key: id, in: CrossPets())
  }

  @Test(arguments: StoreKind.allCases) func arePersistedEverywhere(_ kind: StoreKind) async throws {
    try await inFreshStores(kind) { _ in
      let order = CrossOrder()
      order.number = "1"
      order.pet = try link(7)
      order.pets.append(objectsIn: [try link(3), try link(1), try link(3)])
      order.breeds.insert(try CrossStoreLink(key: "a/b, c", in: CrossPets()))
      order.spots["home"] = try CrossStoreLink(key: ["Berlin, Mitte", 4] as [Any], in: CrossPets())
      order.tag = try CrossStoreLink(key: UUID(), in: CrossPets())
      try await CrossOrders().save(entity: order, update: true)
      let read = try #require(CrossOrders().object(ofType: CrossOrder.self, forPrimaryKey: "1"))
      #expect(read.pet == order.pet && read.pet.text == "pets/CrossPet/7" && read.gift == nil)
      #expect(read.pets.map(\.text) == ["pets/CrossPet/3", "pets/CrossPet/1", "pets/CrossPet/3"])
      #expect(read.breeds.map(\.text) == ["pets/CrossBreed/a/b, c"] && read.tag == order.tag)
      #expect(read.spots["home"]?.text == #"pets/CrossSpot/["Berlin, Mitte",4]"#)
      #expect(read.pet.storeName == "pets" && read.pet.typeName == "CrossPet" && read.pet.keyText == "7")
      #expect("\(read.pet)" == "pets/CrossPet/7" && read.breeds.map(\.keyText) == ["a/b, c"])
    }
  }

  @Test(arguments: StoreKind.allCases) func resolveToTheObjectOrToAReason(_ kind: StoreKind) async throws {
    try await inFreshStores(kind) { manager in
      let keys: [Any] = [["Bonn", 1], ["Bonn, Mitte", 2], ["[x", 3], ["", -4]]
      try CrossPets().writeNow { transaction in
        try transaction.create(CrossPet.self, value: [7, "Rex"])
        for code in ["", "a/b", "[1", "ß,\"", "7"] { try transaction.create(CrossBreed.self, value: [code]) }
        for key in keys { try transaction.create(CrossSpot.self, value: key) }
        try transaction.create(CrossNote.self, value: ["first"])
      }
      CrossPets().close()
      // The store is opened.
      #expect(try await link(7).resolve(in: manager).object?.name == "Rex")
      #expect(try link(7).resolve(in: CrossPets()).object?.name == "Rex")
      #expect(try await link(8).resolve(in: manager).reason == .noObject)
      for code in ["", "a/b", "[1", "ß,\"", "7"] {
        let link = try CrossStoreLink<CrossBreed>(key: code, in: CrossPets())
        #expect(try await link.resolve(in: manager).object?.code == code, "\(link)")
      }
      for key in keys {
        let link = try CrossStoreLink<CrossSpot>(key: key, in: CrossPets())
        #expect(try await link.resolve(in: manager).object?.number == (key as? [Any])?[1] as? Int, "\(link)")
      }
      let note = try #require(CrossPets().queryAll(returningClass: CrossNote.self)?.first)
      #expect(try CrossStoreLink(to: note, in: CrossPets()).resolve(in: CrossPets()).object?.text == "first")
      let tag = CrossTag()
      let tagged = try CrossStoreLink(to: tag, in: CrossPets())
      #expect(try tagged.resolve(in: CrossPets()).reason == .noObject)
      try await CrossPets().save(entity: tag, update: true)
      #expect(try tagged.resolve(in: CrossPets()).object?.id == tag.id)
      try await CrossPets().delete(entity: tag)
      #expect(try await tagged.resolve(in: manager).reason == .noObject)
    }
  }

  @Test func whatLeadsNowhereIsAValue() async throws {
    try await inFreshStores(.inMemory) { manager in
      func reason(_ text: String) async throws -> CrossStoreResolutionReason? {
        try await CrossStoreLink<CrossPet>(text: text).resolve(in: manager).reason
      }
      #expect(try await reason("") == .empty && CrossStoreLink<CrossPet>().isEmpty)
      #expect(try await reason("pets") == .malformed)
      #expect(try await reason("/CrossPet/7") == .malformed)
      #expect(try await reason("other/CrossPet/7") == .unknownStore)
      #expect(try await reason("pets/CrossBreed/7") == .otherType)
      #expect(try await reason("orders/CrossPet/7") == .otherType)
      #expect(try await reason("pets/CrossPet/Rex") == .otherKey)
      #expect(try await reason("pets/CrossPet/[1,2]") == .otherKey)
      #expect(try await reason("pets/CrossPet/") == .otherKey)
      #expect(try await reason("pets/CrossPet/7") == .noObject)
      let link = try link(1)
      #expect(try link.resolve(in: CrossOrders()).reason == .unknownStore)
      #expect(Set(CrossStoreResolutionReason.allCases.map { "\($0)" }).count == 6)
    }
  }

  @Test func aStoreThatCannotBeOpenedIsAnError() async throws {
    struct Broken: DatabaseConfigurable {
      var realmMemoryType: RealmMemoryType { .inStorage }
      var schemaName: String? { "pets" }
      var schemaVersion: UInt64? { 0 }
      var objectTypes: [Object.Type]? { [CrossPet.self] }
      var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
      var migrationBlock: MigrationBlock? { nil }
    }
    try await inFreshStores(.inMemory) { _ in
      try CrossPets().writeNow { _ in }
      CrossPets().close()
      let manager = StoreManager(repositories: [Broken()])
      let error = await #expect(throws: FiefError.self) { try await link(7).resolve(in: manager) }
      #expect(error?.code == .versionTooLow && error?.store == "pets")
    }
  }

  @Test func badKeysAreRefused() throws {
    func code(_ body: () throws -> Void) -> FiefError.Code? {
      do { try body() } catch { return (error as? FiefError)?.code }
      return nil
    }
    #expect(code { _ = try CrossStoreLink<CrossPet>(store: "pets", key: "x") } == .invalidValue)
    #expect(code { _ = try CrossStoreLink<CrossSpot>(store: "pets", key: "x") } == .invalidValue)
    #expect(code { _ = try CrossStoreLink<CrossPet>(store: "a/b", key: 1) } == .invalidStoreName)
    #expect(code { _ = try CrossStoreLink(to: CrossNote(), in: CrossPets()) } == .missingPrimaryKey)
    let long = String(repeating: "x", count: 600)
    #expect(code { _ = try CrossStoreLink<CrossBreed>(store: "pets", key: long) } == .primaryKeyTooLong)
  }

  @Test(arguments: StoreKind.allCases) func manyAreResolvedTogether(_ kind: StoreKind) async throws {
    try await inFreshStores(kind) { manager in
      try CrossPets().writeNow { transaction in
        for id in 0..<100 { try transaction.create(CrossPet.self, value: [id, "pet \(id)"]) }
      }
      typealias Link = CrossStoreLink<CrossPet>
      var links = try (0..<300).map { try link(($0 * 37) % 150) }
      links += [Link(), Link(text: "x"), Link(text: "gone/CrossPet/1")]
      links += [Link(text: "pets/CrossBreed/1"), Link(text: "pets/CrossPet/x")]
      links += [Link(text: "orders/CrossPet/1")]
      let results = try await manager.resolve(links)
      for (link, result) in zip(links, results).prefix(300) {
        let id = try #require(link.keyText.flatMap { Int($0) })
        #expect(result.object?.name == (id < 100 ? "pet \(id)" : nil))
        #expect(result.reason == (id < 100 ? nil : .noObject))
      }
      #expect(results[0].object === results[150].object)
      #expect(
        results.suffix(6).map(\.reason) == [
          .empty, .malformed, .unknownStore, .otherType, .otherKey, .otherType,
        ]
      )
    }
  }

  @Test(arguments: StoreKind.allCases) func areComparedInQueries(_ kind: StoreKind) async throws {
    try await inFreshStores(kind) { _ in
      try CrossOrders().writeNow { transaction in
        for number in 0..<40 {
          let order = CrossOrder()
          order.number = "\(number)"
          order.pet = try link(number % 8)
          if number % 2 == 0 { order.gift = try link(number % 4) }
          order.pets.append(try link(number % 5))
          try transaction.add(order)
        }
      }
      let wanted = try link(3)
      let orders = CrossOrders().store().objects(CrossOrder.self)
      #expect(try orders.where { $0.pet == wanted }.fetchCount() == 5)
      #expect(try orders.filter(#Predicate { $0.pet == wanted }).fetchCount() == 5)
      #expect(try orders.filter("pet == $0", wanted).fetchCount() == 5)
      #expect(try orders.filter("pet == 'pets/CrossPet/3'").fetchCount() == 5)
      let four = try link(4)
      #expect(try orders.where { $0.pet.in([wanted, four]) }.fetchCount() == 10)
      #expect(try orders.where { $0.gift == nil }.fetchCount() == 20)
      let two = try link(2)
      #expect(try orders.where { $0.gift == two }.fetchCount() == 10)
      #expect(try orders.where { $0.pets.contains(wanted) }.fetchCount() == 8)
      #expect(try orders.where { $0.pet.persistableValue.starts(with: "pets/") }.fetchCount() == 40)
      #expect(
        try orders.where { $0.pet == wanted }.explain().access
          == .index(["pet"], ranges: ["= 'pets/CrossPet/3'"])
      )
    }
  }

  @Test func areCodableAndHashable() throws {
    let link = try link(7)
    let data = try JSONEncoder().encode(["a": link])
    #expect(String(decoding: data, as: UTF8.self) == #"{"a":"pets\/CrossPet\/7"}"#)
    #expect(try JSONDecoder().decode([String: CrossStoreLink<CrossPet>].self, from: data) == ["a": link])
    #expect(Set([link, try self.link(7), try self.link(8)]).count == 2)
    #expect(CrossStoreLink<CrossPet>(link.description) == link)
  }

  @Test(arguments: StoreKind.allCases) func jsonHasTheText(_ kind: StoreKind) async throws {
    try await inFreshStores(kind) { _ in
      let json = #"{"number": "9", "pet": "pets/CrossPet/7", "pets": ["pets/CrossPet/1"], "gift": null}"#
      try await CrossOrders().save(saveClass: CrossOrder.self, jsonData: Data(json.utf8), update: false)
      let read = try #require(CrossOrders().object(ofType: CrossOrder.self, forPrimaryKey: "9"))
      #expect(try read.pet == link(7) && read.pets.first == link(1) && read.gift == nil)
    }
  }
}
