import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// An object with arrays that are kept in the tree of large collections and read with the object. Its initializer calls the closure
/// that its thread has.
final class StatedAlbum: Object {
  static let making = "StatedAlbum.making"

  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var array: [Int] = []
  @Persisted var names: [String: Int] = [:]
  @Persisted var next: StatedAlbum?

  required init() {
    super.init()
    (Thread.current.threadDictionary[Self.making] as? () -> Void)?()
  }
}

/// Objects with large arrays while other threads change and delete them.
@Suite("Arrays of one state", .timeLimit(.minutes(20))) struct ArrayStateTests {
  private static let count = 12
  /// So many numbers or texts are too long for the record of an album.
  private static let elements = 600

  private func filled(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let store = try StoreFixture(TestRepository(objectTypes: [StatedAlbum.self]), kind)
    var albums: [StatedAlbum] = []
    for id in (0..<Self.count).reversed() {
      let values: [String: Any] = [
        "id": id, "title": "\(Self.elements)", "array": Array(0..<Self.elements),
      ]
      let album = StatedAlbum(value: values)
      album.names = Dictionary(uniqueKeysWithValues: (0..<Self.elements).map { ("name \($0)", $0) })
      album.next = albums.last
      albums.append(album)
    }
    try store.saveAndWait(entities: albums)
    return store
  }

  /// Calls `body`. Another thread changes odd objects and deletes even ones when the first object is made.
  private func changing<Value>(_ store: StoreFixture<TestRepository>, _ body: () throws -> Value) throws
    -> Value
  {
    var isFirst = true
    var failure: (any Error)?
    Thread.current.threadDictionary[StatedAlbum.making] = {
      guard isFirst else { return }
      isFirst = false
      DispatchQueue.global().sync {
        do {
          try store.write { transaction in
            for id in 1..<Self.count {
              let album = try #require(try transaction.object(ofType: StatedAlbum.self, forPrimaryKey: id))
              if id % 2 == 0 {
                try transaction.delete(album)
              } else {
                album.title = "\(Self.elements + 1)"
                album.array.append(Self.elements)
                album.names["more"] = 1
              }
            }
          }
        } catch { failure = error }
      }
    }
    defer { Thread.current.threadDictionary[StatedAlbum.making] = nil }
    let value = try body()
    if let failure { throw failure }
    #expect(!isFirst)
    return value
  }

  private func expectFirstState(_ albums: [StatedAlbum], _ comment: Comment) {
    #expect(albums.map(\.id) == Array(0..<Self.count), comment)
    for album in albums {
      #expect(album.title == "\(Self.elements)", comment)
      #expect(album.array.count == Self.elements && album.names.count == Self.elements, comment)
    }
  }

  @Test("All objects are of one state", arguments: StoreKind.allCases) func allObjects(_ kind: StoreKind)
    throws
  {
    let reads: [(String, (Results<StatedAlbum>) throws -> [StatedAlbum])] = [
      ("all", { try $0.all() }), ("sorted", { try $0.sorted(byKeyPath: "id").all() }),
      ("filter", { try $0.filter("title == %@", "\(Self.elements)").all() }),
      ("page", { try $0.page(Self.count).objects }),
      ("places", { try $0.fetchObjects(at: IndexSet(0..<Self.count)) }),
      ("prefetched", { try $0.prefetching("next").all() }),
    ]
    // In the short form the kinds of stores share them.
    let index = StoreKind.allCases.firstIndex(of: kind) ?? 0
    for (place, (name, read)) in reads.enumerated() where TestEffort.isLong || place % 3 == index {
      let store = try filled(kind)
      let albums = try changing(store) { try read(store.store().objects(StatedAlbum.self)) }
      expectFirstState(albums, "\(name)")
      try #require(albums.count == Self.count)
      // The objects are copies as any others.
      let changed = albums[0]
      changed.array.append(Self.elements)
      changed.title = "changed"
      try store.saveAndWait(entity: changed)
      let stored = try #require(store.object(ofType: StatedAlbum.self, forPrimaryKey: 0))
      #expect(stored.array.count == Self.elements + 1 && stored.title == "changed", "\(name)")
      try store.write { transaction in
        albums[1].title = "joined"
        #expect(albums[1].array.count == Self.elements + 1, "\(name)")
      }
      #expect(store.object(ofType: StatedAlbum.self, forPrimaryKey: 1)?.title == "joined", "\(name)")
      #expect(throws: FiefError.self, "\(name)") {
        try store.saveAndWait(entity: albums[3], ifUnchanged: true)
      }
      #expect(store.store().objects(StatedAlbum.self).count == Self.count / 2 + 1, "\(name)")
      store.closeChecked()
    }
  }

  @Test("Targets that are prefetched are of the state of the read", arguments: StoreKind.allCases)
  func prefetchedTargets(_ kind: StoreKind) throws {
    let store = try filled(kind)
    let first = try changing(store) {
      try store.store().objects(StatedAlbum.self).filter("id <= %@", 1).prefetching("next").all()
    }
    #expect(first.map(\.id) == [0, 1])
    for album in first {
      let next = try #require(album.next)
      #expect(next.id == album.id + 1 && next.title == "\(Self.elements)")
      #expect(next.array.count == Self.elements)
    }
    store.closeChecked()
  }

  @Test("A loop leaves out objects that were deleted", arguments: StoreKind.allCases)
  func loops(_ kind: StoreKind) throws {
    let store = try filled(kind)
    let albums = try changing(store) { Array(store.store().objects(StatedAlbum.self)) }
    #expect(albums.allSatisfy { $0.title == "\($0.array.count)" && $0.array.count == $0.names.count })
    #expect(Set(albums.map(\.id)).isSuperset(of: [0] + (1..<Self.count).filter { $0 % 2 == 1 }))
    store.closeChecked()
  }

  @Test("Only the error of a changed collection counts as one") func narrowError() {
    #expect(FiefError.staleCollection(exists: true).isOfStaleCollection)
    #expect(FiefError.staleCollection(exists: false).isOfStaleCollection)
    #expect(!FiefError(.conflict, "Another one.").isOfStaleCollection)
    #expect(!FiefError(.objectNotFound, "Another one.").isOfStaleCollection)
    #expect(!FiefError.lostElements.isOfStaleCollection)
  }
}
