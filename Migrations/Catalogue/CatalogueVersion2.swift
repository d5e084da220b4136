import Fief

/// The importance of a package becomes one property instead of two, and can be sorted.
package enum CatalogueVersion2: MigrationStep {
  package static let version: UInt64 = 2
  package static let name = "importance and facets"
  package static let description = """
    The text `priority` and the flag `isEssential` of a package are merged into its importance. A tag knows its \
    facet and value. `downloadSize` is called `archiveSize`, and `qualifier` of a dependency `architecture`.
    """
  package static var objectTypes: [Object.Type]? {
    [Package.self, Maintainer.self, Section.self, Tag.self]
  }
  package static var embeddedObjectTypes: [EmbeddedObject.Type]? { [Dependency.self] }

  package static func migrate(_ migration: Migration) throws {
    // Before the objects are changed, since it then takes the same time for any number of them.
    migration.renameProperty(onType: "Package", from: "downloadSize", to: "archiveSize")
    migration.renameProperty(onType: "Dependency", from: "qualifier", to: "architecture")
    try migration.enumerateObjects(ofType: "Package") { old, new in
      guard let old else { return }
      let isEssential: Bool = try old.value("isEssential")
      let importance = importance(of: try old.value("priority"), isEssential: isEssential)
      new?["importance"] = importance.rawValue
    }
    try migration.enumerateObjects(ofType: "Tag") { old, new in
      guard let old, let new else { return }
      (new["facet"], new["value"]) = parts(of: try old.value("name"))
    }
  }

  /// A priority that Debian's policy does not have says no more than "optional" does.
  static func importance(of priority: String, isEssential: Bool) -> Package.Importance {
    if isEssential { return .essential }
    switch priority {
    case "required": return .required
    case "important": return .important
    case "standard": return .standard
    case "extra": return .extra
    default: return .optional
    }
  }

  /// `role::program` is the value `program` of the facet `role`; a tag without a facet is all value.
  static func parts(of tag: String) -> (facet: String, value: String) {
    guard let border = tag.firstRange(of: "::") else { return ("", tag) }
    return (String(tag[..<border.lowerBound]), String(tag[border.upperBound...]))
  }
}
