import Fief
import Foundation
import Testing

private enum V1 {
  final class User: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var friends: MutableSet<User>
    @Persisted var best: User?
    @Persisted var byRole: Map<String, User?>
    @Persisted var card: Card?
    @Persisted var temporary: List<Scrap>
    @Persisted(originProperty: "best") var admirers: LinkingObjects<User>
  }
  final class Card: EmbeddedObject {
    @Persisted var owner: User?
    @Persisted var inner: List<Card>
  }
  final class Scrap: Object {
    @Persisted var text = ""
  }
  static let types: [Object.Type] = [User.self, Scrap.self]
}

/// Users have numbers; scraps are gone; notes without keys are made.
private enum V2: MigrationStep {
  static let version: UInt64 = 2
  static let name = "numbers"
  static let description = "Users have numbers."
  static var objectTypes: [Object.Type]? { [User.self, Note.self] }

  final class User: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var friends: MutableSet<User>
    @Persisted var best: User?
    @Persisted var byRole: Map<String, User?>
    @Persisted var card: Card?
    @Persisted(originProperty: "best") var admirers: LinkingObjects<User>
  }
  final class Card: EmbeddedObject {
    @Persisted var owner: User?
    @Persisted var inner: List<Card>
  }
  final class Note: Object {
    @Persisted var text = ""
    @Persisted var about: User?
  }

  static func migrate(_ migration: Migration) throws {
    migration.enumerateObjects(ofType: "User") { old, new in
      guard let name = old?["name"] as? String, let number = Int(name.drop { !$0.isNumber }) else { return }
      new?["number"] = 1000 - number
      #expect((old?["temporary"] as? [MigrationObject])?.count == (number == 1 ? 2 : 0))
      migration.create("Note", value: ["text": "about \(name)", "about": new as Any])
    }
    #expect(migration.count(ofType: "Note") == 5)
  }
}

/// Scraps are back, with other properties; names get other names; the first two users go.
private enum V3: MigrationStep {
  static let version: UInt64 = 3
  static let name = "labels"
  static let description = "Names are labels."
  static var objectTypes: [Object.Type]? { [Member.self, Note.self, Scrap.self] }

  final class Member: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(indexed: true) var label = ""
    @Persisted var name = 7
    @Persisted var friends: MutableSet<Member>
    @Persisted var best: Member?
    @Persisted var byRole: Map<String, Member?>
    @Persisted var card: Card?
    @Persisted(originProperty: "best") var admirers: LinkingObjects<Member>
  }
  final class Card: EmbeddedObject {
    @Persisted var owner: Member?
    @Persisted var inner: List<Card>
  }
  final class Note: Object {
    @Persisted var text = ""
    @Persisted var about: Member?
  }
  final class Scrap: Object {
    @Persisted var text = 3
  }

  static func migrate(_ migration: Migration) throws {
    migration.renameType(from: "User", to: "Member")
    migration.renameProperty(onType: "Member", from: "name", to: "label")
    #expect(migration.count(ofType: "Scrap") == 0)
    migration.create("Scrap")
    migration.enumerateObjects(ofType: "Member") { old, new in
      #expect(old?["name"] as? String == new?["label"] as? String && new?["name"] as? Int == 7)
      if let new, old?["number"] as? Int == 999 { migration.delete(new) }
    }
    migration.enumerateObjects(ofType: "Note") { old, new in
      // The old object stays as it was, whatever happened since.
      let about = old?["about"] as? MigrationObject
      #expect(about?["name"] as? String == (old?["text"] as? String)?.dropFirst(6).description)
      if about?["number"] as? Int == 999 { #expect(new?["about"] == nil) }
    }
  }
}

private enum V4 {
  final class Member: Object {
    @Persisted(primaryKey: true) var label = ""
    @Persisted(primaryKey: true) var part: Int?
    @Persisted var name = 7
    @Persisted var friends: MutableSet<Member>
    @Persisted var best: Member?
    @Persisted var byRole: Map<String, Member?>
    @Persisted var card: Card?
    @Persisted(originProperty: "best") var admirers: LinkingObjects<Member>
    @Persisted(originProperty: "about") var memos: LinkingObjects<Memo>
  }
  final class Card: EmbeddedObject {
    @Persisted var owner: Member?
    @Persisted var inner: List<Card>
  }
  final class Memo: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var text = ""
    @Persisted var about: Member?
  }
  final class Scrap: Object {
    @Persisted var text = 3
  }
  static let types: [Object.Type] = [Member.self, Memo.self, Scrap.self]

  enum Step: MigrationStep {
    static let version: UInt64 = 4
    static let name = "memos"
    static let description = "Notes are memos."

    static func migrate(_ migration: Migration) throws {
      var kept: [MigrationObject] = []
      migration.enumerateObjects(ofType: "Note") { old, _ in
        guard let old else { return }
        kept.append(old)
        migration.move(old, toType: "Memo")
      }
      #expect(migration.count(ofType: "Memo") == 5)
      for old in kept { #expect((old["text"] as? String)?.hasPrefix("about ") == true) }
      migration.enumerateObjects(ofType: "Member") { _, new in new?["part"] = nil }
    }
  }
}

/// Users have numbers, and an object of this step is kept for the next.
private enum Keeping: MigrationStep {
  static let version: UInt64 = 2
  static let name = "keeping"
  static let description = "Keeps an object."
  static var objectTypes: [Object.Type]? { V2.objectTypes }
  @TaskLocal static var kept = Kept()

