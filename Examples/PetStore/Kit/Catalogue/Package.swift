import Fief

/// A package of the distribution, or a name that other packages speak of.
///
/// A name that the index does not describe is an object too, ``State/mentioned``: a virtual package that
/// others provide (``providers``), or one that nothing here can install. So a link has an end wherever the
/// index leads, and leads to the package itself as soon as an import brings it. The text of a field is in
/// ``relations``, and stays there when the package it speaks of is removed.
final class Package: Object {
  /// The knowledge about a name.
  enum State: String, PersistableEnum {
    /// The index has not described it (yet): virtual, or not in this release.
    case mentioned
    /// The index describes it.
    case available
  }

  /// The importance of a package for an installation, the least dispensable first.
  enum Importance: Int, PersistableEnum {
    case essential = 1
    case required = 2
    case important = 3
    case standard = 4
    case optional = 5
    case extra = 6
  }

  @Persisted(primaryKey: true) var name: String
  @Persisted var state = State.mentioned
  @Persisted var version: String
  @Persisted var architecture: String
  @Persisted var importance = Importance.optional
  /// The source that it is built from.
  @Persisted var source: Source?
  @Persisted var summary: String
  @Persisted var homepage: String?
  @Persisted var installedBytes = 0
  /// The bytes of the archive that is downloaded.
  @Persisted var archiveSize = 0
  @Persisted var section: Section?
  @Persisted var maintainer: Maintainer?
  @Persisted var tags: List<Tag>
  /// The text of its fields, word for word: kind, alternatives and versions.
  @Persisted var relations: List<Dependency>
  /// Every package that it needs in the order of its fields, each once, alternatives included.
  @Persisted var dependencies: List<Package>
  /// Every package that it recommends, each once.
  @Persisted var recommends: List<Package>
  /// The virtual packages that it provides.
  @Persisted var provides: List<Package>
  /// The packages that need it: the other side of ``dependencies``.
  @Persisted(originProperty: "dependencies") var dependents: LinkingObjects<Package>
  /// The packages that provide it: the other side of ``provides``.
  @Persisted(originProperty: "provides") var providers: LinkingObjects<Package>
  /// The number of its ``dependencies``, counted by the store.
  @Persisted var dependencyCount = 0
  /// The number of its ``dependents``, counted by the store.
  @Persisted(indexed: true) var dependentsCount = 0

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("dependencyCount", .count(of: "dependencies")),
      DerivedProperty("dependentsCount", .count(of: "dependents")),
    ]
  }
}

/// One alternative of one clause of a dependency; a part of its package.
final class Dependency: EmbeddedObject {
  /// The field it comes from.
  enum Kind: String, PersistableEnum {
    case depends
    case preDepends
    case recommends
    case provides
  }

  @Persisted var kind = Kind.depends
  /// The number of the clause in its field; alternatives of one clause share it.
  @Persisted var clause = 0
  @Persisted var name: String
  /// `any` or the name of one, as in `python3:any`.
  @Persisted var architecture: String?
  /// `<<`, `<=`, `=`, `>=` or `>>`.
  @Persisted var relation: String?
  @Persisted var version: String?
}
