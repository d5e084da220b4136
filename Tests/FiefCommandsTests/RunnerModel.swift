import Fief
import Foundation

/// The classes of version 1 of the stores in these tests.
enum RunnerVersion1 {
  final class Kennel: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var hounds: List<Hound>
  }

  final class Hound: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var nick: String
    @Persisted var weight: Int32
  }
}

/// Version 2: the nick of a hound becomes its title, weights are wider, names are indexed.
enum RunnerVersion2: MigrationStep {
  final class Kennel: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var hounds: List<Hound>
  }

  final class Hound: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var title: String?
    @Persisted var weight: Int
  }

  static let version: UInt64 = 2
  static let name = "titles"
  static let description = "The nick of a hound becomes its title."
  static func migrate(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Hound") { old, new in
      new?["title"] = try old.map { "Sir \(try $0.value("nick", as: String.self))" }
    }
  }
}

/// A version 2 whose step fails after it has changed half of the objects.
enum RunnerBrokenVersion2: MigrationStep {
  struct Refused: Error {}

  static let version: UInt64 = 2
  static let name = "broken"
  static let description = "Changes some hounds and gives up."
  static func migrate(_ migration: Migration) throws {
    var count = 0
    try migration.enumerateObjects(ofType: "Hound") { _, new in
      new?["title"] = "lost"
      count += 1
      if count == 5 { throw Refused() }
    }
  }
}

/// A store of hounds at a version.
final class RunnerRepository: DatabaseConfigurable, Sendable {
  let directory: String?
  let schemaName: String?
  let number: UInt64
  let isBroken: Bool
  let realmMemoryType: RealmMemoryType
  let encryption: StoreEncryption?
  let allowsGroup: Bool

  init(
    _ name: String,
    in directory: String,
    version: UInt64,
    isBroken: Bool = false,
    isInMemory: Bool = false,
    encryption: StoreEncryption? = nil,
    allowsGroup: Bool = false
  ) {
    self.encryption = encryption
    self.allowsGroup = allowsGroup
    schemaName = name
    self.directory = directory
    number = version
    self.isBroken = isBroken
    realmMemoryType = isInMemory ? .inMemory(identifier: "\(directory)/\(name)") : .inStorage
  }

  var schemaVersion: UInt64? { number }
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.encryption = encryption
    options.allowsGroupWritableDirectory = allowsGroup
    return options
  }
  var objectTypes: [Object.Type]? {
    number == 1
      ? [RunnerVersion1.Kennel.self, RunnerVersion1.Hound.self]
      : [RunnerVersion2.Kennel.self, RunnerVersion2.Hound.self]
  }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationPlan: MigrationPlan? {
    number == 1 ? nil : MigrationPlan([isBroken ? RunnerBrokenVersion2.self : RunnerVersion2.self])
  }

  /// Makes version 1 of the store, with hounds that differ from store to store, and closes it.
  func fill(hounds count: Int) throws {
    try write { tx in
      let kennel = RunnerVersion1.Kennel()
      kennel.name = storeName
      for id in 0..<count {
        let hound = RunnerVersion1.Hound()
        hound.id = id
        hound.name = "\(storeName) \(id)"
        hound.nick = "Nick \(id)"
        hound.weight = Int32(id) * 100
        kennel.hounds.append(hound)
      }
      try tx.add(kennel, update: .error)
    }
    close()
  }

  /// Everything in the store, as text; the store is checked and closed.
  func contents() throws -> [String] {
    defer { close() }
    var lines = try read { snapshot -> [String] in
      if number == 1 {
        return snapshot.objects(RunnerVersion1.Hound.self).map {
          "\($0.id) \($0.name) \($0.nick) \($0.weight)"
        }
          + snapshot.objects(RunnerVersion1.Kennel.self).map { "\($0.name): \($0.hounds.map(\.id))" }
      }
      return snapshot.objects(RunnerVersion2.Hound.self).map {
        "\($0.id) \($0.name) \($0.title ?? "-") \($0.weight)"
      } + snapshot.objects(RunnerVersion2.Kennel.self).map { "\($0.name): \($0.hounds.map(\.id))" }
    }
    lines += try check().problems
    return lines
  }

  /// The expected ``contents()`` of a store that was filled, at this version.
  static func expected(_ name: String, hounds count: Int, version: UInt64) -> [String] {
    (0..<count).map { id in
      "\(id) \(name) \(id) \(version == 1 ? "Nick \(id)" : "Sir Nick \(id)") \(id * 100)"
    } + ["\(name): \(Array(0..<count))"]
  }
}
