import Fief
import FiefStress
import FiefTesting
import TestEffort
import Testing

/// Values that are derived of the members of a large list, through random changes of it and of them.
@Suite(.timeLimit(.minutes(20))) struct DerivedLargeTests {
  private struct Model {
    var items: [Int] = []
    var weights: [Int: Double?] = [:]
    var points: [Int: Int] = [:]

    var sum: Double { items.reduce(0) { $0 + ((weights[$1] ?? nil) ?? 0) } }
    var numbers: [Double] { items.compactMap { weights[$0] ?? nil }.filter { !$0.isNaN } }
  }

  private func expect(_ box: MixBox, _ model: Model, _ comment: Comment) {
    #expect(box.items.count == model.items.count && box.count == model.items.count, comment)
    #expect(box.points == model.items.reduce(0) { $0 + (model.points[$1] ?? 0) }, comment)
    #expect(box.weight == model.sum || box.weight.isNaN && model.sum.isNaN, comment)
    #expect(box.lightest == model.numbers.min() && box.heaviest == model.numbers.max(), comment)
  }

  @Test(arguments: StoreKind.allCases, 0..<TestEffort.count(1, more: 2))
  func agreesWithTheMembers(_ kind: StoreKind, run: Int) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = MigrationRandom(seed: seed)
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      var model = Model()
      try repository.write { tx in
        let box = MixBox(1)
        model = Model()
        for id in 0..<900 {
          let item = MixItem(id, weight: id % 10 == 0 ? nil : Double(id) * 1e15 + 0.1, points: id % 50)
          model.weights[id] = .some(item.weight)
          model.points[id] = item.points
          box.items.append(item)
          model.items.append(id)
        }
        try tx.add(box)
      }
      for step in 0..<TestEffort.count(5, more: 15) {
        let comment: Comment = "seed \(seed), step \(step)"
        let start = (random, model)
        try repository.write { tx in
          (random, model) = start
          let box = try #require(try tx.object(ofType: MixBox.self, forPrimaryKey: 1))
          for _ in 0..<Int.random(in: 1...8, using: &random) {
            try change(box, &model, tx, &random)
            if Int.random(in: 0..<3, using: &random) == 0 { expect(box, model, comment) }
          }
          expect(box, model, comment)
        }
        expect(try repository.box(1), model, comment)
        #expect(try repository.check().problems == [], comment)
      }
    }
  }

  private func change(
    _ box: MixBox,
    _ model: inout Model,
    _ tx: WriteTransaction,
    _ random: inout MigrationRandom
  ) throws {
    let count = model.items.count
    let place = Int.random(in: 0..<max(count, 1), using: &random)
    let id = Int.random(in: 0..<1_000, using: &random)
    let item: MixItem
    if let found = try tx.object(ofType: MixItem.self, forPrimaryKey: id) {
      item = found
    } else {
      item = MixItem(id)
      try tx.add(item)
      model.weights[id] = .some(nil)
      model.points[id] = 0
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0 where count > 0:
      box.items.remove(at: place)
      model.items.remove(at: place)
    case 1:
      box.items.insert(item, at: place)
      model.items.insert(id, at: place)
    case 2 where count > 0:
      let other = Int.random(in: 0..<count, using: &random)
      box.items.move(from: place, to: other)
      model.items.insert(model.items.remove(at: place), at: other)
    case 3 where count > 0:
      let other = Int.random(in: 0..<count, using: &random)
      box.items.swapAt(place, other)
      model.items.swapAt(place, other)
    case 4 where count > 0:
      box.items[place] = item
      model.items[place] = id
    case 5:
      let weight = [nil, Double.nan, 0.3, -1e17, .infinity, 7][Int.random(in: 0..<6, using: &random)]
      item.weight = weight
      model.weights[id] = .some(weight)
    case 6:
      item.points = Int.random(in: -100..<100, using: &random)
      model.points[id] = item.points
    case 7:
      try tx.delete(item)
      model.items.removeAll { $0 == id }
      model.weights[id] = nil
      model.points[id] = nil
    default:
      box.items.append(item)
      model.items.append(id)
    }
  }
}
