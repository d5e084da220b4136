import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// A least number of 1 that a store has from before format 6.
@Suite struct LeastOneTests {
  final class Sailor: Object {
    @Persisted(primaryKey: true) var id = 0
  }
  enum Now {
    final class Ship: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var crew: List<Sailor>
      @Persisted var owners: List<Sailor>
      override class func relationships() -> [Relationship] {
        [Relationship("crew", minimum: 1), Relationship("owners", deleteRule: .deny, minimum: 1, maximum: 3)]
      }
    }
  }
  enum More {
    final class Ship: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      @Persisted var crew: List<Sailor>
      @Persisted var owners: List<Sailor>
      override class func relationships() -> [Relationship] {
        [Relationship("crew", minimum: 1), Relationship("owners", deleteRule: .deny, minimum: 1, maximum: 3)]
      }
    }
  }
  enum Rekeyed {
    final class Ship: Object {
      @Persisted var id = 0
      @Persisted(primaryKey: true) var name = ""
      @Persisted var crew: List<Sailor>
      @Persisted var owners: List<Sailor>
      override class func relationships() -> [Relationship] {
        [Relationship("crew", minimum: 1), Relationship("owners", deleteRule: .deny, minimum: 1, maximum: 3)]
      }
    }
  }
  enum Required {
    final class Ship: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var crew: List<Sailor>
      @Persisted var owners: List<Sailor>
      override class func relationships() -> [Relationship] {
        [
          Relationship("crew", isRequired: true),
          Relationship("owners", deleteRule: .deny, isRequired: true, maximum: 3),
        ]
      }
    }
  }
  enum Free {
    final class Ship: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var crew: List<Sailor>
      @Persisted var owners: List<Sailor>
      override class func relationships() -> [Relationship] {
        [Relationship("owners", deleteRule: .deny, maximum: 3)]
      }
    }
  }

  private static let required = ["crew: nullify, required", "owners: deny, 1 to 3"]

  /// A store as a program of format 5 made it for either declaration.
  private func withFormerStore(_ body: (String) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    try MigratingStore(directory.path, version: 1, [Required.Ship.self, Sailor.self]).opened {
      (store) throws in
      #expect(try store.count(Sailor.self) == 0)
    }
    let environment = try LMDB.Environment.open(
      directory: directory["migrated"],
      options: EnvironmentOptions()
    )
    var catalogue = try #require(try StoreOpening.storedCatalogue(in: environment))
    #expect(catalogue.format == 6)
    catalogue.format = 5
    let bytes = catalogue.encoded()
    try environment.write { transaction in
      let tree = try transaction.openDatabase(named: Catalogue.treeName)
      try Catalogue.key.withUnsafeBytes { key in
        try bytes.withUnsafeBytes { try transaction.put(tree, key, $0) }
      }
    }
    #expect(try StoreOpening.storedCatalogue(in: environment)?.format == 5)
    environment.close()
    try body(directory.path)
  }

  private func rules(_ directory: String) throws -> [String] {
    let store = try DynamicStore(directory: directory + "/migrated", isReadOnly: true)
    defer { store.close() }
    return (store.types.first { $0.name == "Ship" }?.relationships ?? []).map(\.description).sorted()
  }

  /// The refusal of a save of a ship without anyone.
  private func refusal<Ship: Object>(_ type: Ship.Type, _ store: MigratingStore) -> [String] {
    let error = #expect(throws: FiefError.self) {
      try store.write { _ = try $0.create(Ship.self, value: ["id": 1]) }
    }
    return error?.showingValues().details.sorted() ?? []
  }

  private static let refused = [
    "Ship[1].crew: 0 objects, at least 1", "Ship[1].owners: 0 objects, at least 1",
  ]

  @Test func itOpensWithoutAMigrationAndIsRequired() throws {
    try withFormerStore { directory in
      for _ in 0..<2 {
        try MigratingStore(directory, version: 1, [Now.Ship.self, Sailor.self]).opened { (store) throws in
          #expect(refusal(Now.Ship.self, store) == Self.refused)
        }
        #expect(try rules(directory) == Self.required)
      }
      // The other declaration of that time is the same.
      try MigratingStore(directory, version: 1, [Required.Ship.self, Sailor.self]).opened { (store) throws in
        #expect(refusal(Required.Ship.self, store) == Self.refused)
      }
    }
  }

  @Test func itStaysWhatItIsInMigrations() throws {
    try withFormerStore { directory in
      for version in 2...3 as ClosedRange<UInt64> {
        for _ in 0..<2 {
          try MigratingStore(directory, version: version, [More.Ship.self, Sailor.self]).opened {
            (store) throws in
            #expect(refusal(More.Ship.self, store) == Self.refused)
          }
          #expect(try rules(directory) == Self.required)
        }
      }
      // Another key is another entry of the catalogue.
      try MigratingStore(directory, version: 4, [Rekeyed.Ship.self, Sailor.self]).opened { (store) throws in
        let error = #expect(throws: FiefError.self) {
          try store.write { _ = try $0.create(Rekeyed.Ship.self, value: ["name": "a"]) }
        }
        #expect(error?.code == .validationFailed)
      }
      #expect(try rules(directory) == Self.required)
      // Declared as required it is no other rule, and is one for good.
      try MigratingStore(directory, version: 5, [Required.Ship.self, Sailor.self]).opened { (store) throws in
        #expect(refusal(Required.Ship.self, store) == Self.refused)
      }
      let back = try MigratingStore(directory, version: 5, [Now.Ship.self, Sailor.self]).failure()
      #expect(back.code == .migrationRequired)
    }
  }

  @Test func aClassThatDoesNotDeclareItTakesItAway() throws {
    try withFormerStore { directory in
      let error = try MigratingStore(directory, version: 1, [Free.Ship.self, Sailor.self]).failure()
      #expect(error.code == .migrationRequired)
      try MigratingStore(directory, version: 2, [Free.Ship.self, Sailor.self]).opened { (store) throws in
        try store.write { _ = try $0.create(Free.Ship.self, value: ["id": 1]) }
      }
      #expect(try rules(directory) == ["owners: deny, at most 3"])
      // The present declaration has no rule in this store, as in a new one.
      try MigratingStore(directory, version: 2, [Now.Ship.self, Sailor.self]).opened { (store) throws in
        try store.write { _ = try $0.create(Now.Ship.self, value: ["id": 2]) }
      }
    }
  }

  @Test func itSaysNothingInNewStores() throws {
    let directory = try TemporaryDirectory()
    try MigratingStore(directory.path, version: 1, [Now.Ship.self, Sailor.self]).opened { (store) throws in
      try store.write { _ = try $0.create(Now.Ship.self, value: ["id": 1]) }
    }
    #expect(try rules(directory.path) == ["owners: deny, at most 3"])
    for _ in 0..<2 {
      try MigratingStore(directory.path, version: 1, [Now.Ship.self, Sailor.self]).opened { (store) throws in
        #expect(try store.count(Now.Ship.self) == 1)
      }
    }
  }
}
