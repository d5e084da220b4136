import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

private enum V1 {
  final class Song: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
  }

  final class Album: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var songs: List<Song>
    @Persisted var numbers: List<Int32>
    @Persisted var old: List<Int>
    @Persisted var chosen: MutableSet<Song>
    @Persisted var named: Map<String, Song?>
  }
}

private enum V2 {
  final class Song: Object {
    @Persisted(primaryKey: true) var code = ""
    @Persisted var name = ""
  }

  final class Album: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var songs: List<Song>
    @Persisted var numbers: List<Int>
    @Persisted var chosen: MutableSet<Song>
    @Persisted var named: Map<String, Song?>
  }
}

private enum V3 {
  final class Song: Object {
    @Persisted(primaryKey: true) var code = ""
    @Persisted var name = ""
  }

  final class Album: Object {
    @Persisted(primaryKey: true) var title = ""
    @Persisted var songs: List<Song>
    @Persisted var numbers: List<Int>
  }
}

@Suite("Migrations of large collections")
struct LargeCollectionMigrationTests {
  private static let count = 1_500

  private func fill(_ store: MigratingStore) throws {
    try store.store().write { transaction in
      let album = V1.Album(value: ["id": 1])
      for id in 0..<Self.count {
        let song = V1.Song(value: ["id": id, "name": "song \(id)"])
        album.songs.append(song)
        album.chosen.insert(song)
        album.named["n\(id)"] = song
      }
      album.songs.append(objectsIn: Array(album.songs.prefix(10)))
      album.numbers.append(objectsIn: 0..<3_000)
      album.old.append(objectsIn: 0..<3_000)
      try transaction.add(album)
    }
  }

  @Test("new keys of the targets, other element types, a list that goes; then a new key of the owner")
  func migrated() throws {
    try MigratingStore.withDirectory { directory in
      try MigratingStore(directory, version: 1, [V1.Album.self, V1.Song.self]).opened(fill)
      let second = MigratingStore(directory, version: 2, [V2.Album.self, V2.Song.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Song") { old, new in new?["code"] = "s\(old?["id"] as? Int ?? -1)"
        }
        migration.enumerateObjects(ofType: "Album") { old, new in
          #expect((old?["songs"] as? [Any?])?.count == Self.count + 10)
          #expect((old?["old"] as? [Any?])?.count == 3_000)
          #expect((new?["numbers"] as? [Any?])?.count == 3_000)
        }
      }
      let codes = (0..<Self.count).map { "s\($0)" }
      try second.opened { store in
        let album = try #require(store.object(ofType: V2.Album.self, forPrimaryKey: 1))
        #expect(album.songs.map(\.code) == codes + codes.prefix(10))
        #expect(Array(album.numbers) == Array(0..<3_000))
        #expect(Set(album.chosen.map(\.code)) == Set(codes))
        #expect(album.named.count == Self.count && album.named["n7"]??.code == "s7")
      }
      let third = MigratingStore(directory, version: 3, [V3.Album.self, V3.Song.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Album") { _, new in
          new?["title"] = "first"
          new?["numbers"] = Array(0..<2_000)
        }
      }
      try third.opened { store in
        let album = try #require(store.object(ofType: V3.Album.self, forPrimaryKey: "first"))
        #expect(album.songs.map(\.code) == codes + codes.prefix(10))
        #expect(Array(album.numbers) == Array(0..<2_000))
      }
    }
  }

  @Test("a store of format 4 gets a large collection")
  func olderFormat() throws {
    try MigratingStore.withDirectory { directory in
      let store = MigratingStore(directory, version: 1, [V1.Album.self, V1.Song.self])
      try store.opened { _ in }
      try change(formatOf: directory + "/migrated", to: 4)
      try store.opened { store in
        try store.store().write { try $0.add(V1.Album(value: ["id": 5])) }
      }
      #expect(try format(of: directory + "/migrated") == 4)
      try store.opened(fill)
      #expect(try format(of: directory + "/migrated") == 5)
      try store.opened { store in
        #expect(store.object(ofType: V1.Album.self, forPrimaryKey: 1)?.songs.count == Self.count + 10)
      }
    }
  }

  private func withCatalogue<Value>(
    of directory: String,
    _ body: (LMDB.WritableTransaction, Database, [UInt8]) throws -> Value
  ) throws -> Value {
    let environment = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
    defer { environment.close() }
    return try environment.write { transaction in
      let tree = try transaction.openDatabase(named: Catalogue.treeName)
      let bytes = try Catalogue.key.withUnsafeBytes {
        try transaction.get(tree, $0).map { [UInt8]($0) }
      }
      return try body(transaction, tree, try #require(bytes))
    }
  }

  private func format(of directory: String) throws -> UInt32 {
    try withCatalogue(of: directory) { _, _, bytes in
      try bytes.withUnsafeBytes { try Catalogue.decode($0).format }
    }
  }

  private func change(formatOf directory: String, to format: UInt32) throws {
    try withCatalogue(of: directory) { transaction, tree, bytes in
      var catalogue = try bytes.withUnsafeBytes { try Catalogue.decode($0) }
      catalogue.format = format
      try Catalogue.key.withUnsafeBytes { key in
        try catalogue.encoded().withUnsafeBytes { try transaction.put(tree, key, $0) }
      }
    }
  }
}