  // Only used by the thread of the test.
  final class Kept: @unchecked Sendable {
    var old: MigrationObject?
    var new: MigrationObject?
  }

  static func migrate(_ migration: Migration) throws {
    var number = 0
    migration.enumerateObjects(ofType: "User") { old, new in
      number += 1
      new?["number"] = number
      kept.old = old
      kept.new = new
    }
  }
}

private enum Using: MigrationStep {
  static let version: UInt64 = 3
  static let name = "using"
  static let description = "Uses an object of another step."

  static func migrate(_ migration: Migration) throws {
    #expect(Keeping.kept.old?["name"] is String)
    Keeping.kept.new?["number"] = 7
  }
}

@Suite("Stages, one after another")
struct StageReviewTests {
  private static let plan = MigrationPlan([V2.self, V3.self, V4.Step.self])

  private func user(_ number: Int) -> V1.User {
    let user = V1.User()
    user.name = String(repeating: "n", count: 490) + "\(number)"
    return user
  }

  private func fill(_ store: MigratingStore) throws {
    let users = (1...5).map(user)
    for user in users { user.friends.insert(objectsIn: users.filter { $0 !== user }) }
    for (user, next) in zip(users, users.dropFirst()) { user.best = next }
    users[4].byRole["first"] = users[0]
    users[4].byRole["second"] = users[1]
    let card = V1.Card()
    card.owner = users[2]
    let inner = V1.Card()
    inner.owner = users[0]
    card.inner.append(inner)
    users[3].card = card
    users[0].temporary.append(objectsIn: [V1.Scrap(), V1.Scrap()])
    try store.store().write { try $0.add(users, update: .all) }
  }

  private func expectRight(_ store: MigratingStore) throws {
    let prefix = String(repeating: "n", count: 490)
    let members = try store.all(V4.Member.self)
    #expect(members.map(\.label) == (2...5).map { prefix + "\($0)" })
    #expect(members.allSatisfy { $0.part == nil && $0.name == 7 && $0.friends.count == 3 })
    #expect(members.map { $0.best?.label.last } == ["3", "4", "5", nil])
    #expect(members.map { $0.admirers.count } == [0, 1, 1, 1])
    let last = try #require(members.last)
    #expect(last.byRole.count == 2 && (last.byRole["first"] ?? nil) == nil)
    #expect((last.byRole["second"] ?? nil)?.label.last == "2")
    #expect(members[2].card?.owner?.label.last == "3" && members[2].card?.inner.first?.owner == nil)
    #expect(members.allSatisfy { $0.memos.count == 1 })
    let memos = try store.all(V4.Memo.self)
    #expect(
      memos.count == 5 && Set(memos.map(\.id)).count == 5 && memos.filter { $0.about == nil }.count == 1
    )
    #expect(try store.all(V4.Scrap.self).map(\.text) == [3])
  }

  private func current(_ directory: String?) -> MigratingStore {
    var store = MigratingStore(directory ?? "", version: 4, V4.types, embedded: [V4.Card.self])
    store.migrationPlan = Self.plan
    store.directory = directory
    return store
  }

  @Test("keys twice, renames in the second of three, types that come and go, moves in the last")
  func all() throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try MigratingStore(directory, version: 1, V1.types, embedded: [V1.Card.self]).opened { try fill($0) }
      try current(directory).opened { try expectRight($0) }
      try current(directory).opened { try expectRight($0) }
    }
  }

  @Test("a step at a time, with a compaction and a backup after each")
  func oneAtATime() throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try MigratingStore(directory, version: 1, V1.types, embedded: [V1.Card.self]).opened { try fill($0) }
      var second = MigratingStore(
        directory,
        version: 2,
        [V2.User.self, V2.Note.self],
        embedded: [V2.Card.self]
      )
      second.migrationPlan = MigrationPlan([V2.self])
      try second.opened { (store: MigratingStore) throws in
        #expect(try store.count(V2.Note.self) == 5)
        try store.compact()
        #expect(try store.all(V2.User.self).map(\.number) == [995, 996, 997, 998, 999])
      }
      var third = MigratingStore(
        directory,
        version: 3,
        [V3.Member.self, V3.Note.self, V3.Scrap.self],
        embedded: [V3.Card.self]
      )
      third.migrationPlan = MigrationPlan([V2.self, V3.self])
      try third.opened { (store: MigratingStore) throws in
        #expect(try store.count(V3.Note.self) == 5)
        try store.compact()
        #expect(try store.count(V3.Member.self) == 4)
        try store.store().write { try $0.add(V3.Scrap()) }
        try store.store().write { try $0.deleteAll(V3.Scrap.self) }
        try store.store().write { try $0.add(V3.Scrap()) }
      }
      try current(directory).opened { try expectRight($0) }
    }
  }

  @Test("do not share their objects: the keys may be those of others")
  func keptObject() throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try MigratingStore(directory, version: 1, V1.types, embedded: [V1.Card.self]).opened { try fill($0) }
      var store = MigratingStore(
        directory,
        version: 3,
        [V2.User.self, V2.Note.self],
        embedded: [V2.Card.self]
      )
      store.migrationPlan = MigrationPlan([Keeping.self, Using.self])
      let error = try Keeping.$kept.withValue(Keeping.Kept()) { try store.failure() }
      #expect(error.code == .migrationFailed && error.type == "User" && error.key != nil, "\(error)")
    }
  }
}
