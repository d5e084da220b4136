import FiefCore
import LMDB

extension StoreOpening {
  /// Checks a store that no repository has open, using the store's own catalogue.
  ///
  /// - Parameters:
  ///   - encryption: the key of the store, or `nil`. An unencrypted store can be checked with a key, too.
  ///   - allowsGroup: see ``StoreOptions/allowsGroupWritableDirectory``.
  package static func check(
    directory: String,
    store: String,
    encryption: StoreEncryption?,
    allowsGroup: Bool = false
  ) throws -> IntegrityReport {
    var options = EnvironmentOptions()
    options.allowsGroupWritableDirectory = allowsGroup
    options.isReadOnly = true
    options.createsIfMissing = false
    options.maxDatabases = 4096
    let environment = try LMDB.Environment.open(directory: directory, options: options)
    defer { environment.close() }
    // The checker itself compares the store with the record of the last commit and lists the differences.
    try unlock(environment, encryption, store: store, mayBeClear: true, verifiesCommit: false)
    guard let catalogue = try storedCatalogue(in: environment) else { return IntegrityReport() }
    let isCurrent = try environment.read { transaction in
      guard UnicodeTables.serve(catalogue), let tree = try transaction.database(named: Catalogue.treeName)
      else {
        return true
      }
      return try UnicodeTables.isStored(UnicodeTables.fingerprint, tree, in: transaction)
    }
    let tables = try openTrees(
      of: catalogue,
      store: store,
      in: environment,
      usesUnicodeIndexes: isCurrent
    )
    return try environment.read { try StoreChecker(tables: tables, transaction: $0).run() }
  }
}
