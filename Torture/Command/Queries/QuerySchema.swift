import Fief
import FiefModel
import FiefTorture
import Foundation
import LMDB

/// A random schema: the columns of three types, and the indexes.
struct QuerySchema: Sendable {
  var itemKey = QueryColumn(name: "id", kind: .int)
  var targetKey = QueryColumn(name: "id", kind: .int)
  var item: [QueryColumn] = []
  var target: [QueryColumn] = []
  var part: [QueryColumn] = []
  /// The indexes of the items, and those of their targets.
  var indexes: [RandomIndex] = []
  var targetIndexes: [RandomIndex] = []

  static let mark = QueryColumn(name: "mark", kind: .int)

  /// The schema of this process; classes read it when the library asks for their indexes.
  static let current = OwnedLock(QuerySchema())

  init() {}

  init(_ random: inout TortureRandom) {
    let keys: [QueryColumn.Kind] = [.int, .int, .int, .int16, .text, .uuid, .objectId]
    itemKey.kind = random.pick(keys)
    targetKey.kind = random.pick(keys)
    item = "abcdef".map { Self.column(String($0), &random, collections: 4) }
    target = "abc".map { Self.column(String($0), &random, collections: 5) }
    part = "ab".map { Self.column(String($0), &random, collections: 5) }
    addIndexes(&random)
  }

  private static func column(_ name: String, _ random: inout TortureRandom, collections: Int) -> QueryColumn {
    var column = QueryColumn(name: name, kind: random.pick(QueryColumn.Kind.allCases))
    // Texts and integers are what most schemas have most of.
    if random.chance(3) { column.kind = random.pick([.text, .int, .double]) }
    if random.chance(collections) { column.container = random.pick([.list, .set, .map]) }
    if column.kind != .any { column.isOptional = random.chance(3) }
    return column
  }

  private mutating func addIndexes(_ random: inout TortureRandom) {
    let single = item.filter { $0.container == .one }
    var indexes: Set<RandomIndex> = []
    for column in single where !random.chance(3) { indexes.insert(RandomIndex([column.name])) }
    for column in target where column.container == .one && random.chance(3) {
      targetIndexes.append(RandomIndex([column.name]))
    }
    for column in single where column.kind == .text {
      if random.chance(3) { indexes.insert(RandomIndex([column.name]).caseInsensitive) }
      if random.chance(3) { indexes.insert(.fullText([column.name])) }
    }
    let texts = single.filter { $0.kind == .text }.map(\.name)
    if texts.count > 1, random.chance(3) {
      indexes.insert(.fullText(Array(texts.prefix(2))))
    }
    for _ in 0..<random.next(4) {
      let names = single.map(\.name).shuffled(using: &random) + ["mark"]
      let columns = Array(names.prefix(random.next(2) + 2))
      if columns.count < 2 { continue }
      var index = RandomIndex(columns)
      // A unique index has the mark, which no two objects have in common.
      if random.chance(3) { index = .unique(["mark"] + columns.filter { $0 != "mark" }.prefix(2)) }
      if columns.contains(where: { texts.contains($0) }), random.chance(3), !index.isUnique {
        index.isCaseInsensitive = true
      }
      indexes.insert(index)
    }
    if random.chance(2) { indexes.insert(random.chance(2) ? .unique(["mark"]) : RandomIndex(["mark"])) }
    // The order of a set differs from process to process.
    self.indexes = indexes.sorted { $0.description < $1.description }
  }

  /// The columns of a type that have a value of their own, with those that every type has.
  func columns(of subject: QuerySubject) -> [QueryColumn] {
    switch subject {
    case .item: item + [Self.mark, itemKey]
    case .target: target + [Self.mark, targetKey]
    case .part: part
    case .value: []
    }
  }
}

extension QuerySchema: CustomStringConvertible {
  var description: String {
    "Item(id: \(itemKey.kind), \(item.map(\.description).joined(separator: ", "))), "
      + "Target(id: \(targetKey.kind), \(target.map(\.description).joined(separator: ", "))), "
      + "Part(\(part.map(\.description).joined(separator: ", "))), indexes: "
      + (indexes.map(\.description) + targetIndexes.map { "Target \($0)" }).joined(separator: ", ")
  }
}

/// What a condition is about: an object of a type, or the element of a collection of values.
enum QuerySubject: Hashable, Sendable {
  case item, target, part
  case value(QueryColumn)
}

extension TortureRandom {
  mutating func pick<Value>(_ values: [Value]) -> Value { values[next(values.count)] }
  /// True once in so many times.
  mutating func chance(_ count: Int) -> Bool { next(count) == 0 }
}
