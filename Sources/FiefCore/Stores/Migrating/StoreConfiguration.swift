/// A repository's description of its store, as values: what crosses to wherever the store is opened.
package struct StoreConfiguration: Sendable {
  var name: String
  var memoryType: RealmMemoryType
  /// The directory that the store's own directory is in; nil for the default.
  var parentDirectory: String?
  package var schemaVersion: UInt64
  package var schema: DeclaredSchema
  package var migrationBlock: MigrationBlock?
  package var migrationPlan: MigrationPlan?
  package var options: StoreOptions
  /// Whether opening encrypts a store in clear with the key of the options. Only a call that asks for it once sets it.
  package var encryptsClearStore = false
  /// Whether commits wait for the disk, as far as the options say so.
  var isSynchronized = true
  /// The sandbox of the test that the store is opened in.
  var sandbox: StoreSandbox?

  /// Gets the store's events.
  /// - Throws: ``FiefError`` of code `encryptionRequired` where a class may be kept in encrypted stores only, and there is no key.
  package func checkEncryption() throws(FiefError) {
    try schema.checkTiers(isEncrypted: options.encryption != nil, store: name)
  }

  var reporter: EventReporter { EventReporter(store: name, options: options, sandbox: sandbox) }

  /// The tables of Unicode of this process.
  var unicodeFingerprint: UInt64 { options.unicodeFingerprint ?? UnicodeTables.fingerprint }
}
