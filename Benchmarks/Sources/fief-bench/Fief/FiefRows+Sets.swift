import Fief

/// The rows about a large set and a large map of texts, one that is not in its object's record.
///
/// The store is in memory, and the writes are not committed, so that each begins with the same elements.
extension FiefRows {
  private static let size = 10_000
  private static let operations = 1_000

  func setFigure(of row: String, _ times: Int) throws -> Figure? {
    guard ["Set_", "Map_"].contains(where: { row.hasPrefix($0) }), row.hasSuffix("_10k") else { return nil }
    let repository = try bagStore()
    let isMap = row.hasPrefix("Map_")
    switch row.dropFirst(4).dropLast(4) {
    case "get":
      return try reading(times, operations: Self.operations) {
        var found = 0
        try repository.read { snapshot in
          let bag = try Self.bag(snapshot.object(ofType: Bag.self, forPrimaryKey: 1))
          for number in 0..<Self.operations {
            // Every second one is there.
            let text = Self.text(number * 2 * Self.size / Self.operations)
            if isMap {
              if bag.counts[text] != nil { found += 1 }
            } else if bag.words.contains(text) {
              found += 1
            }
          }
        }
        try check(row, found, Self.operations / 2)
      }
    case "loop":
      return try reading(times, operations: Self.size) {
        var bytes = 0
        try repository.read { snapshot in
          let bag = try Self.bag(snapshot.object(ofType: Bag.self, forPrimaryKey: 1))
          if isMap {
            for entry in bag.counts { bytes += entry.key.utf8.count }
          } else {
            for word in bag.words { bytes += word.utf8.count }
          }
        }
        try check(row, bytes, (0..<Self.size).reduce(0) { $0 + Self.text($1).utf8.count })
      }
    default:
      return try repeated(times, operations: Self.operations) {
        try Clock.time {
          do {
            try repository.write { transaction in
              let bag = try Self.bag(transaction.object(ofType: Bag.self, forPrimaryKey: 1))
              for number in Self.size..<(Self.size + Self.operations) {
                if isMap {
                  bag.counts[Self.text(number)] = number
                } else {
                  bag.words.insert(Self.text(number))
                }
              }
              try check(row, isMap ? bag.counts.count : bag.words.count, Self.size + Self.operations)
              throw BagTakenBack()
            }
          } catch is BagTakenBack {}
        }
      }
    }
  }

  private static func text(_ number: Int) -> String { "word \(number &* 7_919 % 1_000_003)" }

  private static func bag(_ bag: Bag?) throws -> Bag {
    guard let bag else { throw BenchmarkError("the set's owner is missing") }
    return bag
  }

  private func bagStore() throws -> BenchmarkRepository {
    if let bags { return bags }
    var repository = BenchmarkRepository([Bag.self], inMemory: directory + "/Bag")
    repository.storeOptions.encryption = encryption
    let bag = Bag()
    bag.id = 1
    bag.words.insert(objectsIn: (0..<Self.size).map { Self.text($0) })
    for number in 0..<Self.size { bag.counts[Self.text(number)] = number }
    try repository.insert(bag)
    bags = repository
    return repository
  }
}

/// The error that ends a measured write.
private struct BagTakenBack: Error {}
