import Fief

/// Who cares for packages.
final class Maintainer: Object {
  @Persisted(primaryKey: true) var email: String
  @Persisted var name: String
  @Persisted(originProperty: "maintainer") var packages: LinkingObjects<Package>
}

/// What packages are built of.
final class Source: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "source") var packages: LinkingObjects<Package>
}

/// A part of the archive: `games`, `libs`, `non-free/fonts`.
final class Section: Object {
  @Persisted(primaryKey: true) var name: String
  /// `main`, `contrib` or `non-free`.
  @Persisted var area: String
  /// The name without the area.
  @Persisted var topic: String
  @Persisted(originProperty: "section") var packages: LinkingObjects<Package>
}

/// A tag of debtags: `role::program`.
final class Tag: Object {
  @Persisted(primaryKey: true) var name: String
  /// What is before the colons; empty where there are none.
  @Persisted(indexed: true) var facet: String
  /// What follows them.
  @Persisted var value: String
  @Persisted(originProperty: "tags") var packages: LinkingObjects<Package>
}
