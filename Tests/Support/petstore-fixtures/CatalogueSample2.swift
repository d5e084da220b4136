import Fief
import PetStoreMigrations

/// Every importance, sizes that are nonsense, sources that several packages share.
enum CatalogueSample2 {
  private typealias Version = CatalogueVersion2

  static func fill(_ tx: WriteTransaction) throws {
    let team = try tx.create(Version.Maintainer.self, value: ["email": "t@example.org", "name": "Équipe"])
    let fonts = try tx.create(Version.Section.self, value: ["name": "contrib/fonts"])
    let libs = try tx.create(Version.Section.self, value: ["name": "libs"])
    let tag = try tx.create(
      Version.Tag.self,
      value: ["name": "role::shared-lib", "facet": "role", "value": "shared-lib"]
    )
    try tx.create(Version.Tag.self, value: ["name": "日本", "value": "日本"])

    var packages: [Version.Package] = []
    for (number, importance) in Version.Package.Importance.allCases.enumerated() {
      let package = Version.Package()
      package.name = "package-\(number)"
      package.state = .available
      package.version = "\(number)~1"
      package.architecture = "all"
      package.importance = importance
      package.source = number < 3 ? "shared" : number == 3 ? "" : "önly-\(number)"
      package.summary = number == 5 ? Sample.longText : "The package \(number)"
      package.homepage = number == 0 ? nil : "https://example.org/\(number)"
      package.installedSize = [0, 1, 28_591, -5, .max, 1 << 40][number]
      package.archiveSize = number * 1000
      package.section = number == 0 ? fonts : libs
      package.maintainer = number == 1 ? nil : team
      package.tags = List(number < 2 ? [tag] : [])
      package.needs = List(packages)
      package.provides = List(packages.suffix(1))
      package.relations = List(try packages.map { try dependency(on: $0) })
      try tx.add(package, update: .error)
      packages.append(package)
    }
    try tx.create(Version.Package.self, value: ["name": "mentioned", "recommends": [packages[0]]])
  }

  private static func dependency(on package: Version.Package) throws -> Version.Dependency {
    let dependency = Version.Dependency()
    dependency.kind = .preDepends
    dependency.clause = 7
    dependency.name = package.name
    dependency.architecture = package.name.hasSuffix("0") ? "any" : nil
    dependency.relation = "="
    dependency.version = package.version
    return dependency
  }
}
