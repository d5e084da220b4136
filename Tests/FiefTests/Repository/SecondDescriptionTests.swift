import Fief
import Foundation
import Testing

/// A repository that meets a store which another one has opened, with other classes.
@Suite struct SecondDescriptionTests {
  enum One {
    final class Tree: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
    }
    final class Leaf: Object {
      @Persisted(primaryKey: true) var id = 0
    }
  }
  enum Other {
    final class Tree: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var height = 0.0
    }
    final class Bird: Object {
      @Persisted(primaryKey: true) var id = 0
    }
  }

  private struct Wood: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType
    var directory: String?
    var types: [Object.Type]
    var schemaName: String? { "wood" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { types }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  /// Another repository type of the same store, as another part of an application has it.
  private struct OtherWood: DatabaseConfigurable {
    var wood: Wood
    var realmMemoryType: RealmMemoryType { wood.realmMemoryType }
    var directory: String? { wood.directory }
    var schemaName: String? { "wood" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { wood.types }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func wood(_ inMemory: Bool, _ types: [Object.Type]) -> Wood {
    Wood(
      realmMemoryType: inMemory ? .inMemory(identifier: directory.path) : .inStorage,
      directory: inMemory ? nil : directory.path,
      types: types
    )
  }

  @Test(arguments: [true, false]) func theSameClassesOrAPartOfThemAreFine(inMemory: Bool) throws {
    let first = wood(inMemory, [One.Tree.self, One.Leaf.self])
    defer { first.closeChecked() }
    try first.write { tx in try tx.add(One.Leaf()) }
    for types in [[One.Leaf.self, One.Tree.self], [One.Leaf.self]] as [[Object.Type]] {
      let second = OtherWood(wood: wood(inMemory, types))
      #expect(second.store().openingError == nil)
      #expect(try second.count(One.Leaf.self) == 1)
    }
  }

  @Test(arguments: [true, false]) func classesThatDifferAreListed(inMemory: Bool) throws {
    let first = wood(inMemory, [One.Tree.self, One.Leaf.self])
    defer { first.closeChecked() }
    try first.write { tx in try tx.add(One.Leaf()) }
    let second = OtherWood(wood: wood(inMemory, [Other.Tree.self, Other.Bird.self]))
    for _ in 0..<2 {
      let error = try #require(second.store().openingError)
      #expect(error.code == .migrationRequired && error.store == "wood")
      #expect(
        error.details.sorted() == [
          "Tree.height: Double was added", "Tree.name: String was removed", "opened by: Wood",
          "requested by: OtherWood", "type Bird was added",
        ]
      )
      #expect(throws: FiefError.self) { try second.write { tx in try tx.add(Other.Bird()) } }
    }
    // The store that is open is as it was.
    #expect(try first.count(One.Leaf.self) == 1)
  }

  @Test(arguments: [true, false]) func aClassThatDiffersIsNoUnknownType(inMemory: Bool) throws {
    let first = wood(inMemory, [One.Tree.self])
    defer { first.closeChecked() }
    // The same type of repository leads to the open store, whatever its list says meanwhile.
    #expect(first.store().openingError == nil)
    let error = #expect(throws: FiefError.self) { try first.store().write { tx in try tx.add(Other.Tree()) } }
    #expect(error?.code == .migrationRequired)
    #expect(error?.details.contains("Tree.height: Double was added") == true)
  }

  @Test(arguments: [true, false]) func afterTheCloseTheOtherDescriptionOpensTheStore(inMemory: Bool) throws {
    let first = wood(inMemory, [One.Tree.self, One.Leaf.self])
    try first.write { tx in try tx.add(One.Leaf()) }
    let second = OtherWood(wood: wood(inMemory, [Other.Bird.self]))
    #expect(second.store().openingError?.code == .migrationRequired)
    first.closeChecked()
    #expect((second.store().openingError == nil) == inMemory)
    second.close()
  }
}
