import Fief

/// Sources become objects, so that the packages built of one are found.
package enum CatalogueVersion3: MigrationStep {
  package static let version: UInt64 = 3
  package static let name = "sources and areas"
  package static let description = """
    The source of a package was a name and becomes a link. The installed size is in bytes instead of KiB. A section \
    knows the area of the archive that it is in.
    """
  package static var objectTypes: [Object.Type]? {
    [Package.self, Source.self, Maintainer.self, Section.self, Tag.self]
  }
  package static var embeddedObjectTypes: [EmbeddedObject.Type]? { [Dependency.self] }

  package static func migrate(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Package") { old, new in
      guard let old, let new else { return }
      new["installedBytes"] = bytes(ofKibibytes: try old.value("installedSize"))
      let name: String = try old.value("source")
      guard !name.isEmpty else { return }
      let known = try migration.object(ofType: "Source", forPrimaryKey: name)
      new["source"] = known ?? migration.create("Source", value: ["name": name])
    }
    try migration.enumerateObjects(ofType: "Section") { old, new in
      guard let old, let new else { return }
      (new["area"], new["topic"]) = parts(of: try old.value("name"))
    }
  }

  /// No file says more than the largest number, so that one is the answer where a size is nonsense.
  static func bytes(ofKibibytes size: Int) -> Int {
    let (bytes, isTooLarge) = size.multipliedReportingOverflow(by: 1024)
    return isTooLarge ? .max : max(0, bytes)
  }

  /// `non-free/fonts` is `fonts` in `non-free`; a section without an area is in `main`.
  static func parts(of section: String) -> (area: String, topic: String) {
    guard let border = section.firstIndex(of: "/") else { return ("main", section) }
    return (String(section[..<border]), String(section[section.index(after: border)...]))
  }
}
