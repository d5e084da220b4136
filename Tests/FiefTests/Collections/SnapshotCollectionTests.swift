import Fief
import Foundation
import TestEffort
import Testing

/// An object outside of a write is a snapshot, and so are its collections, whatever their size: a use has the elements of the
/// snapshot, or is an error.
@Suite("Collections of copies", .timeLimit(.minutes(20)))
struct SnapshotCollectionTests {
  /// Calls `body` with albums of all sizes, one after the other, in a store of their own.
  ///
  /// - Parameter body: gets the store, the id of a stored album, its expected elements, and what has to be the outcome.
  private func forEachSize(
    _ place: TypedPlace,
    _ kind: SnapKind,
    reinserts: Bool = false,
    _ body: (SnapStore, Int, [String], Outcome) throws -> Void
  ) throws {
    try SnapStore.with(place, reinserts: reinserts) { store in
      for (id, count) in kind.counts.enumerated() {
        try store.saveAndWait(entity: kind.album(id, count: count), update: .all)
        let expected = kind.expected(count)
        let isLoaded = kind.name == "array"
        try body(
          store,
          id,
          expected,
          id == 0 || isLoaded ? .whole : kind.sizes[id] > 5_000 ? .error : .either
        )
        _ = store.errors()
      }
    }
  }

  /// What a use of a collection that was not loaded may end in, after its object was changed or deleted.
  private enum Outcome {
    case whole, error, either
  }

  /// Expects a save to store the snapshot, or to fail with an error that names the property and to store nothing.
  private func expectSaved(
    _ store: SnapStore,
    _ id: Int,
    _ kind: SnapKind,
    _ expected: [String],
    _ outcome: Outcome,
    otherwise: [String]?,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ save: () throws -> Void
  ) throws {
    do {
      try save()
      #expect(outcome != .error, "size \(id)", sourceLocation: sourceLocation)
      #expect(try store.stored(id, kind) == expected, "size \(id)", sourceLocation: sourceLocation)
    } catch let error as FiefError {
      #expect(outcome != .whole, "size \(id)", sourceLocation: sourceLocation)
      #expect(error.code == .conflict, "\(error)", sourceLocation: sourceLocation)
      #expect(error.type == "SnapAlbum" && error.property == kind.name, sourceLocation: sourceLocation)
      #expect(error.key != nil && error.store == "snapshots", sourceLocation: sourceLocation)
      #expect(try store.stored(id, kind) == otherwise, "size \(id)", sourceLocation: sourceLocation)
    }
  }

  /// Expects a read to give the snapshot, or to be reported with the property.
  private func expectRead(
    _ store: SnapStore,
    _ album: SnapAlbum,
    _ kind: SnapKind,
    _ expected: [String],
    _ outcome: Outcome,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    _ = store.errors()
    let found = kind.contents(album)
    let errors = store.errors()
    if found == expected {
      #expect(outcome != .error && errors.isEmpty, "\(album.id)", sourceLocation: sourceLocation)
      return
    }
    #expect(found.isEmpty && outcome != .whole, "\(album.id): \(found.count)", sourceLocation: sourceLocation)
    #expect(!errors.isEmpty, "\(album.id)", sourceLocation: sourceLocation)
    for error in errors {
      #expect([.conflict, .objectNotFound].contains(error.code), sourceLocation: sourceLocation)
      #expect(error.type == "SnapAlbum" && error.property == kind.name, sourceLocation: sourceLocation)
    }
  }

  // MARK: Deleted objects

