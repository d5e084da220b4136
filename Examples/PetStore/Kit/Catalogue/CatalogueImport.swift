import Fief

/// The counts of an import so far.
struct ImportCounts: Sendable, Equatable {
  /// Packages described by the index that were not there before.
  var added = 0
  /// Packages that were there in another version, or had lost links to packages that were removed.
  var updated = 0
  /// Packages that were there just as the index has them.
  var unchanged = 0
  /// Links between packages and to maintainers, sections, sources and tags.
  var links = 0

  /// All packages that came by.
  var packages: Int { added + updated + unchanged }

  static func + (left: ImportCounts, right: ImportCounts) -> ImportCounts {
    ImportCounts(
      added: left.added + right.added,
      updated: left.updated + right.updated,
      unchanged: left.unchanged + right.unchanged,
      links: left.links + right.links
    )
  }
}

extension CatalogueRepository {
  /// Stores a batch of packages in one write.
  ///
  /// A dependency may name a package that the index describes only later, or never. Such a name becomes
  /// a package in the state ``Package/State/mentioned`` at once, so that the link has an end, and is
  /// filled in when its stanza comes: one pass over the index is enough.
  ///
  /// A package that is there in the same version or a later one stays as it is, so an import can be
  /// repeated, and of several versions in one index the latest wins. Only where it has lost links, because packages were
  /// removed, they are made again.
  func store(_ records: [PackageRecord]) async throws -> ImportCounts {
    try await write { tx in
      var pass = CatalogueImportPass(tx)
      try pass.store(records)
      return pass.counts
    }
  }
}
