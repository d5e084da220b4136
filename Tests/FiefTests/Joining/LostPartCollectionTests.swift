import Fief
import Foundation
import Synchronization
import Testing

/// A collection of an embedded object is held, but neither the embedded object nor its owner.
@Suite("Held collections of embedded objects that are gone")
struct LostPartCollectionTests {
  /// Reads that failed.
  private final class Events: Sendable {
    private let events = Mutex<[StoreEvent]>([])

    func add(_ event: StoreEvent) {
      if case .failedRead = event { events.withLock { $0.append(event) } }
    }

    func takeAll() -> [StoreEvent] {
      events.withLock { all in
        defer { all = [] }
        return all
      }
    }
  }

  private let events = Events()

  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let store = try Joining.store(place, events: { [events] in events.add($0) })
    try store.put(JoiningDog(1))
    try setHome(of: store, ["a", "b"])
    return store
  }

  private func setHome(of store: TypedStore, _ keys: [String]?) throws {
    try store.write { transaction in
      let dog = try #require(try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1))
      guard let keys else {
        dog.home = nil
        return
      }
      dog.home = JoiningHome("h")
      dog.home?.keys.append(objectsIn: keys)
    }
  }

  private func heldKeys(_ store: TypedStore) throws -> List<String> {
    let dog = try store.dog(1)
    return try withExtendedLifetime(dog) {
      let keys = try #require(dog.home).keys
      #expect(Array(keys) == ["a", "b"])
      return keys
    }
  }

  /// Reads a collection that is empty, which is reported with its place.
  private func expectEmpty(_ keys: List<String>) {
    #expect(events.takeAll().isEmpty)
    #expect(keys.isEmpty && keys.first == nil && Array(keys) == [])
    let events = events.takeAll()
    #expect(events.count == 1)
    guard case .failedRead(let store, let type, let property, let error)? = events.first else {
      Issue.record("no event of a failed read: \(events)")
      return
    }
    #expect(store == "model" && type == "JoiningDog" && property == "home.keys")
    #expect((error as? FiefError)?.code == .objectNotFound && (error as? FiefError)?.key == "1")
  }

  @Test("are empty in a write, and a snapshot outside of writes", arguments: TypedPlace.allCases)
  func inAWrite(place: TypedPlace) throws {
    let store = try filled(place)
    let keys = try heldKeys(store)
    try setHome(of: store, nil)
    #expect(Array(keys) == ["a", "b"])
    // A write that fails gives the elements back.
    #expect(throws: Joining.Refused.self) {
      try store.write { _ in
        expectEmpty(keys)
        throw Joining.Refused()
      }
    }
    #expect(Array(keys) == ["a", "b"])
    try store.write { _ in expectEmpty(keys) }
    // The collection has joined the write, and shows its state afterwards.
    #expect(keys.isEmpty)
    #expect(try typedError { try store.write { _ in keys.append("c") } }.code == .objectNotFound)
    // Another embedded object is at the same place.
    try setHome(of: store, ["x"])
    try store.write { _ in
      #expect(Array(keys) == ["x"])
      keys.append("y")
    }
    #expect(try #require(try store.dog(1).home).keys.map(\.self) == ["x", "y"])
  }

  @Test("are empty after the write itself has removed the object", arguments: TypedPlace.allCases)
  func removedInTheWrite(place: TypedPlace) throws {
    let store = try filled(place)
    let keys = try heldKeys(store)
    try store.write { transaction in
      try transaction.object(ofType: JoiningDog.self, forPrimaryKey: 1)?.home = nil
      expectEmpty(keys)
    }
    #expect(try store.dog(1).home == nil)
  }

  @Test("keep their elements if the owner was deleted", arguments: TypedPlace.allCases)
  func deletedOwner(place: TypedPlace) throws {
    let store = try filled(place)
    let keys = try heldKeys(store)
    try store.deleteAndWait(ofType: JoiningDog.self, forPrimaryKeys: [1])
    try store.write { _ in #expect(Array(keys) == ["a", "b"]) }
    #expect(Array(keys) == ["a", "b"])
  }
}