  @Test("deleted and saved again", arguments: SnapKind.cases)
  func deletedAndSaved(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind) { store, id, expected, _ in
      let album = try store.album(id)
      try store.deleteAndWait(entity: album)
      #expect(try store.stored(id, kind) == nil)
      try store.saveAndWait(entity: album, update: .all)
      #expect(try store.stored(id, kind) == expected, "size \(id)")
      // Read after the deletion.
      let other = try store.album(id)
      try store.write { try $0.delete(other) }
      expectRead(store, other, kind, expected, .whole)
      try store.write { try $0.add(other) }
      #expect(try store.stored(id, kind) == expected, "size \(id)")
    }
  }

  @Test("deleted by others", arguments: SnapKind.cases)
  func deletedByOthers(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind) { store, id, expected, outcome in
      let (unread, read, edited) = (try store.album(id), try store.album(id), try store.album(id))
      #expect(kind.contents(read) == expected)
      edited.title = "second"
      try store.deleteAndWait(ofType: SnapAlbum.self, forPrimaryKeys: [id])
      expectRead(store, try detached(unread, store), kind, expected, outcome)
      expectRead(store, unread, kind, expected, outcome)
      for album in [edited, unread] {
        try expectSaved(store, id, kind, expected, outcome, otherwise: nil) {
          try store.write { try $0.add(album, update: .all) }
        }
        try? store.deleteAndWait(ofType: SnapAlbum.self, forPrimaryKeys: [id])
        try expectSaved(store, id, kind, expected, outcome, otherwise: nil) {
          try store.saveAndWait(entity: album, update: .all)
        }
        try? store.deleteAndWait(ofType: SnapAlbum.self, forPrimaryKeys: [id])
        try expectSaved(store, id, kind, expected, outcome, otherwise: nil) {
          var batch = store.batch()
          try batch.set(album)
          try batch.commitAndWait()
        }
        try? store.deleteAndWait(ofType: SnapAlbum.self, forPrimaryKeys: [id])
      }
      try store.saveAndWait(entity: read, update: .all)
      #expect(try store.stored(id, kind) == expected)
    }
  }

  private func detached(_ album: SnapAlbum, _ store: SnapStore) throws -> SnapAlbum {
    let copy = album.detached()
    guard store.errors().isEmpty else {
      // It has no elements, but cannot be saved without them, and is not read again.
      let error = try typedError { try store.saveAndWait(entity: copy, update: .all) }
      #expect([.conflict, .objectNotFound].contains(error.code) && error.property != nil)
      return album
    }
    return copy
  }

  @Test("a modified copy of a deleted object is stored again", arguments: SnapKind.cases)
  func reinserted(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind, reinserts: true) { store, id, expected, outcome in
      let album = try store.album(id)
      album.title = "second"
      try store.deleteAndWait(ofType: SnapAlbum.self, forPrimaryKeys: [id])
      try expectSaved(store, id, kind, expected, outcome, otherwise: nil) {
        try store.saveAndWait(entity: album, update: .modified)
      }
    }
  }

  @Test("deleted and added in one write", arguments: SnapKind.cases)
  func inOneWrite(place: TypedPlace, kind: SnapKind) throws {
    let ways: [(String, (WriteTransaction, SnapAlbum) throws -> Void)] = [
      ("delete", { try $0.delete($1) }),
      ("all of the type", { write, _ in try write.deleteAll(SnapAlbum.self) }),
      ("delete many", { try $0.delete([$1]) }),
      ("by key", { try $0.delete(ofType: SnapAlbum.self, forPrimaryKeys: [$1.id]) }),
    ]
    try forEachSize(place, kind) { store, id, expected, _ in
      // In the short form the kinds share the ways.
      let index = SnapKind.all.firstIndex { $0.name == kind.name } ?? 0
      for (name, delete) in TestEffort.isLong ? ways : [ways[index % ways.count]] {
        let copy = try store.album(id)
        try store.write {
          try delete($0, copy)
          try $0.add(copy)
          #expect(kind.contents(copy) == expected, "\(name), \(id)")
        }
        #expect(try store.stored(id, kind) == expected, "\(name), \(id)")
        #expect(kind.contents(copy) == expected, "\(name), \(id)")
        try store.write {
          let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
          try delete($0, live)
          try $0.add(live)
        }
        #expect(try store.stored(id, kind) == expected, "live, \(name), \(id)")
        try store.write {
          let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
          #expect(kind.contents(live) == expected)
          try delete($0, live)
          #expect(kind.contents(live) == expected, "read, \(name), \(id)")
          try $0.add(live)
        }
        #expect(try store.stored(id, kind) == expected, "read, \(name), \(id)")
        // Elements that only the write has.
        var changed: [String] = []
        try store.write {
          let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
          kind.add(live, 9_000..<9_050)
          changed = kind.contents(live)
          try delete($0, live)
          try $0.add(live)
        }
        #expect(
          try store.stored(id, kind) == changed && changed.count == expected.count + 50,
          "\(name), \(id)"
        )
        try store.saveAndWait(entity: kind.album(id, count: kind.counts[id]), update: .all)
      }
    }
  }

  @Test("under a new key in one write", arguments: SnapKind.cases)
  func newKey(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind) { store, id, expected, _ in
      try store.write {
        let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
        try $0.delete(live)
        live.id = 100 + id
        try $0.add(live)
      }
      #expect(try store.stored(id, kind) == nil && store.stored(100 + id, kind) == expected, "size \(id)")
      // Outside of a write a copy with another key is another object.
      let copy = try store.album(100 + id)
      copy.id = 200 + id
      try store.saveAndWait(entity: copy, update: .all)
      #expect(try store.stored(100 + id, kind) == expected && store.stored(200 + id, kind) == expected)
    }
  }

  @Test("deleted and set in one batch", arguments: SnapKind.cases)
  func inOneBatch(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind) { store, id, expected, _ in
      let (album, other) = (try store.album(id), try store.album(id))
      var batch = store.batch()
      try batch.delete(SnapAlbum.self, forPrimaryKey: id)
      try batch.set(album)
      try batch.commitAndWait()
      #expect(try store.stored(id, kind) == expected, "size \(id)")
      expectRead(store, other, kind, expected, .either)
    }
  }

  @Test("a deletion that is rolled back", arguments: SnapKind.cases)
  func rolledBack(place: TypedPlace, kind: SnapKind) throws {
    struct Refused: Error {}
    try forEachSize(place, kind) { store, id, expected, _ in
      let copy = try store.album(id)
      var kept: SnapAlbum?
      #expect(throws: Refused.self) {
        try store.write {
          kept = try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id)
          try $0.delete(copy)
          throw Refused()
        }
      }
      let live = try #require(kept)
      for album in [copy, live] {
        expectRead(store, album, kind, expected, .whole)
        try store.saveAndWait(entity: album, update: .all)
        #expect(try store.stored(id, kind) == expected)
      }
    }
  }

  // MARK: Changed objects

  @Test("changed by others: one more element", arguments: SnapKind.cases)
  func extendedByOthers(place: TypedPlace, kind: SnapKind) throws {
    try changedByOthers(place, kind) { kind.add($0, 9_000..<9_001) }
  }

  @Test("changed by others: as many elements", arguments: SnapKind.cases)
  func exchangedByOthers(place: TypedPlace, kind: SnapKind) throws {
    try changedByOthers(place, kind, kind.exchange)
  }

  private func changedByOthers(_ place: TypedPlace, _ kind: SnapKind, _ change: (SnapAlbum) -> Void) throws {
    try forEachSize(place, kind) { store, id, expected, outcome in
      let (unread, read, edited) = (try store.album(id), try store.album(id), try store.album(id))
      #expect(kind.contents(read) == expected)
      edited.title = "second"
      try store.write {
        let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
        change(live)
      }
      let newest = try #require(try store.stored(id, kind))
      #expect(newest != expected)
      try expectSaved(store, id, kind, expected, outcome, otherwise: newest) {
        try store.saveAndWait(entity: edited, update: .all)
      }
      // What was changed alone is written alone.
      let before = try store.stored(id, kind)
      let other = try store.album(id)
      other.title = "third"
      try store.saveAndWait(entity: other, update: .modified)
      #expect(try store.stored(id, kind) == before)
      expectRead(store, unread, kind, expected, outcome)
      expectRead(store, read, kind, expected, .whole)
      try store.saveAndWait(entity: read, update: .all)
      #expect(try store.stored(id, kind) == expected)
    }
  }

  @Test("changed in the same write", arguments: SnapKind.cases)
  func changedInTheWrite(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind) { store, id, expected, _ in
      let (copy, other) = (try store.album(id), try store.album(id))
      try store.write {
        let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
        kind.add(live, 9_000..<9_001)
        // A copy that is read joins the write, one that is not read is saved as it is.
        #expect(kind.contents(other).count == expected.count + 1, "size \(id)")
        try $0.add(copy, update: .all)
        for album in [live, copy, other] { #expect(kind.contents(album) == expected, "size \(id)") }
      }
      #expect(try store.stored(id, kind) == expected, "size \(id)")
      expectRead(store, copy, kind, expected, .whole)
    }
  }

  @Test("live objects leave the write with what it commits", arguments: SnapKind.cases)
  func afterTheWrite(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind) { store, id, expected, outcome in
      let joined = try store.album(id)
      var kept: [SnapAlbum] = []
      try store.write {
        let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
        kind.add(live, 9_000..<9_001)
        joined.title = "second"
        kept = [live, joined]
      }
      let newest = try #require(try store.stored(id, kind))
      #expect(newest.count == expected.count + 1)
      for album in kept {
        expectRead(store, album, kind, newest, .whole)
        try store.saveAndWait(entity: album, update: .all)
        #expect(try store.stored(id, kind) == newest)
      }
      // Live, but neither read nor changed.
      try store.write {
        let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
        kept = [live]
      }
      try store.write {
        let live = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
        kind.exchange(live)
      }
      expectRead(store, kept[0], kind, newest, outcome)
    }
  }

  @Test("read in a scope that has ended", arguments: SnapKind.cases)
  func afterTheScope(place: TypedPlace, kind: SnapKind) throws {
    try forEachSize(place, kind) { store, id, expected, outcome in
      var kept: [SnapAlbum] = []
      try store.read {
        let read = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
        #expect(kind.contents(read) == expected)
        kept = [read]
      }
      expectRead(store, kept[0], kind, expected, .whole)
      try store.read {
        let read = try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id))
        #expect(kind.contents(read) == expected)
        kept = [read]
      }
      try store.write {
        kind.exchange(try #require(try $0.object(ofType: SnapAlbum.self, forPrimaryKey: id)))
      }
      // Embedded objects are read all at once.
      expectRead(store, kept[0], kind, expected, kind.name.hasPrefix("part") ? .whole : outcome)
    }
  }
}
