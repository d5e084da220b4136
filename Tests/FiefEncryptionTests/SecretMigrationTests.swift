import Fief
import FiefEncryption
import Foundation
import Testing

// The same classes in their versions: in clear, and with secret keys.

enum InClear {
  final class Person: Object {
    @Persisted(primaryKey: true) var number = ""
    @Persisted(indexed: true) var name = ""
    @Persisted(index: .unique) var email: String?
    @Persisted var friends: List<Person>
    @Persisted var best: Person?
    @Persisted var any: AnyRealmValue
    @Persisted(originProperty: "friends") var friendOf: LinkingObjects<Person>
    override class func className() -> String { "Person" }
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("name", "email")] }
  }
}

enum InSecret {
  final class Person: Object {
    @Persisted(primaryKey: true, secret: true) var number = ""
    @Persisted(indexed: true, secret: true) var name = ""
    @Persisted(index: .unique, secret: true) var email: String?
    @Persisted var friends: List<Person>
    @Persisted var best: Person?
    @Persisted var any: AnyRealmValue
    @Persisted(originProperty: "friends") var friendOf: LinkingObjects<Person>
    override class func className() -> String { "Person" }
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("name", "email")] }
  }
}

extension InClear {
  final class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var text = ""
    @Persisted(index: [.unique, .caseInsensitive]) var name: String?
    @Persisted(indexed: true) var small: Int?
    @Persisted var body = ""
    override class func className() -> String { "Note" }
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("id", "text")] }
  }
}

extension InSecret {
  final class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true, secret: true) var text = ""
    @Persisted(index: [.unique, .caseInsensitive], secret: true) var name: String?
    @Persisted(indexed: true, secret: true) var small: Int?
    @Persisted(secret: true) var body = ""
    override class func className() -> String { "Note" }
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("id", "text")] }
  }
}

enum InSecretLater {
  /// A property that had nil has 7 in its place.
  final class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true, secret: true) var text = ""
    @Persisted(index: [.unique, .caseInsensitive], secret: true) var name: String?
    @Persisted(indexed: true, secret: true) var small = 7
    @Persisted(secret: true) var body = ""
    override class func className() -> String { "Note" }
    override class func indexes() -> [IndexDefinition] { [IndexDefinition("id", "text")] }
  }
}

