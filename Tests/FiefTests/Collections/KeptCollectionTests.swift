import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore
@testable import FiefMultiStore

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
      copy.id = 100 + id
      other.id = 200 + id
      try store.write {
        try $0.add(copy)
        kind.add(copy, 9_000..<9_001)
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

  @Test("a deletion keeps collections that were used in a scope", arguments: SnapKind.cases)
  func usedInAScope(place: TypedPlace, kind: SnapKind) throws {
    let deletions: [(SnapStore, SnapAlbum) throws -> Void] = [
      { try $0.deleteAndWait(entity: $1) },
      { store, album in try store.write { try $0.delete(album) } },
    ]
    try forEachSize(place, kind) { store, id, expected in
      for delete in deletions {
        for isWrite in [false, true] {
          var used: SnapAlbum?
          func use(_ album: SnapAlbum?) throws {
            used = album
            #expect(kind.contents(try #require(album)) == expected, "size \(id)")
          }
          if isWrite {
            try store.write { try use($0.object(ofType: SnapAlbum.self, forPrimaryKey: id)) }
          } else {
            try store.read { try use($0.object(ofType: SnapAlbum.self, forPrimaryKey: id)) }
          }
          let album = try #require(used)
          try delete(store, album)
          #expect(try store.stored(id, kind) == nil)
          #expect(kind.contents(album) == expected, "size \(id)")
          try store.saveAndWait(entity: album, update: .all)
          #expect(try store.stored(id, kind) == expected, "size \(id)")
        }
      }
    }
  }

  @Test("a deletion keeps a collection that the write has made small", arguments: TypedPlace.allCases)
  func madeSmall(place: TypedPlace) throws {
    let kind = try #require(SnapKind.all.first { $0.name == "numbers" })
    try SnapStore.with(place) { store in
      try store.saveAndWait(entity: kind.album(1, count: 2_000), update: .all)
      var kept: SnapAlbum?
      for isReadded in [true, false] {
        try store.write {
          let album = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: 1))
          kept = album
          album.numbers.removeAll { $0 >= 10 }
          // Writes the album.
          #expect(try $0.count(SnapAlbum.self) == 1)
          try $0.delete(album)
          #expect(Array(album.numbers) == Array(0..<10))
          if isReadded { try $0.add(album) }
        }
        #expect(try store.stored(1, kind) == (isReadded ? kind.expected(10) : nil))
        #expect(kept.map { Array($0.numbers) } == Array(0..<10))
        if isReadded { try store.saveAndWait(entity: kind.album(1, count: 2_000), update: .all) }
      }
      #expect(store.errors().isEmpty)
    }
  }

  @Test("a denied deletion leaves collections as they are", arguments: TypedPlace.allCases)
  func denied(place: TypedPlace) throws {
    try SnapStore.with(place) { store in
      for (id, isUsed) in [(1, true), (2, false)] {
        let shelf = SnapShelf(value: ["id": id])
        for number in 0..<1_000 { shelf.values.append(.object(SnapPhoto(value: ["id": number]))) }
        shelf.kept = SnapPhoto(value: ["id": 5_000])
        try store.saveAndWait(entity: shelf, update: .all)
        var live: SnapShelf?
        try store.write {
          let shelf = try #require(try $0.object(ofType: SnapShelf.self, forPrimaryKey: id))
          live = shelf
          if isUsed { #expect(shelf.numbers == Array(0..<1_000)) }
          for delete in [{ try $0.delete(shelf) }, { try $0.deleteAll(SnapShelf.self) }]
            as [(WriteTransaction) throws -> Void]
          {
            let write = $0
            #expect(try typedError { try delete(write) }.code == .deletionDenied)
          }
          #expect(shelf.numbers == Array(0..<1_000))
          shelf.values.append(.object(SnapPhoto(value: ["id": 1_000])))
          #expect(shelf.numbers == Array(0..<1_001))
        }
        #expect(live?.numbers == Array(0..<1_001))
        #expect(try store.get(SnapShelf.self, id)?.numbers == Array(0..<1_001))
      }
      #expect(store.errors().isEmpty)
    }
  }

  @Test("a deletion keeps values that are objects", arguments: TypedPlace.allCases)
  func valuesWithObjects(place: TypedPlace) throws {
    try SnapStore.with(place) { store in
      for isUsed in [true, false] {
        let new = SnapShelf(value: ["id": 1])
        for number in 0..<1_000 { new.values.append(.object(SnapPhoto(value: ["id": number]))) }
        try store.saveAndWait(entity: new, update: .all)
        var deleted: SnapShelf?
        try store.write {
          let shelf = try #require(try $0.object(ofType: SnapShelf.self, forPrimaryKey: 1))
          if isUsed { #expect(shelf.numbers == Array(0..<1_000)) }
          try $0.delete(shelf)
          deleted = shelf
        }
        let shelf = try #require(deleted)
        #expect(shelf.values.count == 1_000)
        try store.saveAndWait(entity: shelf, update: .all)
        #expect(try store.get(SnapShelf.self, 1)?.numbers == Array(0..<1_000))
      }
      #expect(store.errors().isEmpty)
    }
  }

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

  @Test("objects of a write whose commit fails refer to what is stored", arguments: TypedPlace.allCases)
  func failedCommit(place: TypedPlace) throws {
    let kind = try #require(SnapKind.all.first { $0.name == "numbers" })
    // One of the two stores is ready for the commit when the other fails.
    for album in [0, 1] {
      try SnapStore.with(place) { first in
        try SnapStore.with(place) { second in
          let stores = [first, second]
          for store in stores { try store.saveAndWait(entity: kind.album(1, count: 2_000), update: .all) }
          let (store, failing) = (stores[album], stores[1 - album])
          let copy = try store.album(1)
          let error = try typedError {
            try JointWriter<Void>.write(to: stores.map { $0.store() }) { write in
              let transaction = try write.transaction(of: store.store().core())
              try transaction.add(copy, update: .all)
              kind.add(copy, 9_000..<9_001)
              let other = try write.transaction(of: failing.store().core())
              let live = try #require(try other.object(ofType: SnapAlbum.self, forPrimaryKey: 1))
              live.numbers[100_000] = 1
            }
          }
          #expect(error.code == .invalidValue)
          #expect(kind.contents(copy) == kind.expected(2_000))
          try store.saveAndWait(entity: copy, update: .all)
          #expect(try store.stored(1, kind) == kind.expected(2_000))
          #expect(store.errors().isEmpty)
        }
      }
    }
  }

  @Test("a save without the elements is a conflict, also after a use", arguments: SnapKind.cases)
  func savedAfterAUse(place: TypedPlace, kind: SnapKind) throws {
    try SnapStore.with(place) { store in
      try store.saveAndWait(entity: kind.album(1, count: 2_000), update: .all)
      var used: SnapAlbum?
      try store.read {
        used = try $0.object(ofType: SnapAlbum.self, forPrimaryKey: 1)
        _ = used.map(kind.contents)
      }
      let album = try #require(used)
      try store.deleteAndWait(ofType: SnapAlbum.self, forPrimaryKeys: [1])
      let found = kind.contents(album)
      let errors = store.errors()
      do {
        try store.saveAndWait(entity: album, update: .all)
        // Arrays and embedded objects are read with the album.
        #expect(found == kind.expected(2_000) && errors.isEmpty)
      } catch let error as FiefError {
        #expect(error.code == .conflict && error.property == kind.name && error.key != nil)
        #expect(found.isEmpty && errors.map(\.code) == errors.map { _ in .objectNotFound } && !errors.isEmpty)
      }
      _ = store.errors()
    }
  }

  @Test("an array is of the same state as its object", arguments: TypedPlace.allCases)
  func wholeObjects(place: TypedPlace) throws {
    let last = 59
    try SnapStore.with(place) { store in
      let array = Array(0..<1_000)
      let albums = (0...last).map { SnapAlbum(value: ["id": $0, "title": "1000", "array": array]) }
      try store.saveAndWait(entities: albums, update: .all)
      var seen: [Int] = []
      for album in store.store().objects(SnapAlbum.self) {
        #expect(album.title == "\(album.array.count)")
        seen.append(album.id)
        guard album.id < last else { continue }
        // The record of the next album may have been read already.
        try store.write {
          let next = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: album.id + 1))
          if next.id % 10 == 0 { return try $0.delete(next) }
          next.array.append(1_000)
          next.title = "1001"
        }
      }
      #expect(seen == (0...last).filter { $0 == 0 || $0 % 10 != 0 })
      #expect(store.errors().isEmpty)
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
