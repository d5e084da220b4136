import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// The bytes on the disk are those that docs/format.md describes: written down from there by hand, so that
/// no change of the format goes unnoticed.
struct FormatTests {
  final class FormatNote: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var text: String?
    @Persisted var number: Int16
    @Persisted var big: Int?
    @Persisted var tags: List<String>
    @Persisted(indexed: true) var isDone: Bool
    @Persisted var others: List<FormatNote>
    @Persisted(originProperty: "others") var owners: LinkingObjects<FormatNote>
  }

  private struct Notes: DatabaseConfigurable {
    var directory: String?
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "notes" }
    var schemaVersion: UInt64? { 7 }
    var objectTypes: [Object.Type]? { [FormatNote.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    var migrationBlock: MigrationBlock? { nil }
  }

  /// Every entry of every tree, by the trees' names.
  private typealias Trees = [String: [(key: [UInt8], value: [UInt8])]]

  /// A store with two notes, closed.
  private func write() throws -> Trees {
    let directory = try TemporaryDirectory()
    let notes = Notes(directory: directory.path)
    try notes.write { transaction in
      try transaction.create(FormatNote.self, value: ["id": "b\0\u{1}"])
      let note = try transaction.create(FormatNote.self, value: ["id": "a", "text": "hé", "number": -2])
      note.tags.append(objectsIn: ["x", "yz"])
      note.isDone = true
      if let other = try transaction.object(ofType: FormatNote.self, forPrimaryKey: "b\0\u{1}") {
        note.others.append(other)
      }
    }
    notes.close()
    #expect(FileManager.default.fileExists(atPath: directory["notes/store.manifest"]))
    let environment = try LMDB.Environment.open(directory: directory["notes"], options: EnvironmentOptions())
    defer { environment.close() }
    return try environment.read { transaction in
      var trees = Trees()
      for name in try transaction.databaseNames() {
        let tree = try #require(try transaction.database(named: name))
        let cursor = try transaction.cursor(tree)
        trees[name] = []
        while try cursor.next() { trees[name]?.append(([UInt8](cursor.key), [UInt8](cursor.value))) }
      }
      return trees
    }
  }

  /// The primary key "b\0\u{1}", both of whose last bytes are escaped.
  private let keyB: [UInt8] = [0x02, 0x62, 0x01, 0x01, 0x01, 0x02, 0x00]
  private let keyA: [UInt8] = [0x02, 0x61, 0x00]

  @Test func recordsAndTheirTrees() throws {
    let trees = try write()
    #expect(
      Set(trees.keys) == ["fief:catalogue", "type:1.FormatNote", "index:1.1", "links:1.7"],
      "\(trees.keys.sorted())"
    )
    let records = try #require(trees["type:1.FormatNote"])
    #expect(records.map(\.key) == [keyA, keyB])
    let a: [UInt8] =
      [0, 0]  // layout version 0, ends of one byte
      + [0b0011_0000]  // both integers have one byte; big is nil, isDone is true, text is not nil
      + [0xFE, 0]  // number, big
      + [3, 9]  // the ends of text and tags
      + Array("hé".utf8) + [2, 1, 0x78, 2, 0x79, 0x7A] + [1, 7] + keyB
    let b: [UInt8] =
      [0, 0] + [0b0101_0000] + [0, 0] + [0, 1]
      + [0] + [0]  // tags and others: no elements
    for (record, body) in zip(records, [a, b]) {
      #expect(Array(record.value.dropFirst(4)) == body)
      let ofKey = record.key.withUnsafeBytes { RecordChecksum.ofKey($0, type: 1) }
      let checksum = body.withUnsafeBytes { RecordChecksum.compute($0) } ^ ofKey
      #expect(Array(record.value.prefix(4)) == bytes(of: checksum))
    }
    let index = try #require(trees["index:1.1"])
    #expect(index.map(\.key) == [[0x26] + keyB, [0x27] + keyA])
    let links = try #require(trees["links:1.7"])
    #expect(links.map(\.key) == [keyB + keyA])
    for entry in index + links { #expect(entry.value == []) }
  }

  @Test func theCatalogue() throws {
    let entries = try #require(try write()["fief:catalogue"])
    #expect(entries.map { String(decoding: $0.key, as: UTF8.self) } == ["catalogue"])
    let bytes = try #require(entries.first?.value)
    let head: [UInt8] = [6, 0, 0, 0] + [7, 0, 0, 0, 0, 0, 0, 0]
    #expect(Array(bytes.prefix(12)) == head)
    let type: [UInt8] =
      [2, 0, 0, 0] + [1]  // the next type's id; one type
      + [1, 0, 0, 0] + sized("FormatNote") + [0] + sized("type:1.FormatNote")
      + [8]
      + column(1, "id", flags: 0, kind: 8) + column(2, "text", flags: 4, kind: 8)
      + column(3, "number", flags: 0, kind: 3) + column(4, "big", flags: 4, kind: 5)
      + column(5, "tags", flags: 0, kind: 8, container: 1) + column(6, "isDone", flags: 0, kind: 1)
      + column(7, "others", flags: 8, kind: 15, container: 1) + sized("FormatNote")
      + column(8, "owners", flags: 8 + 16, kind: 17) + sized("FormatNote") + sized("others")
      + [1, 1, 0]  // the primary key
      + [1, 6, 3, 0, 4, 0, 6, 0, 2, 0, 5, 0, 7, 0]  // one layout
      + [9, 0]  // the next column's id
      + [1] + [1, 0] + [1] + [0] + [1, 6, 0]  // one index: its id, ordered, no flags, its column
      + [2, 0]  // the next index's id
      + [0] + [0]  // no relationships with rules, no derived properties
    // The 16 bytes between are the store's id, which is random.
    #expect(Array(bytes.dropFirst(28).dropLast(4)) == type)
    let checksum = bytes.dropLast(4).withUnsafeBytes { RecordChecksum.compute($0) }
    #expect(Array(bytes.suffix(4)) == self.bytes(of: checksum))
  }

  private func column(_ id: UInt8, _ name: String, flags: UInt8, kind: UInt8, container: UInt8 = 0) -> [UInt8]
  {
    [id, 0] + sized(name) + [flags, kind, container]
  }

  private func sized(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

  private func bytes(of number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
  }
}
