/// A repository's description of its store, as values that can be sent to the code that opens the store.
package struct StoreConfiguration: Sendable {
  var name: String
  var memoryType: RealmMemoryType
  /// The directory that contains the store's own directory, or `nil` for the default.
  var parentDirectory: String?
  package var schemaVersion: UInt64
  package var schema: DeclaredSchema
  package var migrationBlock: MigrationBlock?
  package var migrationPlan: MigrationPlan?
  package var options: StoreOptions
  /// Whether opening encrypts an unencrypted store with the key of the options. Only an explicit request sets
  /// it, for one call.
  package var encryptsClearStore = false
  /// Whether commits are synced to the disk, as far as the options require it.
  var isSynchronized = true
  /// The sandbox of the test in which the store is opened.
  var sandbox: StoreSandbox?

  /// Checks that the options have a key if the schema requires an encrypted store.
  ///
  /// - Throws: ``FiefError`` of code `encryptionRequired`.
  package func checkEncryption() throws(FiefError) {
    try schema.checkTiers(isEncrypted: options.encryption != nil, store: name)
  }

  var reporter: EventReporter { EventReporter(store: name, options: options, sandbox: sandbox) }

  /// The fingerprint of this process's Unicode tables.
  var unicodeFingerprint: UInt64 { options.unicodeFingerprint ?? UnicodeTables.fingerprint }
}