/// Properties that become secret, and that stop being so.
@Suite(.timeLimit(.minutes(30))) struct SecretMigrationTests {
  private let scratch: Scratch
  private let marker = "MARK-0123456789-"

  init() throws { scratch = try Scratch() }

  private func clear(_ version: UInt64, _ encryption: StoreEncryption? = .test(1)) -> Clinic {
    Clinic(parent: scratch.path, encryption: encryption, version: version, types: [InClear.Person.self])
  }

  private func secret(_ version: UInt64) -> Clinic {
    Clinic(parent: scratch.path, version: version, types: [InSecret.Person.self])
  }

  private func fill(_ clinic: Clinic) throws {
    try clinic.write { transaction in
      let first = InClear.Person()
      first.number = "\(marker)0"
      for number in 1..<1500 {
        let person = InClear.Person()
        person.number = "\(marker)\(number)"
        person.name = "\(marker) name \(number % 10)"
        person.email = number % 2 == 0 ? "\(marker)\(number)@example.org" : nil
        person.best = first
        first.friends.append(person)
      }
      first.any = .object(first.friends[0])
      try transaction.add(first)
    }
  }

  private func check(_ secret: Clinic) throws {
    let first = try #require(secret.object(ofType: InSecret.Person.self, forPrimaryKey: "\(marker)0"))
    #expect(first.friends.count == 1499 && first.friends[1498].number == "\(marker)1499")
    #expect(first.any.object(InSecret.Person.self)?.number == "\(marker)1")
    let all = secret.store().objects(InSecret.Person.self)
    #expect(all.where { $0.name == "\(marker) name 3" }.count == 150)
    #expect(all.where { $0.email == "\(marker)8@example.org" }.map(\.number) == ["\(marker)8"])
    #expect(all.where { $0.name == "\(marker) name 8" && $0.email == "\(marker)8@example.org" }.count == 1)
    #expect(all.where { $0.best == first }.count == 1499)
    let friend = try #require(secret.object(ofType: InSecret.Person.self, forPrimaryKey: "\(marker)77"))
    #expect(friend.friendOf.count == 1 && friend.best?.number == "\(marker)0")
    #expect(try secret.check().problems == [])
  }

  private func check(clear: Clinic) throws {
    let first = try #require(clear.object(ofType: InClear.Person.self, forPrimaryKey: "\(marker)0"))
    #expect(first.friends.count == 1499 && first.friends[1498].number == "\(marker)1499")
    #expect(first.any.object(InClear.Person.self)?.number == "\(marker)1")
    let all = clear.store().objects(InClear.Person.self)
    #expect(all.where { $0.name == "\(marker) name 3" }.count == 150)
    #expect(all.where { $0.name.starts(with: marker) }.count == 1499)
    #expect(all.sorted(byKeyPath: "number").first?.number == "\(marker)0")
    #expect(all.where { $0.best == first }.count == 1499)
    #expect(try clear.check().problems == [])
  }

  @Test("keys and links follow when properties become secret, and when they are no longer")
  func bothWays() throws {
    try fill(clear(1))
    clear(1).close()
    try check(secret(2))
    try secret(2).compact()
    secret(2).close()
    #expect(try scratch.files(with: marker) == [])
    try check(clear: clear(3))
    clear(3).close()
    #expect(try scratch.files(with: marker) != [])
  }

  @Test("indexes alone are built again where the primary key stays")
  func indexes() throws {
    func clinic(_ version: UInt64, _ type: Object.Type) -> Clinic {
      Clinic(parent: scratch.path, version: version, types: [type])
    }
    let clear = clinic(1, InClear.Note.self)
    try clear.write { transaction in
      for id in 0..<100 {
        let note = InClear.Note()
        note.id = id
        note.text = "\(marker) \(id % 5)"
        note.name = id % 2 == 0 ? "\(marker) \(id)" : nil
        note.small = id % 3 == 0 ? nil : id
        try transaction.add(note)
      }
    }
    clear.close()
    let secret = clinic(2, InSecret.Note.self)
    let notes = secret.store().objects(InSecret.Note.self)
    #expect(notes.where { $0.text == "\(marker) 3" }.count == 20)
    #expect(notes.where { $0.id == 8 && $0.text == "\(marker) 3" }.count == 1)
    #expect(notes.where { $0.name.equals("mark-0123456789- 8", options: .caseInsensitive) }.count == 1)
    #expect(notes.where { $0.small == nil }.count == 34)
    #expect(try secret.check().problems == [])
    try secret.compact()
    secret.close()
    #expect(try scratch.files(with: marker) == [])
    let later = clinic(3, InSecretLater.Note.self)
    let sevens = later.store().objects(InSecretLater.Note.self).where { $0.small == 7 }
    #expect(sevens.count == 35)
    #expect(try later.check().problems == [])
    later.close()
    let again = clinic(4, InClear.Note.self)
    let ordered = again.store().objects(InClear.Note.self).where { $0.text > "\(marker) 2" }
    #expect(ordered.count == 40 && ordered.sorted(byKeyPath: "text").first?.text == "\(marker) 3")
    #expect(try again.check().problems == [])
    again.close()
  }

  @Test("a class without the mark is another schema, and no wrong entry is made")
  func older() throws {
    try fill(clear(1))
    clear(1).close()
    try secret(2).open()
    secret(2).close()
    for other in [clear(2), clear(1)] {
      let error = #expect(throws: FiefError.self) { try other.open() }
      #expect(error?.code == (other.version == 2 ? .migrationRequired : .versionTooLow))
      #expect(error?.details.contains("Person.name is no longer secret") == true)
    }
    try check(secret(2))
    secret(2).close()
    let error = #expect(throws: FiefError.self) {
      try Clinic(parent: scratch.path, name: "new", version: 2, types: [InSecret.Person.self]).decrypt()
    }
    #expect(error?.code == .encryptionRequired)
  }

  @Test("a store in clear is encrypted and migrated by one call")
  func clearStore() throws {
    try fill(clear(1, nil))
    clear(1, nil).close()
    var asking = secret(2)
    #expect(code { try asking.open() } == .notEncrypted)
    asking.options.migratesOnOpen = false
    #expect(code { try asking.encryptClearStore() } == .migrationRequired)
    try check(clear: clear(1, nil))
    clear(1, nil).close()
    asking.options.migratesOnOpen = true
    try asking.encryptClearStore()
    try check(asking)
    try asking.compact()
    asking.close()
    #expect(try scratch.files(with: marker) == [])
    try check(secret(2))
    secret(2).close()
  }

  @Test("another data key, and another key of the user's, leave tokens and secret keys as they are")
  func reencryption() throws {
    try fill(clear(1))
    clear(1).close()
    var clinic = secret(2)
    try check(clinic)
    try clinic.reencrypt(with: .test(2))
    try check(clinic)
    let person = InSecret.Person()
    person.number = "new"
    try clinic.saveAndWait(entity: person, update: false)
    try clinic.changeEncryptionKey(to: .passphrase("words"))
    clinic.close()
    #expect(code { try clinic.open() } == .wrongKey)
    clinic.encryption = .passphrase("words")
    try check(clinic)
    #expect(clinic.object(ofType: InSecret.Person.self, forPrimaryKey: "new") != nil)
    clinic.close()
  }

  @Test("the block finds objects by their keys before, and gives them others")
  func blocks() throws {
    try fill(clear(1))
    clear(1).close()
    var migrating = secret(2)
    let marker = marker
    migrating.block = { migration, _ in
      let found = try migration.object(ofType: "Person", forPrimaryKey: "\(marker)5")
      found?["number"] = "five"
      #expect(found != nil)
      migration.create("Person", value: ["number": "created", "name": "created"])
    }
    try migrating.open()
    #expect(migrating.object(ofType: InSecret.Person.self, forPrimaryKey: "five")?.name == "\(marker) name 5")
    #expect(migrating.object(ofType: InSecret.Person.self, forPrimaryKey: "created")?.name == "created")
    #expect(migrating.object(ofType: InSecret.Person.self, forPrimaryKey: "\(marker)5") == nil)
    #expect(try migrating.check().problems == [])
    migrating.close()
    var again = secret(3)
    again.block = { migration, _ in
      let old = try migration.oldObject(ofType: "Person", forPrimaryKey: "five")
      let now = try migration.object(ofType: "Person", forPrimaryKey: "created")
      #expect(old != nil && now != nil)
    }
    try again.open()
    #expect(try again.check().problems == [])
    again.close()
  }
}
