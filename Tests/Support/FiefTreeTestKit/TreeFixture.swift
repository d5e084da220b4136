import Fief
import FiefTesting
import FiefTree
import FiefTreeModel
import Foundation
import Testing

package final class Member: Object {
  @Persisted(primaryKey: true) package var id = ""
  @Persisted package var messages = 0
}

/// A repository with a tree and objects beside it.
package struct ChatRepository: DatabaseConfigurable, Sendable {
  package var schemaName: String?
  package var schemaVersion: UInt64?
  package var objectTypes: [Object.Type]?
  package var migrationBlock: MigrationBlock?
  package var directory: String?
  package var storeOptions: StoreOptions

  package init(
    schemaName: String? = "chat",
    schemaVersion: UInt64? = 1,
    objectTypes: [Object.Type]? = JSONTree.objectTypes + [Member.self],
    directory: String? = nil,
    storeOptions: StoreOptions = StoreOptions(),
    migrationBlock: MigrationBlock? = nil
  ) {
    self.schemaName = schemaName
    self.schemaVersion = schemaVersion
    self.objectTypes = objectTypes
    self.directory = directory
    self.storeOptions = storeOptions
    self.migrationBlock = migrationBlock
  }
}

/// A tree in a store of its own, which is checked at the end of the test.
package struct TreeFixture {
  package let store: StoreFixture<ChatRepository>
  package let tree: JSONTree

  package init(_ kind: StoreKind = .inMemory, clock: (@Sendable () -> Date)? = nil) throws {
    var repository = ChatRepository()
    if let clock { repository.storeOptions.clock = clock }
    try self.init(repository, kind)
  }

  package init(_ repository: ChatRepository, _ kind: StoreKind = .inMemory) throws {
    store = try StoreFixture(repository, kind)
    tree = JSONTree(in: store)
  }

  /// The value of the whole tree, with nodes as objects.
  package func whole() throws -> JSON { try tree.root.snapshot().json }

  package func set(_ path: String, _ value: JSON) throws { try tree.reference(path).setValueAndWait(value) }

  package func get(_ path: String) throws -> JSON { try tree.reference(path).snapshot().json }
}

/// Expects an error with a code.
package func expectCode(
  _ code: FiefError.Code,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> some Any
) {
  do {
    _ = try body()
    Issue.record("expected \(code)", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? FiefError)?.code == code, sourceLocation: sourceLocation)
  }
}

// The suites use the model of `make test-model`.
package typealias QueryModel = FiefTreeModel.QueryModel
package typealias RandomNames = FiefTreeModel.RandomNames
package typealias RandomValues = FiefTreeModel.RandomValues
package typealias SeededRandom = FiefTreeModel.SeededRandom
package typealias TreeModel = FiefTreeModel.TreeModel
