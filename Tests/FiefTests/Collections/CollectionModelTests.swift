import Fief
import Foundation
import TestEffort
import Testing

/// The expected collections of a shelf.
private struct ShelfModel: Equatable {
  var items: [Int] = []
  var numbers: [Int] = []
  var texts: [String?] = []
  var chosen: Set<Int> = []
  var words: Set<String> = []
  var named: [String: Int?] = [:]

  init() {}

  init(_ shelf: Shelf) {
    items = shelf.items.map(\.id)
    numbers = Array(shelf.numbers)
    texts = Array(shelf.texts)
    chosen = Set(shelf.chosen.map(\.id))
    words = Set(shelf.words)
    for (key, value) in shelf.named { named[key] = .some(value?.id) }
  }
}

@Suite("Random changes of collections, small and large")
struct CollectionModelTests {
  private static let itemCount = 3_000

  @Test(
    "agree with arrays, sets and dictionaries",
    arguments: TypedPlace.allCases,
    TestEffort.first(1, of: [1, 2] as [UInt64])
  )
  func random(place: TypedPlace, seed: UInt64) throws {
    print("collections: seed \(seed)")
    var random = MigrationRandom(seed: seed)
    try ShelfStore.with(place) { store in
      var models = [ShelfModel(), ShelfModel()]
      try store.write { transaction in
        for id in 0..<Self.itemCount { try transaction.add(ShelfItem(value: ["id": id, "name": "i\(id)"])) }
        for id in 0..<2 { try transaction.add(Shelf(value: ["id": id])) }
      }
      for step in 0..<TestEffort.count(6, more: 8) {
        let id = Int.random(in: 0..<2, using: &random)
        var model = models[id]
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6:
          try store.write { transaction in
            let shelf = try #require(try transaction.object(ofType: Shelf.self, forPrimaryKey: id))
            for _ in 0..<Int.random(in: 1...30, using: &random) {
              try change(shelf, &model, using: &random) {
                try #require(try transaction.object(ofType: ShelfItem.self, forPrimaryKey: $0))
              }
            }
            #expect(ShelfModel(shelf) == model, "live, step \(step), seed \(seed)")
          }
        case 6, 7:
          let shelf = try store.shelf(id)
          for _ in 0..<Int.random(in: 1...30, using: &random) {
            try change(shelf, &model, using: &random) {
              try #require(store.store().object(ofType: ShelfItem.self, forPrimaryKey: $0))
            }
          }
          try store.write { try $0.add(shelf, update: step.isMultiple(of: 2) ? .all : .modified) }
        case 8:
          struct Refused: Error {}
          var other = model
          #expect(throws: Refused.self) {
            try store.write { transaction in
              let shelf = try #require(try transaction.object(ofType: Shelf.self, forPrimaryKey: id))
              try change(shelf, &other, using: &random) {
                try #require(try transaction.object(ofType: ShelfItem.self, forPrimaryKey: $0))
              }
              throw Refused()
            }
          }
        default:
          store.reopen()
        }
        models[id] = model
        for id in 0..<2 {
          #expect(ShelfModel(try store.shelf(id)) == models[id], "step \(step), seed \(seed)")
        }
        try store.read { snapshot in
          let shelf = try #require(try snapshot.object(ofType: Shelf.self, forPrimaryKey: id))
          #expect(ShelfModel(shelf) == model, "scope, step \(step), seed \(seed)")
          if let index = model.items.indices.randomElement(using: &random) {
            #expect(shelf.items[index].id == model.items[index])
          }
        }
        if step % 8 == 5 { expectWhole(store.store()) }
      }
    }
  }

  private func change(
    _ shelf: Shelf,
    _ model: inout ShelfModel,
    using random: inout MigrationRandom,
    _ item: (Int) throws -> ShelfItem
  ) throws {
    func place(_ count: Int) -> Int { Int.random(in: 0..<max(count, 1), using: &random) }
    let many = place(900)
    switch place(16) {
    case 0:
      let new = (0..<many).map { _ in place(Self.itemCount) }
      try shelf.items.append(objectsIn: new.map(item))
      model.items += new
    case 1:
      let new = place(Self.itemCount)
      let index = place(model.items.count + 1)
      shelf.items.insert(try item(new), at: index)
      model.items.insert(new, at: index)
    case 2 where !model.items.isEmpty:
      let index = place(model.items.count)
      shelf.items.remove(at: index)
      model.items.remove(at: index)
    case 3 where !model.items.isEmpty:
      let (source, destination) = (place(model.items.count), place(model.items.count))
      shelf.items.move(from: source, to: destination)
      model.items.insert(model.items.remove(at: source), at: destination)
    case 4 where !model.items.isEmpty:
      let (index, new) = (place(model.items.count), place(Self.itemCount))
      shelf.items[index] = try item(new)
      model.items[index] = new
      shelf.items.swapAt(index, 0)
      model.items.swapAt(index, 0)
    case 5:
      for _ in 0..<min(many, model.items.count) {
        shelf.items.removeLast()
        model.items.removeLast()
      }
    case 6:
      shelf.numbers.append(objectsIn: 0..<many)
      model.numbers += 0..<many
    case 7:
      let index = place(model.numbers.count + 1)
      shelf.numbers.insert(many, at: index)
      model.numbers.insert(many, at: index)
    case 8:
      shelf.numbers.removeAll { $0 % 3 == 0 }
      model.numbers.removeAll { $0 % 3 == 0 }
    case 9:
      let new = (0..<many).map { $0 % 5 == 0 ? nil : String(repeating: "t", count: $0 % 40) }
      shelf.texts.append(objectsIn: new)
      model.texts += new
    case 10:
      shelf.texts.removeAll()
      model.texts = []
    case 11:
      for id in (0..<many).map({ _ in place(Self.itemCount) }) {
        shelf.chosen.insert(try item(id))
        model.chosen.insert(id)
      }
    case 12:
      for id in Array(model.chosen.sorted().prefix(many)) {
        shelf.chosen.remove(try item(id))
        model.chosen.remove(id)
      }
    case 13:
      for index in 0..<(many / 2) {
        let word = String(repeating: "w", count: index % 450) + "\(many)"
        shelf.words.insert(word)
        model.words.insert(word)
      }
    case 14:
      for word in Array(model.words.sorted().prefix(many)) {
        shelf.words.remove(word)
        model.words.remove(word)
      }
    default:
      for index in 0..<(many / 2) {
        let (name, id) = (
          "n\(index % 7 == 0 ? String(repeating: "x", count: 420) : "")\(index)", place(Self.itemCount)
        )
        if index % 3 == 0 {
          shelf.named.removeObject(for: name)
          model.named[name] = nil
        } else {
          let value = index % 4 == 0 ? nil : try item(id)
          shelf.named[name] = .some(value)
          model.named[name] = .some(value.map(\.id))
        }
      }
    }
  }
}
