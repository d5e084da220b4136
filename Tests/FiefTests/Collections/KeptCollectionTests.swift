import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import Fief

/// Large collections of objects that get another key, are deleted after they were used in a scope, or were in a write that failed.
@Suite("Kept collections", .timeLimit(.minutes(20)))
struct KeptCollectionTests {
  /// Calls `body` with albums of all sizes, one after the other.
  private func forEachSize(
    _ place: TypedPlace,
    _ kind: SnapKind,
    _ body: (SnapStore, Int, [String]) throws -> Void
  ) throws {
    try SnapStore.with(place) { store in
      for (id, count) in kind.counts.enumerated() {
        try store.saveAndWait(entity: kind.album(id, count: count), update: .all)
        try body(store, id, kind.expected(count))
        #expect(store.errors().isEmpty, "size \(id)")
      }
    }
  }

  /// The elements with the one that the tests add.
  private func extended(_ kind: SnapKind, _ id: Int) -> [String] {
    let album = kind.album(id, count: kind.counts[id])
    kind.add(album, 9_000..<9_001)
    return kind.contents(album)
  }

  // MARK: New keys

  @Test("an added copy with a new key has collections of its own", arguments: SnapKind.cases)
  func addedUnderANewKey(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind) { store, id, expected in
      let copy = try store.album(id)
      var read: SnapAlbum?
      try store.read { read = try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id) }
      let other = try #require(read)
      try store.write {
        copy.id = 100 + id
        try $0.add(copy)
        kind.add(copy, 9_000..<9_001)
        other.id = 200 + id
        try $0.add(other)
        #expect(kind.contents(other) == expected, "size \(id)")
        kind.add(other, 9_000..<9_001)
      }
      #expect(try store.stored(id, kind) == expected, "size \(id)")
      for key in [100 + id, 200 + id] {
        #expect(try store.stored(key, kind) == extended(kind, id), "size \(id)")
      }
      #expect(kind.contents(copy) == extended(kind, id), "size \(id)")
    }
  }

  @Test(
    "a copy that was saved under a new key does not depend on the former object",
    arguments: SnapKind.cases
  )
  func savedUnderANewKey(place: TypedPlace, kind: SnapKind) throws {
    let ways: [(SnapStore, SnapAlbum) throws -> Void] = [
      { try $0.saveAndWait(entity: $1, update: .all) },
      { store, album in try store.write { try $0.add(album) } },
      { store, album in
        var batch = store.batch()
        try batch.set(album)
        try batch.commitAndWait()
      },
    ]
    try forEachSize(place, kind) { store, id, expected in
      let copies = try ways.indices.map { way in
        let copy = try store.album(id)
        copy.id = 100 * (way + 1) + id
        try ways[way](store, copy)
        return copy
      }
      try store.write {
        kind.exchange(try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id)))
      }
      for copy in copies {
        copy.title = "second"
        try store.saveAndWait(entity: copy, update: .all)
        #expect(try store.stored(copy.id, kind) == expected, "\(copy.id)")
      }
      try store.deleteAndWait(ofType: SnapAlbum.self, forPrimaryKeys: [id])
      for copy in copies {
        #expect(kind.contents(copy) == expected, "\(copy.id)")
        try store.saveAndWait(entity: copy, update: .all)
        #expect(try store.stored(copy.id, kind) == expected, "\(copy.id)")
      }
    }
  }

  // MARK: Deletions

  // MARK: Failures

  @Test("a save that fails in a shared commit leaves no collection", arguments: TypedPlace.allCases)
  func failedInASharedCommit(place: TypedPlace) throws {
    let kinds = ["numbers", "textMap"].compactMap { name in SnapKind.all.first { $0.name == name } }
    try SnapStore.with(place) { store in
      let album = SnapAlbum(value: ["id": 1])
      for kind in kinds { kind.add(album, 0..<2_000) }
      try store.saveAndWait(entity: album, update: .all)
      let copy = try store.album(1)
      #expect(copy.numbers.count == 2_000)
      try store.deleteAndWait(ofType: SnapAlbum.self, forPrimaryKeys: [1])
      let queue = try #require(store.store().openedCore).queue()
      queue.pause()
      let outcomes = OwnedLock<[Bool]>([])
      func note(_ result: Result<Bool, any Error>) {
        outcomes.withLock { $0.append((try? result.get()) ?? false) }
      }
      let saves: [Object] = [SnapPhoto(value: ["id": 1]), copy, SnapPhoto(value: ["id": 2])]
      for object in saves { store.save(entity: object, update: false) { note($0) } }
      queue.resume()
      queue.waitUntilIdle()
      #expect(try store.count(SnapAlbum.self) == 0 && store.count(SnapPhoto.self) == 2)
    }
  }
}

extension SnapShelf {
  /// The ids of the photos.
  fileprivate var numbers: [Int] { values.compactMap { $0.object(SnapPhoto.self)?.id } }
}

extension SnapStore {
  fileprivate func get<Element: Object>(_ type: Element.Type, _ key: Int) throws -> Element? {
    try fetchObject(ofType: type, forPrimaryKey: key)
  }
}
