import Fief
import FiefEncryption
import Foundation
import Testing

final class LoopItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var rank = 0
  @Persisted var weight = 0
  @Persisted var group = 0

  convenience init(_ id: Int) {
    self.init()
    self.id = id
    rank = id
    weight = id
  }
}

/// An object without a key.
final class LoopNote: Object {
  @Persisted(indexed: true) var rank = 0
  @Persisted var weight = 0
  @Persisted var group = 0

  convenience init(_ number: Int) {
    self.init()
    rank = number
    weight = number
  }
}

struct LoopRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var storeOptions = StoreOptions()
  var schemaName: String? { "loops" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [LoopItem.self, LoopNote.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }

  /// Calls a closure with a repository that has items and notes with the even numbers from 0, and checks the store.
  static func with(
    _ place: MemberStore,
    _ size: Int,
    _ configure: (inout LoopRepository) -> Void = { _ in },
    _ body: (LoopRepository) throws -> Void
  ) throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let isOnDisk = place == .disk
    var repository = LoopRepository(
      realmMemoryType: isOnDisk ? .inStorage : .inMemory(identifier: UUID().uuidString),
      directory: isOnDisk ? directory.path : nil
    )
    if place == .encrypted { repository.storeOptions.encryption = .key(Data(repeating: 7, count: 32)) }
    configure(&repository)
    defer { repository.closeChecked() }
    try repository.write { tx in
      try tx.add((0..<size).map { LoopItem($0 * 2) })
      try tx.add((0..<size).map { LoopNote($0 * 2) })
    }
    try body(repository)
  }
}

/// The ways along which a loop finds its objects.
enum LoopShape: CaseIterable {
  case all, backward, condition, byIndex, byIndexBackward, sorted, limited

  /// The ways that are tried with a number of objects: some of them if there are many.
  static func tried(with size: Int) -> [LoopShape] {
    size > 1_000 ? [.all, .condition, .byIndexBackward, .sorted] : allCases
  }

  func results<Item: Object>(_ items: Results<Item>) -> Results<Item> {
    switch self {
    case .all: items
    case .backward: items.sorted(byKeyPath: "rank", ascending: false).filter("rank >= -1000000000")
    case .condition: items.filter("weight >= -1000000000 AND group >= 0")
    case .byIndex: items.sorted(byKeyPath: "rank")
    case .byIndexBackward: items.sorted(byKeyPath: "rank", ascending: false)
    case .sorted: items.sorted(byKeyPath: "weight")
    case .limited: items.filter("weight >= -1000000000").sorted(byKeyPath: "rank").limit(1_000_000)
    }
  }

  /// The even numbers below twice a size, in the order of the shape.
  func numbers(_ size: Int) -> [Int] {
    let numbers = (0..<size).map { $0 * 2 }
    return self == .backward || self == .byIndexBackward ? numbers.reversed() : numbers
  }
}
