import Fief
import FiefEncryption
import FiefTree
import Foundation

/// An object that is written together with the tree.
final class TreeModelNote: Object {
  @Persisted(primaryKey: true) var id = 0
}

/// The store of a run.
struct TreeModelRepository: DatabaseConfigurable, Sendable {
  let kind: TreeRun.Kind
  /// The directory of the store, or its name in memory.
  let place: String
  var version: UInt64 = 1
  var milliseconds: Int64 = 0
  var migrationBlock: MigrationBlock?

  var schemaName: String? { "tree" }
  var schemaVersion: UInt64? { version }
  var objectTypes: [Object.Type]? { JSONTree.objectTypes + [TreeModelNote.self] }
  var realmMemoryType: RealmMemoryType { kind == .inMemory ? .inMemory(identifier: place) : .inStorage }
  var directory: String? { kind == .inMemory ? nil : place }

  var storeOptions: StoreOptions {
    var options = StoreOptions()
    if kind == .encrypted { options.encryption = .key(Data(repeating: 7, count: 32)) }
    let clock = clock
    options.clock = { clock.withLock { $0 } }
    return options
  }

  /// The clock of the store, which the run sets before each step.
  let clock = Lock(Date(timeIntervalSince1970: 0))
}
