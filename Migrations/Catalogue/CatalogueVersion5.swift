import Fief

/// The package index is a cache: the store knows when it was read, and from where.
package enum CatalogueVersion5: MigrationStep {
  package static let version: UInt64 = 5
  package static let name = "the index as a cache"
  package static let description = """
    Each place that a package index was read from has an object with the time of that. An index that was read before \
    has none, and counts as one that was never read.
    """
}
