import Fief

/// The store of the distribution's packages as it was first: its classes, frozen.
///
/// No plan lists it, since the first step begins with it.
package enum CatalogueVersion1: MigrationStep {
  package static let version: UInt64 = 1
  package static let name = "packages and what they need"
  package static let description = "What the catalogue began with."
  package static var objectTypes: [Object.Type]? {
    [Package.self, Maintainer.self, Section.self, Tag.self]
  }
  package static var embeddedObjectTypes: [EmbeddedObject.Type]? { [Dependency.self] }

  package final class Package: Object {
    package enum State: String, PersistableEnum { case mentioned, available }

    @Persisted(primaryKey: true) package var name: String
    @Persisted package var state = State.mentioned
    @Persisted package var version: String
    @Persisted package var architecture: String
    @Persisted package var priority: String
    @Persisted package var source: String
    @Persisted package var summary: String
    @Persisted package var homepage: String?
    @Persisted package var installedSize = 0
    @Persisted package var downloadSize = 0
    @Persisted package var isEssential = false
    @Persisted package var section: Section?
    @Persisted package var maintainer: Maintainer?
    @Persisted package var tags: List<Tag>
    @Persisted package var relations: List<Dependency>
    @Persisted package var needs: List<Package>
    @Persisted package var recommends: List<Package>
    @Persisted package var provides: List<Package>
    @Persisted(originProperty: "needs") package var neededBy: LinkingObjects<Package>
    @Persisted(originProperty: "provides") package var providers: LinkingObjects<Package>
  }

  package final class Dependency: EmbeddedObject {
    package enum Kind: String, PersistableEnum { case depends, preDepends, recommends, provides }

    @Persisted package var kind = Kind.depends
    @Persisted package var clause = 0
    @Persisted package var name: String
    @Persisted package var qualifier: String?
    @Persisted package var relation: String?
    @Persisted package var version: String?
  }

  package final class Maintainer: Object {
    @Persisted(primaryKey: true) package var email: String
    @Persisted package var name: String
    @Persisted(originProperty: "maintainer") package var packages: LinkingObjects<Package>
  }

  package final class Section: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted(originProperty: "section") package var packages: LinkingObjects<Package>
  }

  package final class Tag: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted(originProperty: "tags") package var packages: LinkingObjects<Package>
  }
}
