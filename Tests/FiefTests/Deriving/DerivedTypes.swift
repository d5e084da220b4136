import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

final class DerivedChat: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var topic: String?
  @Persisted var guests: List<DerivedMember>
  @Persisted var admins: MutableSet<DerivedMember>
  @Persisted var roles: Map<String, DerivedMember?>
  @Persisted(originProperty: "chat") var members: LinkingObjects<DerivedMember>
  @Persisted(originProperty: "rooms") var visitors: LinkingObjects<DerivedMember>

  @Persisted(indexed: true) var membersCount = 0
  @Persisted var points = 0
  @Persisted var weight = 0.0
  @Persisted var cost: Decimal = 0
  @Persisted var least: Int?
  @Persisted var most: Int?
  @Persisted var firstBorn: Date?
  @Persisted var lastName: String?
  @Persisted var clamped: Int8 = 0

  @Persisted var visitorsCount: Int32 = 0
  @Persisted var visitorPoints: Int?

  @Persisted var guestsCount = 0
  @Persisted var guestPoints = 0
  @Persisted var guestWeight = 0.0
  @Persisted var guestMost: Int?
  @Persisted var guestFirstName: String?

  @Persisted var adminsCount = 0
  @Persisted var adminPoints = 0
  @Persisted var adminLeast: Int?

  @Persisted var rolesCount = 0
  @Persisted var rolePoints = 0

  @Persisted(index: .fullText) var searchName = ""
  @Persisted var searchTopic: String?
  @Persisted var changedAt: Date?

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("membersCount", .count(of: "members")),
      DerivedProperty(\DerivedChat.points, .sum(of: "members.points")),
      DerivedProperty("weight", .sum(of: \DerivedChat.members, \DerivedMember.weight)),
      DerivedProperty("cost", .sum(of: "members.cost")),
      DerivedProperty("least", .min(of: "members.points")),
      DerivedProperty("most", .max(of: "members.points")),
      DerivedProperty("firstBorn", .min(of: "members.born")),
      DerivedProperty("lastName", .max(of: "members.name")),
      DerivedProperty("clamped", .sum(of: "members.points")),
      DerivedProperty("visitorsCount", .count(of: "visitors")),
      DerivedProperty("visitorPoints", .sum(of: "visitors.points")),
      DerivedProperty("guestsCount", .count(of: "guests")),
      DerivedProperty("guestPoints", .sum(of: "guests.points")),
      DerivedProperty("guestWeight", .sum(of: "guests.weight")),
      DerivedProperty("guestMost", .max(of: "guests.points")),
      DerivedProperty("guestFirstName", .min(of: "guests.name")),
      DerivedProperty("adminsCount", .count(of: "admins")),
      DerivedProperty("adminPoints", .sum(of: "admins.points")),
      DerivedProperty("adminLeast", .min(of: "admins.points")),
      DerivedProperty("rolesCount", .count(of: "roles")),
      DerivedProperty("rolePoints", .sum(of: "roles.points")),
      DerivedProperty("searchName", .lowercased(of: "name")),
      DerivedProperty("searchTopic", .lowercased(of: "topic")),
      DerivedProperty("changedAt", .lastChange),
    ]
  }

  convenience init(_ id: Int, _ name: String = "") {
    self.init()
    self.id = id
    self.name = name
  }
}

final class DerivedMember: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var points = 0
  @Persisted var weight = 0.0
  @Persisted var cost: Decimal = 0
  @Persisted var born: Date?
  @Persisted var chat: DerivedChat?
  @Persisted var rooms: List<DerivedChat>
  @Persisted var friend: DerivedMember?
  @Persisted(originProperty: "friend") var fans: LinkingObjects<DerivedMember>
  @Persisted var fansCount: Int16 = 0
  @Persisted var friendFans: Int16?
  @Persisted var friendPoints: Int?
  @Persisted var fansOfFans = 0

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("fansCount", .count(of: "fans")),
      // Sources that are derived themselves, of the same type.
      DerivedProperty("friendFans", .max(of: "friend.fansCount")),
      DerivedProperty("friendPoints", .min(of: "friend.points")),
      DerivedProperty("fansOfFans", .sum(of: "fans.fansCount")),
    ]
  }

  convenience init(_ id: Int, points: Int = 0, chat: DerivedChat? = nil) {
    self.init()
    self.id = id
    self.name = "member \(id % 7)"
    self.points = points
    self.weight = Double(points) / 8
    self.cost = Decimal(points) / 100
    self.born = points % 3 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(points))
    self.chat = chat
  }
}

/// A house of chats, whose properties are derived themselves.
final class DerivedHouse: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var chats: List<DerivedChat>
  @Persisted var halls: MutableSet<DerivedChat>
  @Persisted var membersTotal = 0
  @Persisted var hallMembers = 0
  @Persisted var changedAt: Date?

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("membersTotal", .sum(of: "chats.membersCount")),
      DerivedProperty("hallMembers", .sum(of: "halls.membersCount")),
      DerivedProperty("changedAt", .max(of: "chats.changedAt")),
    ]
  }

  convenience init(_ id: Int, _ chats: [DerivedChat] = []) {
    self.init()
    self.id = id
    self.chats.append(contentsOf: chats)
    halls.insert(objectsIn: chats)
  }
}

struct DerivedRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? { "derived" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [DerivedMember.self, DerivedChat.self, DerivedHouse.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }

  /// Runs a test on disk and in memory; each ends with the checker.
  static func forBoth(_ body: (DerivedRepository) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    for type in [RealmMemoryType.inStorage, .inMemory(identifier: directory.path)] {
      let repository = DerivedRepository(realmMemoryType: type, directory: directory.path)
      if let error = repository.store().openingError { throw error }
      do { try body(repository) } catch {
        repository.close()
        throw error
      }
      try repository.expectRight()
      repository.closeChecked()
    }
  }

  func saveNow(_ objects: [Object], _ update: UpdatePolicy = .all) throws {
    try saveAndWait(entities: objects, update: update)
  }

  func deleteNow(_ objects: [Object]) throws {
    try deleteAndWait(entities: objects)
  }

  func chat(_ id: Int) throws -> DerivedChat {
    try #require(try read { try $0.object(ofType: DerivedChat.self, forPrimaryKey: id) })
  }
}
