import Fief

/// A person who maintains packages. The deletion of one deletes the packages too.
final class Maintainer: Object {
  @Persisted(primaryKey: true) var email: String
  @Persisted var name: String
  @Persisted(originProperty: "maintainer") var packages: LinkingObjects<Package>
  /// The name in lower case, for looking it up; the store makes it.
  @Persisted(indexed: true) var searchName: String
  /// The number of ``packages``, counted by the store.
  @Persisted(indexed: true) var packageCount = 0
  /// Their size on disk, added up by the store.
  @Persisted var installedBytes = 0

  override class func relationships() -> [Relationship] {
    [Relationship(\Maintainer.packages, deleteRule: .cascade)]
  }

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("searchName", .lowercased(of: "name")),
      DerivedProperty("packageCount", .count(of: "packages")),
      DerivedProperty("installedBytes", .sum(of: "packages.installedBytes")),
    ]
  }
}

/// The source that packages are built from. Without it there is nothing to build them from. Without it there
/// is nothing to build them of.
final class Source: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "source") var packages: LinkingObjects<Package>

  override class func relationships() -> [Relationship] {
    [Relationship(\Source.packages, deleteRule: .cascade)]
  }
}

/// A part of the archive: `games`, `libs`, `non-free/fonts`. It stays as long as there is a package in it.
final class Section: Object {
  @Persisted(primaryKey: true) var name: String
  /// `main`, `contrib` or `non-free`.
  @Persisted var area: String
  /// The name without the area.
  @Persisted var topic: String
  @Persisted(originProperty: "section") var packages: LinkingObjects<Package>

  override class func relationships() -> [Relationship] {
    [Relationship(\Section.packages, deleteRule: .deny)]
  }
}

/// A tag of debtags: `role::program`.
final class Tag: Object {
  @Persisted(primaryKey: true) var name: String
  /// The text before the colons; empty where there are none.
  @Persisted(indexed: true) var facet: String
  /// The text behind the colons.
  @Persisted var value: String
  @Persisted(originProperty: "tags") var packages: LinkingObjects<Package>
}
