import Fief
import FiefTesting
import FiefTree
import FiefTreeModel
import Foundation
import Testing

final class Member: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var messages = 0
}

/// A repository with a tree and objects beside it.
struct ChatRepository: DatabaseConfigurable, Sendable {
  var schemaName: String? = "chat"
  var schemaVersion: UInt64? = 1
  var objectTypes: [Object.Type]? = JSONTree.objectTypes + [Member.self]
  var migrationBlock: MigrationBlock?
  var directory: String?
  var storeOptions = StoreOptions()
}

/// A tree in a store of its own, which is checked at the end of the test.
struct TreeFixture {
  let store: StoreFixture<ChatRepository>
  let tree: JSONTree

  init(_ kind: StoreKind = .inMemory, clock: (@Sendable () -> Date)? = nil) throws {
    var repository = ChatRepository()
    if let clock { repository.storeOptions.clock = clock }
    try self.init(repository, kind)
  }

  init(_ repository: ChatRepository, _ kind: StoreKind = .inMemory) throws {
    store = try StoreFixture(repository, kind)
    tree = JSONTree(in: store)
  }

  /// The value of the whole tree, with nodes as objects.
  func whole() throws -> JSON { try tree.root.snapshot().json }

  func set(_ path: String, _ value: JSON) throws { try tree.reference(path).setValueAndWait(value) }

  func get(_ path: String) throws -> JSON { try tree.reference(path).snapshot().json }
}

/// Expects an error with a code.
func expectCode(
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
typealias QueryModel = FiefTreeModel.QueryModel
typealias RandomNames = FiefTreeModel.RandomNames
typealias RandomValues = FiefTreeModel.RandomValues
typealias SeededRandom = FiefTreeModel.SeededRandom
typealias TreeModel = FiefTreeModel.TreeModel
