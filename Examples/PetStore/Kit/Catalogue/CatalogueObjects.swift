import Fief

/// Who cares for packages.
final class Maintainer: Object {
  @Persisted(primaryKey: true) var email: String
  @Persisted var name: String
  @Persisted(originProperty: "maintainer") var packages: LinkingObjects<Package>
}

/// A part of the archive: `games`, `libs`, `non-free/fonts`.
final class Section: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "section") var packages: LinkingObjects<Package>
}

/// A tag of debtags: `role::program`.
final class Tag: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "tags") var packages: LinkingObjects<Package>
}
