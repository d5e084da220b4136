import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

final class Marked: Object {
  @Persisted(primaryKey: true, secret: true) var id = UUID()
  @Persisted(indexed: true, secret: true) var text = ""
  @Persisted(index: [.unique, .caseInsensitive], secret: true) var name = ""
  @Persisted(indexed: true, secret: true) var bytes = Data()
  @Persisted(indexed: true, secret: true) var any: AnyRealmValue
  @Persisted(index: .unique, secret: true) var link: MarkedText?
  @Persisted var links: List<MarkedText>
  @Persisted var count = 0
  override class func indexes() -> [IndexDefinition] { [IndexDefinition("count", "text")] }
}

final class MarkedText: Object {
  @Persisted(primaryKey: true, secret: true) var key = ""
  @Persisted(primaryKey: true) var part = 0
  @Persisted(originProperty: "links") var of: LinkingObjects<Marked>
}

final class Twin: Object {
  @Persisted(primaryKey: true, secret: true) var id = ""
  @Persisted(indexed: true, secret: true) var first = ""
  @Persisted(indexed: true, secret: true) var second = ""
  @Persisted(index: .caseInsensitive, secret: true) var third = ""
  override class func indexes() -> [IndexDefinition] { [IndexDefinition("third")] }
}

final class Triplet: Object {
  @Persisted(primaryKey: true, secret: true) var id = ""
  @Persisted(indexed: true, secret: true) var first = ""
}

final class Unmarked: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted(indexed: true) var text = ""
}

