import Fief

// The classes of version 4, frozen.
extension CatalogueVersion4 {
  package final class Package: Object {
    package enum State: String, PersistableEnum { case mentioned, available }
    package enum Importance: Int, PersistableEnum {
      case essential = 1
      case required = 2
      case important = 3
      case standard = 4
      case optional = 5
      case extra = 6
    }

    @Persisted(primaryKey: true) package var name: String
    @Persisted package var state = State.mentioned
    @Persisted package var version: String
    @Persisted package var architecture: String
    @Persisted package var importance = Importance.optional
    @Persisted package var source: Source?
    @Persisted package var summary: String
    @Persisted package var homepage: String?
    @Persisted package var installedBytes = 0
    @Persisted package var archiveSize = 0
    @Persisted package var section: Section?
    @Persisted package var maintainer: Maintainer?
    @Persisted package var tags: List<Tag>
    @Persisted package var relations: List<Dependency>
    @Persisted package var dependencies: List<Package>
    @Persisted package var recommends: List<Package>
    @Persisted package var provides: List<Package>
    @Persisted(originProperty: "dependencies") package var dependents: LinkingObjects<Package>
    @Persisted(originProperty: "provides") package var providers: LinkingObjects<Package>
    @Persisted package var dependencyCount = 0
    @Persisted(indexed: true) package var dependentsCount = 0

    package override class func derivedProperties() -> [DerivedProperty] {
      [
        DerivedProperty("dependencyCount", .count(of: "dependencies")),
        DerivedProperty("dependentsCount", .count(of: "dependents")),
      ]
    }
  }

  package final class Dependency: EmbeddedObject {
    package enum Kind: String, PersistableEnum { case depends, preDepends, recommends, provides }

    @Persisted package var kind = Kind.depends
    @Persisted package var clause = 0
    @Persisted package var name: String
    @Persisted package var architecture: String?
    @Persisted package var relation: String?
    @Persisted package var version: String?
  }

  package final class Maintainer: Object {
    @Persisted(primaryKey: true) package var email: String
    @Persisted package var name: String
    @Persisted(originProperty: "maintainer") package var packages: LinkingObjects<Package>
    @Persisted(indexed: true) package var searchName: String
    @Persisted(indexed: true) package var packageCount = 0
    @Persisted package var installedBytes = 0

    package override class func relationships() -> [Relationship] {
      [Relationship(\Maintainer.packages, deleteRule: .cascade)]
    }

    package override class func derivedProperties() -> [DerivedProperty] {
      [
        DerivedProperty("searchName", .lowercased(of: "name")),
        DerivedProperty("packageCount", .count(of: "packages")),
        DerivedProperty("installedBytes", .sum(of: "packages.installedBytes")),
      ]
    }
  }

  package final class Source: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted(originProperty: "source") package var packages: LinkingObjects<Package>

    package override class func relationships() -> [Relationship] {
      [Relationship(\Source.packages, deleteRule: .cascade)]
    }
  }

  package final class Section: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted package var area: String
    @Persisted package var topic: String
    @Persisted(originProperty: "section") package var packages: LinkingObjects<Package>

    package override class func relationships() -> [Relationship] {
      [Relationship(\Section.packages, deleteRule: .deny)]
    }
  }

  package final class Tag: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted(indexed: true) package var facet: String
    @Persisted package var value: String
    @Persisted(originProperty: "tags") package var packages: LinkingObjects<Package>
  }
}
