import Fief
import Foundation
import Testing

@testable import FiefCore

/// A flipped bit in the name of a tree: LMDB has no tree of that name, which is damage and no empty tree.
@Suite(.timeLimit(.minutes(20))) struct TreeNameTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var repository: NamedRepository { repository(version: 1) }
  private func repository(version: UInt64) -> NamedRepository {
    NamedRepository(schemaVersion: version, directory: directory.path)
  }

  private var file: String { directory["named/data.mdb"] }

  /// Makes a store with every kind of tree; returns their names.
  private func make() throws -> [String] {
    let repository = repository
    defer { repository.closeChecked() }
    try repository.store().write { transaction in
      let first = NamedItem(value: ["number": 1, "group": 7])
      first.values.append(objectsIn: 0..<3000)
      try transaction.add(first)
      let second = NamedItem(value: ["number": 2, "group": 8])
      second.next = first
      try transaction.add(second)
    }
    let entries = try repository.store().core().tables.all.map(\.entry)
    return entries.flatMap(\.treeNames) + [
      Catalogue.treeName, Catalogue.collectionTreeName,
    ]
  }

  /// Flips a bit of the last letter of a name, wherever the file has it.
  private func flip(_ name: String, bit: UInt8) throws {
    try FileDamage.flip(bit, at: name.utf8.count - 1, of: Array(name.utf8), in: file)
  }

  @Test(arguments: [1, 16, 128] as [UInt8]) func isDamageInEveryTree(bit: UInt8) throws {
    let names = try make()
    #expect(names.count >= 5)
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    for name in names {
      try flip(name, bit: bit)
      let repository = repository
      let store = repository.store()
      if name == Catalogue.collectionTreeName, store.openingError == nil {
        // The catalogue does not say whether there are large collections; reading one does.
        #expect(throws: FiefError.self) {
          try store.read { _ = try $0.object(ofType: NamedItem.self, forPrimaryKey: 1)?.values.fetchSum() }
        }
        // Nor is another tree made for the next one.
        #expect(throws: FiefError.self) {
          try store.write { transaction in
            let second = try transaction.object(ofType: NamedItem.self, forPrimaryKey: 2)
            second?.values.append(objectsIn: 0..<3000)
          }
        }
        let problems = Result { try repository.check().problems }
        if case .success(let problems) = problems { #expect(problems != []) }
      } else {
        #expect(
          store.openingError?.code == .damagedStore,
          "\(name) \(bit): \(String(describing: store.openingError))"
        )
      }
      repository.close()
      try FileDamage.replace(file, with: whole)
    }
    let repository = repository
    #expect(repository.store().objects(NamedItem.self).count == 2)
    repository.closeChecked()
  }

  /// A migration makes the trees of new types, and no empty one in the place of a lost one.
  @Test func isDamageForAMigration() throws {
    let names = try make()
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    for name in names {
      try flip(name, bit: 16)
      let damaged = try Data(contentsOf: URL(fileURLWithPath: file))
      let repository = repository(version: 2)
      #expect(repository.store().openingError?.code == .damagedStore, "\(name)")
      repository.close()
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == damaged, "\(name)")
      try FileDamage.replace(file, with: whole)
    }
    let repository = repository(version: 2)
    #expect(repository.store().objects(NamedItem.self).count == 2)
    repository.closeChecked()
  }
}

private final class NamedItem: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted(indexed: true) var group = 0
  @Persisted var next: NamedItem?
  @Persisted var values: List<Int>
}

private struct NamedRepository: DatabaseConfigurable, Sendable {
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "named"
  let schemaVersion: UInt64?
  var directory: String?
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.eventOutput = .silent
    return options
  }
  var objectTypes: [Object.Type]? { [NamedItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}