/// Bytes that no file has: those of keys that are secret.
@Suite(.timeLimit(.minutes(30))) struct SecretMarkerTests {
  private let scratch: Scratch
  private let marker = "MARK-0123456789-"

  init() throws { scratch = try Scratch() }

  private var clinic: Clinic { Clinic(parent: scratch.path, types: [Marked.self, MarkedText.self]) }

  /// A UUID whose 16 bytes are a marker with a number in it.
  private func uuid(_ number: Int) throws -> UUID {
    var bytes = Array("MARK-\(number)-----------".utf8.prefix(16))
    return bytes.withUnsafeMutableBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private func fill(_ numbers: Range<Int>) throws {
    try clinic.write { transaction in
      for number in numbers {
        let marked = Marked()
        marked.id = try uuid(number)
        marked.text = "\(marker)\(number % 50)"
        marked.name = "\(marker) name \(number)"
        marked.bytes = Data("\(marker)\(number)".utf8)
        marked.any = .string("\(marker)\(number % 9)")
        let text = MarkedText()
        text.key = "\(marker)\(number)"
        text.part = number
        marked.link = text
        for _ in 0..<3 { marked.links.append(text) }
        marked.count = number
        try transaction.add(marked)
      }
    }
  }

  private func expectNoMarker(_ place: String) throws {
    for marker in [marker, "mark-0123456789-", "MARK-1", "MARK-3"] {
      #expect(try scratch.files(with: marker) == [], "\(place)")
    }
  }

  @Test("a marker in each secret key is in no file, in old and free pages neither")
  func markers() throws {
    try fill(0..<400)
    try expectNoMarker("filled")
    try clinic.write { transaction in
      for marked in transaction.objects(Marked.self).where({ $0.count < 200 }) {
        marked.text = "\(marker) changed"
        marked.name += "\(marker) changed"
        marked.links.removeAll()
      }
    }
    try clinic.write { transaction in
      let some = transaction.objects(Marked.self).where { $0.count >= 150 && $0.count < 300 }
      try transaction.delete(Array(some))
      try transaction.delete(
        ofType: MarkedText.self,
        forPrimaryKeys: (0..<50).map { ["\(marker)\($0)", $0] as [Any] }
      )
    }
    try fill(500..<700)
    #expect(try clinic.check().problems == [])
    try expectNoMarker("changed")
    try clinic.backup(to: scratch.path + "/backup")
    try clinic.compact()
    #expect(try clinic.check().problems == [])
    clinic.close()
    try expectNoMarker("compacted")
    // The same bytes in keys that are not secret are there to be found.
    let other = Clinic(parent: scratch.path, name: "other", types: [Unmarked.self])
    try other.write { transaction in
      let object = Unmarked()
      object.key = marker
      object.text = "mark-0123456789-"
      try transaction.add(object)
    }
    other.close()
    #expect(try scratch.files(with: marker) == ["other/data.mdb"])
    #expect(try scratch.files(with: "mark-0123456789-") == ["other/data.mdb"])
  }

  // MARK: Entries in the file

  private func entries(_ name: String, of tree: String) throws -> [(key: [UInt8], value: [UInt8])] {
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/" + name,
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    let database = try #require(try environment.openDatabase(named: tree))
    return try environment.read { transaction in
      let cursor = try transaction.cursor(database)
      var all: [(key: [UInt8], value: [UInt8])] = []
      while try cursor.next() { all.append((Array(cursor.key), Array(cursor.value))) }
      return all
    }
  }

  private func trees(_ name: String) throws -> [String] {
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/" + name,
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    return try environment.read { try $0.databaseNames() }
  }

  @Test("equal values have other tokens in another property and in another store, and the same in one")
  func tokens() throws {
    var first: Set<[UInt8]> = []
    var second: Set<[UInt8]> = []
    for name in ["one", "two"] {
      let clinic = Clinic(parent: scratch.path, name: name, types: [Patient.self, Doctor.self])
      try clinic.write { transaction in
        for number in 0..<3 {
          let patient = Patient("\(number)", "equal")
          patient.note = "equal"
          try transaction.add(patient)
        }
        let doctor = Doctor()
        doctor.name = "equal"
        try transaction.add(doctor)
      }
      clinic.close()
      var tokens: Set<[UInt8]> = []
      for tree in try trees(name) where tree.hasPrefix("index:") {
        for entry in try entries(name, of: tree) where entry.key.first == 0x30 {
          tokens.insert(Array(entry.key.prefix(17)))
        }
      }
      if name == "one" { first = tokens } else { second = tokens }
    }
    #expect(first.count > 5 && first.intersection(second).isEmpty)
    let one = Clinic(parent: scratch.path, name: "one", types: [Patient.self, Doctor.self])
    #expect(one.store().objects(Patient.self).where { $0.name == "equal" }.count == 3)
    one.close()
  }

  @Test("equal values of several properties and indexes have other tokens in each")
  func contexts() throws {
    let clinic = Clinic(parent: scratch.path, types: [Twin.self, Triplet.self])
    try clinic.write { transaction in
      let (twin, other) = (Twin(), Triplet())
      (twin.id, twin.first, twin.second, twin.third) = ("equal", "equal", "equal", "equal")
      (other.id, other.first) = ("equal", "equal")
      try transaction.add(twin)
      try transaction.add(other)
    }
    clinic.close()
    var firsts: [[UInt8]] = []
    for tree in try trees("clinic") where tree.hasPrefix("index:") || tree.hasPrefix("type:") {
      for entry in try entries("clinic", of: tree) { firsts.append(Array(entry.key.prefix(17))) }
    }
    #expect(firsts.count == 7 && Set(firsts).count == 7)
    #expect(clinic.object(ofType: Twin.self, forPrimaryKey: "equal")?.third == "equal")
    clinic.close()
  }

  @Test("entries that were exchanged are found by a check, and keys that do not open are errors")
  func manipulated() throws {
    try fill(0..<4)
    clinic.close()
    let index = "index:1.1"
    let before = try entries("clinic", of: index)
    #expect(before.count == 4)
    try exchange(index, before[0].key, before[3].key)
    #expect(
      try clinic.check().problems.contains { $0.contains("the index of text has no entry for the object") }
    )
    clinic.close()
    // A primary key whose last byte is another one, with the record that it had.
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/clinic",
      options: EnvironmentOptions()
    )
    let records = try #require(try environment.openDatabase(named: "type:1.Marked"))
    try environment.write { transaction in
      let cursor = try transaction.cursor(records)
      #expect(try cursor.next())
      var key = Array(cursor.key)
      let value = Array(cursor.value)
      key[key.count - 3] = key[key.count - 3] == 9 ? 8 : 9
      try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.put(records, key, $0) } }
    }
    environment.close()
    let problems = try? clinic.check().problems
    #expect(problems?.isEmpty != true)
    let found = code { _ = try clinic.store().objects(Marked.self).all().map(\.id) }
    #expect(found == .damagedRecord || found == .damagedStore)
    clinic.close()
  }

  private func exchange(_ tree: String, _ first: [UInt8], _ second: [UInt8]) throws {
    let environment = try LMDB.Environment.open(
      directory: scratch.path + "/clinic",
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    let database = try #require(try environment.openDatabase(named: tree))
    try environment.write { transaction in
      for key in [first, second] { _ = try key.withUnsafeBytes { try transaction.delete(database, $0) } }
      // Each object with the token of the other one.
      for (token, object) in [(first, second), (second, first)] {
        let entry = Array(token[..<17] + object[17...])
        try entry.withUnsafeBytes {
          try transaction.put(database, $0, UnsafeRawBufferPointer(start: nil, count: 0))
        }
      }
    }
  }
}
