import Fief
import Foundation
import TestEffort
import Testing

/// Collections that could not be read are not written as if they were empty.
@Suite("Collections that could not be read")
struct UnreadCollectionTests {
  private let whole = [Int](repeating: UnreadStore.count, count: 6)
  private let none = [Int](repeating: 0, count: 6)

  private func expectWhole(
    _ store: UnreadStore,
    title: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try store.stored() == [title] + whole.map { String($0) }, sourceLocation: sourceLocation)
  }

  private static let changes: [(name: String, change: @Sendable (UnreadShelf) -> Void)] = [
    ("append", { $0.numbers.append(7) }),
    ("append links", { $0.items.append(UnreadItem(value: ["id": 7])) }),
    ("remove at an index", { $0.numbers.remove(at: 3) }),
    ("remove the last", { $0.items.removeLast() }),
    ("remove by a condition", { $0.numbers.removeAll { $0 > 5 } }),
    ("remove all", { $0.items.removeAll() }),
    ("insert into a set", { $0.words.insert("another") }),
    ("remove from a set", { $0.chosen.remove(UnreadItem(value: ["id": 7])) }),
    ("intersect", { $0.words.formIntersection(MutableSet(["word 7"])) }),
    ("set in a map", { $0.values["7"] = 8 }),
    ("remove from a map", { $0.named.removeObject(for: "7") }),
    ("remove all of a map", { $0.values.removeAll() }),
  ]

  /// The short form has each change in one place only.
  private static func cases(_ changes: Range<Int>) -> [(TypedPlace, Int)] {
    changes.flatMap { index in
      let places = TypedPlace.inClear
      return (TestEffort.isLong ? places : [places[index % places.count]]).map { ($0, index) }
    }
  }

  @Test("touched without a free reader, then saved", arguments: TypedPlace.inClear)
  func touchedWithoutReaders(place: TypedPlace) throws {
    try UnreadStore.with(place, options: options) { store in
      try store.fill()
      let shelf = try #require(try store.shelf())
      try store.withoutReaders { #expect(shelf.counts == none) }
      shelf.title = "second"
      try store.save(shelf)
      try expectWhole(store, title: "second")
      #expect(shelf.counts == whole)
    }
  }

  @Test("changed without having been read", arguments: cases(0..<changes.count))
  func changedWithoutReaders(place: TypedPlace, index: Int) throws {
    try UnreadStore.with(place, options: options) { store in
      try store.fill()
      let shelf = try #require(try store.shelf())
      try store.withoutReaders { Self.changes[index].change(shelf) }
      expectRefused(store, shelf)
      try expectWhole(store, title: "first")
      // A collection that is assigned as a whole is known.
      (shelf.numbers, shelf.items) = (List([1]), List())
      (shelf.words, shelf.chosen) = (MutableSet(["a", "b"]), MutableSet())
      (shelf.values, shelf.named) = (["a": 1], [:])
      try store.save(shelf)
      #expect(try store.stored() == ["first", "1", "0", "2", "0", "1", "0"])
    }
  }

  @Test("copied without having been read", arguments: TypedPlace.inClear)
  func copied(place: TypedPlace) throws {
    try UnreadStore.with(place, options: options) { store in
      try store.fill()
      let shelf = try #require(try store.shelf())
      let (detached, other) = try store.withoutReaders {
        let other = UnreadShelf(value: ["id": 1])
        other.numbers = shelf.numbers
        return (shelf.detached(), other)
      }
      expectRefused(store, detached)
      expectRefused(store, other)
      try expectWhole(store, title: "first")
    }
  }

  @Test("touched in a scope, and again when no reader is free", arguments: TypedPlace.inClear)
  func afterScope(place: TypedPlace) throws {
    try UnreadStore.with(place, options: options) { store in
      try store.fill()
      let shelf = try store.read { snapshot in
        let shelf = try #require(try snapshot.object(ofType: UnreadShelf.self, forPrimaryKey: 1))
        #expect(shelf.counts == whole)
        return shelf
      }
      try store.withoutReaders { #expect(shelf.counts == none) }
      // The next use reads again.
      #expect(shelf.counts == whole)
      shelf.title = "second"
      try store.save(shelf)
      try expectWhole(store, title: "second")
    }
  }

  // Removing all entries of a map, the last change, reads none of them.
  @Test(
    "changed after a scope when no reader is free",
    arguments: cases(0..<changes.count - 1)
  )
  func changedAfterScope(place: TypedPlace, index: Int) throws {
    try UnreadStore.with(place, options: options) { store in
      try store.fill()
      let shelf = try store.read { snapshot in
        let shelf = try #require(try snapshot.object(ofType: UnreadShelf.self, forPrimaryKey: 1))
        #expect(shelf.counts == whole)
        return shelf
      }
      try store.withoutReaders { Self.changes[index].change(shelf) }
      expectRefused(store, shelf)
      try expectWhole(store, title: "first")
    }
  }

  @Test("a list that is assigned after its scope is whole", arguments: TypedPlace.inClear)
  func assignedAfterScope(place: TypedPlace) throws {
    try UnreadStore.with(place, options: options) { store in
      try store.fill()
      let shelf = try store.read { snapshot in
        let shelf = try #require(try snapshot.object(ofType: UnreadShelf.self, forPrimaryKey: 1))
        #expect(shelf.counts == whole)
        return shelf
      }
      let other = UnreadShelf(value: ["id": 1, "title": "other"])
      (other.numbers, other.items) = (shelf.numbers, shelf.items)
      (other.words, other.chosen) = (shelf.words, shelf.chosen)
      (other.values, other.named) = (shelf.values, shelf.named)
      try store.save(other)
      try expectWhole(store, title: "other")
    }
  }

  @Test("touched after the store was closed")
  func touchedAfterClose() throws {
    try UnreadStore.with(.disk, options: options) { store in
      try store.fill()
      let shelf = try #require(try store.shelf())
      let inScope = try store.read { snapshot in
        let shelf = try #require(try snapshot.object(ofType: UnreadShelf.self, forPrimaryKey: 1))
        #expect(shelf.counts == whole)
        return shelf
      }
      store.close()
      #expect(shelf.counts == none && inScope.counts == none)
      _ = try store.shelf()
      shelf.title = "second"
      try store.save(shelf)
      try expectWhole(store, title: "second")
      expectRefused(store, inScope, .storeClosed)
      try expectWhole(store, title: "second")
      // The object that was saved is the open store's, and reads from it.
      shelf.numbers.append(1)
      try store.save(shelf)
      #expect(try store.shelf()?.numbers.count == UnreadStore.count + 1)
    }
  }

  @Test("added to a write without having been read", arguments: TypedPlace.inClear)
  func addedToWrite(place: TypedPlace) throws {
    try UnreadStore.with(place, options: options) { store in
      try store.fill()
      let (shelf, changed) = (try #require(try store.shelf()), try #require(try store.shelf()))
      try store.withoutReaders {
        #expect(shelf.counts == none)
        changed.numbers.append(1)
      }
      shelf.title = "second"
      try store.write { try $0.add(shelf, update: .all) }
      try expectWhole(store, title: "second")
      for policy in [UpdatePolicy.all, .modified] {
        #expect(throws: FiefError.self) { try store.write { try $0.add(changed, update: policy) } }
      }
      try expectWhole(store, title: "second")
    }
  }

  @Test("encoding what could not be read throws")
  func encoding() throws {
    try UnreadStore.with(.memory, options: options) { store in
      try store.fill()
      let shelf = try #require(try store.shelf())
      try store.withoutReaders {
        #expect(throws: FiefError.self) { try JSONEncoder().encode(shelf.numbers) }
        #expect(throws: FiefError.self) { try JSONEncoder().encode(shelf.words) }
        #expect(throws: FiefError.self) { try JSONEncoder().encode(shelf.values) }
      }
      #expect(try JSONEncoder().encode(shelf.numbers).count > UnreadStore.count)
    }
  }

  private var options: StoreOptions {
    var options = StoreOptions()
    options.maximumReaders = 2
    return options
  }

  private func expectRefused(
    _ store: UnreadStore,
    _ shelf: UnreadShelf,
    _ expected: FiefError.Code = .tooManyReaders,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      try store.save(shelf)
      Issue.record("the save succeeded", sourceLocation: sourceLocation)
    } catch {
      #expect((error as? FiefError)?.code == expected, "\(error)", sourceLocation: sourceLocation)
    }
  }
}
