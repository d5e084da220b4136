import Fief
import TestEffort
import Testing

@testable import FiefCore

final class BoxedItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var kept: BoxedItem?

  override class func relationships() -> [Relationship] { [Relationship("kept", deleteRule: .deny)] }
}

final class PlainItem: Object {
  @Persisted(primaryKey: true) var id = 0
}

final class ItemBox: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var items: List<PlainItem>
  @Persisted var others: List<PlainItem>
  @Persisted var named: Map<String, PlainItem?>
  @Persisted var boxed: List<BoxedItem>
}

/// Objects that are deleted one by one, and that large collections link.
@Suite("Consecutive deletions", .timeLimit(.minutes(20)))
struct ConsecutiveDeletionTests {
  private static let count = TestEffort.count(1_300, more: 2_200)

  /// A store with a box that has each item twice in a list.
  private func with(_ place: TypedPlace, _ body: (TypedStore) throws -> Void) throws {
    let store = try TypedStore(place, [BoxedItem.self, PlainItem.self, ItemBox.self])
    try store.write { write in
      let box = ItemBox(value: ["id": 1])
      let items = (0..<Self.count).map { PlainItem(value: ["id": $0]) }
      box.items.append(objectsIn: items)
      box.items.append(objectsIn: items.reversed())
      box.others.append(objectsIn: items)
      box.boxed.append(objectsIn: (0..<Self.count).map { BoxedItem(value: ["id": $0]) })
      for item in items { box.named["key \(item.id)"] = item }
      try write.add(box)
    }
    try body(store)
    _ = try store.check()
  }

  private func box(_ write: WriteTransaction) throws -> ItemBox {
    try #require(try write.object(ofType: ItemBox.self, forPrimaryKey: 1))
  }

  private func delete(_ id: Int, _ write: WriteTransaction) throws {
    try write.delete(try #require(try write.object(ofType: PlainItem.self, forPrimaryKey: id)))
  }

  @Test(
    "a deletion looks up its links and does not walk through the collections",
    arguments: TypedPlace.allCases
  )
  func searches(place: TypedPlace) throws {
    try with(place) { store in
      for isLive in [false, true] {
        // In no order, and neighbours too.
        let ids =
          (0..<TestEffort.count(40, more: 60)).map { ($0 * 1_009 + (isLive ? 500 : 0)) % (Self.count - 500) }
          + (isLive ? [Self.count - 199, Self.count - 200, Self.count - 198] : [])
        try store.write { write in
          let box = isLive ? try box(write) : nil
          for (turn, id) in ids.enumerated()
          where try write.object(ofType: PlainItem.self, forPrimaryKey: id) != nil {
            let before = box?.items.count
            try delete(id, write)
            guard let box, let before else { continue }
            #expect(box.items.count == before - 2)
            guard turn % 20 == 0 else { continue }
            #expect(!box.items.contains { $0.id == id } && !box.others.contains { $0.id == id })
            #expect(box.named["key \(id)"] == .some(nil) || box.named["key \(id)"] == nil)
          }
          // Two lists and a map: the first deletion and the second one go through each.
          #expect(write.writer.knownCollections.searches == 6)
        }
      }
      let stored = try #require(try store.fetchObject(ofType: ItemBox.self, forPrimaryKey: 1))
      let left = try store.read { $0.objects(PlainItem.self).map(\.id) }
      #expect(stored.others.map(\.id) == left)
      #expect(stored.items.map(\.id) == left + left.reversed())
      #expect(stored.named.count == Self.count)
      #expect(stored.named.filter { $0.value != nil }.count == left.count)
    }
  }

  @Test("a denied deletion changes nothing, and others go on", arguments: TypedPlace.allCases)
  func denied(place: TypedPlace) throws {
    try with(place) { store in
      try store.write { write in
        let item = try #require(try write.object(ofType: BoxedItem.self, forPrimaryKey: 7))
        item.kept = try write.object(ofType: BoxedItem.self, forPrimaryKey: Self.count - 1)
      }
      try store.write { write in
        func delete(_ id: Int) throws {
          try write.delete(try #require(try write.object(ofType: BoxedItem.self, forPrimaryKey: id)))
        }
        for id in 100..<150 { try delete(id) }
        #expect(write.writer.knownCollections.searches == 2)
        #expect { try delete(7) } throws: { ($0 as? FiefError)?.code == .deletionDenied }
        for id in 150..<200 { try delete(id) }
        #expect(try box(write).boxed.map(\.id) == Array(0..<100) + Array(200..<Self.count))
      }
      let stored = try #require(try store.fetchObject(ofType: ItemBox.self, forPrimaryKey: 1))
      #expect(stored.boxed.map(\.id) == Array(0..<100) + Array(200..<Self.count))
    }
  }

  @Test("a list that changes between deletions is right", arguments: TypedPlace.allCases)
  func changes(place: TypedPlace) throws {
    for seed in 0..<TestEffort.count(1, more: 4) {
      var random = MigrationRandom(seed: UInt64(seed))
      try with(place) { store in
        struct Failure: Error {}
        for isRolledBack in [true, false] {
          var model = try #require(try store.fetchObject(ofType: ItemBox.self, forPrimaryKey: 1)).others.map(
            \.id
          )
          let before = model
          do {
            try store.write { write in
              let box = try box(write)
              var next = Self.count
              for _ in 0..<TestEffort.count(40, more: 60) {
                let place = Int(random.next() % UInt64(model.count))
                switch random.next() % 12 {
                case 0:
                  let item = PlainItem(value: ["id": next])
                  try write.add(item)
                  box.others.append(item)
                  model.append(next)
                  next += 1
                case 1:
                  box.others.remove(at: place)
                  model.remove(at: place)
                case 2:
                  box.others.move(from: place, to: 0)
                  model.insert(model.remove(at: place), at: 0)
                default:
                  let id = model[place]
                  try delete(id, write)
                  model.removeAll { $0 == id }
                }
                #expect(box.others.count == model.count)
              }
              #expect(box.others.map(\.id) == model, "seed \(seed)")
              if isRolledBack { throw Failure() }
            }
          } catch is Failure {}
          let stored = try #require(try store.fetchObject(ofType: ItemBox.self, forPrimaryKey: 1))
          #expect(stored.others.map(\.id) == (isRolledBack ? before : model), "seed \(seed)")
        }
      }
    }
  }
}
