import Fief
import Foundation
import Testing

@testable import FiefCore

/// Objects that a failed write had changed are written by the next one.
@Suite("Changes after a write that failed")
struct RolledBackChangeTests {
  private struct Refused: Error {}

  // SAFETY: the writes run one after the other, and nothing else has the object meanwhile.
  private struct Held: @unchecked Sendable { let object: UnreadItem }

  @Test("an object that is added again", arguments: TypedPlace.inClear)
  func addedAgain(place: TypedPlace) throws {
    try UnreadStore.with(place) { store in
      let item = UnreadItem(value: ["id": 1])
      #expect(throws: Refused.self) {
        try store.write { transaction in
          try transaction.add(item)
          item.name = "a"
          throw Refused()
        }
      }
      try store.write { transaction in
        try transaction.add(item)
        item.name = "b"
      }
      #expect(store.object(ofType: UnreadItem.self, forPrimaryKey: 1)?.name == "b")
    }
  }

  @Test("an object that was live", arguments: TypedPlace.inClear)
  func live(place: TypedPlace) throws {
    try UnreadStore.with(place) { store in
      try store.save(UnreadItem(value: ["id": 1, "name": "stored"]))
      var kept: UnreadItem?
      #expect(throws: Refused.self) {
        try store.write { transaction in
          kept = try transaction.object(ofType: UnreadItem.self, forPrimaryKey: 1)
          kept?.name = "a"
          throw Refused()
        }
      }
      let item = try #require(kept)
      try store.write { transaction in
        try transaction.add(item, update: .all)
        item.name = "b"
      }
      #expect(store.object(ofType: UnreadItem.self, forPrimaryKey: 1)?.name == "b")
    }
  }

  @Test("a write of the queue", arguments: TypedPlace.inClear)
  func queued(place: TypedPlace) throws {
    try UnreadStore.with(place) { store in
      let item = Held(object: UnreadItem(value: ["id": 1]))
      let core = try store.store().core()
      func write(_ name: String, fails: Bool) throws {
        let body = WriteWork.body { transaction in
          try transaction.add(item.object)
          item.object.name = name
          if fails { throw Refused() }
        }
        _ = try core.submit(body)
      }
      #expect(throws: Refused.self) { try write("a", fails: true) }
      try write("b", fails: false)
      #expect(store.object(ofType: UnreadItem.self, forPrimaryKey: 1)?.name == "b")
    }
  }

  @Test("a write to several stores", arguments: TypedPlace.inClear)
  func several(place: TypedPlace) throws {
    try UnreadStore.with(place) { first in
      try UnreadStore.with(place) { second in
        let (one, other) = (UnreadItem(value: ["id": 1]), UnreadItem(value: ["id": 1]))
        let manager = StoreManager(repositories: [first, second])
        func write(_ name: String, fails: Bool) throws {
          try manager.write(to: first, and: second) { first, second in
            try first.add(one)
            try second.add(other)
            (one.name, other.name) = (name, name)
            if fails { throw Refused() }
          }
        }
        #expect(throws: Refused.self) { try write("a", fails: true) }
        try write("b", fails: false)
        #expect(first.object(ofType: UnreadItem.self, forPrimaryKey: 1)?.name == "b")
        #expect(second.object(ofType: UnreadItem.self, forPrimaryKey: 1)?.name == "b")
      }
    }
  }

  @Test("a write that runs again after growth", arguments: TypedPlace.inClear)
  func growth(place: TypedPlace) throws {
    var options = StoreOptions()
    options.initialMapSize = 256 << 10
    options.reservedBytes = 0
    try UnreadStore.with(place, options: options) { store in
      try store.write { transaction in
        let shelf = UnreadShelf(value: ["id": 1])
        shelf.numbers.append(objectsIn: 0..<UnreadStore.count)
        try transaction.add(shelf)
      }
      let item = UnreadItem(value: ["id": 1])
      var runs = 0
      try store.write { transaction in
        runs += 1
        let shelf = try #require(try transaction.object(ofType: UnreadShelf.self, forPrimaryKey: 1))
        try transaction.add(item)
        item.name = "run \(runs)"
        // Large collections are changed where they are: the item still waits when the map is full.
        shelf.numbers.append(objectsIn: 0..<50_000)
      }
      #expect(runs > 1)
      #expect(store.object(ofType: UnreadItem.self, forPrimaryKey: 1)?.name == "run \(runs)")
    }
  }
}
