import Fief

/// Packages know how many others they need and are needed by, and who goes takes packages along.
package enum CatalogueVersion4: MigrationStep {
  package static let version: UInt64 = 4
  package static let name = "dependencies, counts and rules"
  package static let description = """
    What a package needs is called `dependencies`, and the other side `dependents`. How many there are of both, and \
    how many packages a maintainer has, of which size, is kept by the store. With a maintainer or a source go its \
    packages, and a section that has packages stays.
    """
  package static var objectTypes: [Object.Type]? {
    [Package.self, Source.self, Maintainer.self, Section.self, Tag.self]
  }
  package static var embeddedObjectTypes: [EmbeddedObject.Type]? { [Dependency.self] }

  package static func migrate(_ migration: Migration) throws {
    // All that is derived is made by itself, and rules change no object.
    migration.renameProperty(onType: "Package", from: "needs", to: "dependencies")
  }
}
