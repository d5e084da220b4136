import Fief

extension CatalogueRepository {
  /// A maintainer, and what would go with them.
  struct Removal: Sendable, Equatable {
    var email: String
    var name: String
    /// The packages that go.
    var packages = 0
    /// Their size on disk, in bytes.
    var installedBytes = 0
    /// The packages of others that need one of them, and stay.
    var dependents = 0
    /// The dependencies of these that would lead to nothing, and are taken out.
    var links = 0
  }

  /// The maintainers with an address or a name, whatever its case.
  ///
  /// - Returns: their addresses and names, in the order of the addresses.
  func maintainers(called text: String) throws -> [(email: String, name: String)] {
    let wanted = text.lowercased()
    return try read { snapshot in
      try snapshot.objects(Maintainer.self)
        .where { $0.email == wanted || $0.searchName == wanted }
        .select(\.email, \.name).all()
        .map { (email: $0, name: $1) }
    }
  }

  /// Counts what ``removeMaintainer(_:)`` would do, and changes nothing.
  ///
  /// - Parameter email: the address of the maintainer.
  /// - Returns: nil where there is none.
  func removal(ofMaintainer email: String) throws -> Removal? {
    try read { snapshot in
      guard let maintainer = try snapshot.object(ofType: Maintainer.self, forPrimaryKey: email) else {
        return nil
      }
      // Derived values are there already; the dependents of the packages have to be looked up.
      var removal = Removal(
        email: email,
        name: maintainer.name,
        packages: maintainer.packageCount,
        installedBytes: maintainer.installedBytes
      )
      var dependents: Set<String> = []
      let packages = maintainer.packages.where { $0.dependentsCount > 0 }
        .prefetching(\.dependents.maintainer)
      try packages.forEachObject { package in
        for dependent in package.dependents where dependent.maintainer !== maintainer {
          removal.links += 1
          dependents.insert(dependent.name)
        }
      }
      removal.dependents = dependents.count
      return removal
    }
  }

  /// Removes a maintainer. The rules of the classes do the rest, in the same commit: the packages go too, others that
  /// need them lose the link and keep the text, and the counts follow. The next import brings the packages back, so that the
  /// indexes that were read expire.
  ///
  /// - Returns: the number of removed packages; nil where there is no such maintainer.
  func removeMaintainer(_ email: String) async throws -> Int? {
    try await write { tx in
      guard let maintainer = try tx.object(ofType: Maintainer.self, forPrimaryKey: email) else { return nil }
      let before = try tx.count(Package.self)
      try tx.delete(maintainer)
      try tx.objects(PackageIndex.self).update(.set(\.readAt, nil))
      return before - (try tx.count(Package.self))
    }
  }

  /// Removes a part of the archive.
  ///
  /// - Throws: `FiefError` of code `deletionDenied` while there is a package in it.
  func removeSection(_ name: String) async throws {
    try await write { tx in
      guard let section = try tx.object(ofType: Section.self, forPrimaryKey: name) else { return }
      try tx.delete(section)
    }
  }
}
