import Fief

/// E-mail addresses leave the index, whose keys are in clear in an encrypted store.
package enum AuthVersion4: MigrationStep {
  package static let version: UInt64 = 4
  package static let name = "no address in clear"
  package static let description = """
    E-mail addresses have no index any more: nothing looks for them, and the keys of an index are in clear in an encrypted \
    store. Pages that are not in use have the former keys until the store is compacted.
    """
}
