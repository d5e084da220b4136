import Fief

/// What an import has done so far.
struct ImportCounts: Sendable, Equatable {
  /// Packages described by the index that were not there before.
  var added = 0
  /// Packages that were there in another version.
  var updated = 0
  /// Packages that were there just as the index has them.
  var unchanged = 0
  /// Links between packages and to maintainers, sections and tags.
  var links = 0

  /// All packages that came by.
  var packages: Int { added + updated + unchanged }

  static func + (left: ImportCounts, right: ImportCounts) -> ImportCounts {
    ImportCounts(
      added: left.added + right.added,
      updated: left.updated + right.updated,
      unchanged: left.unchanged + right.unchanged,
      links: left.links + right.links
    )
  }
}

extension CatalogueRepository {
  /// Stores a batch of packages in one write.
  ///
  /// A dependency may name a package that the index describes only later, or never. Such a name becomes
  /// a package in the state ``Package/State/mentioned`` at once, so that the link has an end, and is
  /// filled in when its stanza comes: one pass over the index is enough.
  ///
  /// A package that is there in the same version or a later one stays as it is, so an import can be
  /// repeated, and of several versions in one index the latest wins.
  func store(_ records: [PackageRecord]) async throws -> ImportCounts {
    try await write { tx in
      var pass = ImportPass(tx)
      try pass.store(records)
      return pass.counts
    }
  }
}

/// One batch of an import: objects that were found in it once are not looked up again.
private struct ImportPass {
  private let tx: WriteTransaction
  private var packages: [String: Package] = [:]
  private var maintainers: [String: Maintainer] = [:]
  private var sections: [String: Section] = [:]
  private var tags: [String: Tag] = [:]
  private(set) var counts = ImportCounts()

  init(_ tx: WriteTransaction) {
    self.tx = tx
  }

  /// First every object that the records speak of is looked up or added, then the packages are filled in.
  /// A look-up writes what was assigned before it, so the other way round each package would be written
  /// several times.
  mutating func store(_ records: [PackageRecord]) throws {
    var entries: [Entry] = []
    for record in latest(of: records) {
      let package = try package(named: record.name)
      if package.state == .mentioned {
        counts.added += 1
      } else if DebianVersion.compare(record.version, package.version) > 0 {
        counts.updated += 1
      } else {
        counts.unchanged += 1
        continue
      }
      entries.append(try resolve(record, for: package))
    }
    for entry in entries { fill(entry) }
  }

  /// A package with everything that it links to.
  private struct Entry {
    let package: Package
    let record: PackageRecord
    let maintainer: Maintainer
    let section: Section
    let tags: [Tag]
    let needs: [Package]
    let recommends: [Package]
    let provides: [Package]
  }

  private mutating func latest(of records: [PackageRecord]) -> [PackageRecord] {
    var places: [String: Int] = [:]
    var latest: [PackageRecord] = []
    for record in records {
      guard let place = places[record.name] else {
        places[record.name] = latest.count
        latest.append(record)
        continue
      }
      counts.unchanged += 1
      if DebianVersion.compare(record.version, latest[place].version) > 0 { latest[place] = record }
    }
    return latest
  }

  private mutating func resolve(_ record: PackageRecord, for package: Package) throws -> Entry {
    Entry(
      package: package,
      record: record,
      maintainer: try maintainer(record.maintainer),
      section: try section(named: record.section),
      tags: try unique(record.tags).map { try tag(named: $0) },
      needs: try targets(of: [record.preDepends, record.depends]),
      recommends: try targets(of: [record.recommends]),
      provides: try targets(of: [record.provides])
    )
  }

  private mutating func fill(_ entry: Entry) {
    let (package, record) = (entry.package, entry.record)
    package.state = .available
    package.version = record.version
    package.architecture = record.architecture
    package.priority = record.priority
    package.source = record.source
    package.summary = record.summary
    package.homepage = record.homepage
    package.installedSize = record.installedSize
    package.downloadSize = record.downloadSize
    package.isEssential = record.isEssential
    package.maintainer = entry.maintainer
    package.section = entry.section
    package.tags = List(entry.tags)
    package.relations = List(Self.relations(of: record))
    package.needs = List(entry.needs)
    package.recommends = List(entry.recommends)
    package.provides = List(entry.provides)
    counts.links +=
      2 + entry.tags.count + entry.needs.count + entry.recommends.count + entry.provides.count
  }

  private static func relations(of record: PackageRecord) -> [Dependency] {
    let fields: [(Dependency.Kind, DependencyField)] = [
      (.preDepends, record.preDepends), (.depends, record.depends), (.recommends, record.recommends),
      (.provides, record.provides),
    ]
    return fields.flatMap { kind, field in
      field.clauses.enumerated().flatMap { number, alternatives in
        alternatives.map { atom in
          let dependency = Dependency()
          dependency.kind = kind
          dependency.clause = number
          dependency.name = atom.name
          dependency.qualifier = atom.qualifier
          dependency.relation = atom.relation?.rawValue
          dependency.version = atom.version
          return dependency
        }
      }
    }
  }

  private mutating func targets(of fields: [DependencyField]) throws -> [Package] {
    try unique(fields.flatMap(\.clauses).joined().map(\.name)).map { try package(named: $0) }
  }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private mutating func package(named name: String) throws -> Package {
    if let known = packages[name] { return known }
    if let stored = try tx.object(ofType: Package.self, forPrimaryKey: name) {
      packages[name] = stored
      return stored
    }
    let package = Package()
    package.name = name
    try tx.add(package, update: .error)
    packages[name] = package
    return package
  }

  private mutating func maintainer(_ address: MaintainerAddress) throws -> Maintainer {
    if let known = maintainers[address.email] { return known }
    if let stored = try tx.object(ofType: Maintainer.self, forPrimaryKey: address.email) {
      maintainers[address.email] = stored
      return stored
    }
    let maintainer = Maintainer()
    maintainer.email = address.email
    maintainer.name = address.name
    try tx.add(maintainer, update: .error)
    maintainers[address.email] = maintainer
    return maintainer
  }

  private mutating func section(named name: String) throws -> Section {
    if let known = sections[name] { return known }
    if let stored = try tx.object(ofType: Section.self, forPrimaryKey: name) {
      sections[name] = stored
      return stored
    }
    let section = Section()
    section.name = name
    try tx.add(section, update: .error)
    sections[name] = section
    return section
  }

  private mutating func tag(named name: String) throws -> Tag {
    if let known = tags[name] { return known }
    if let stored = try tx.object(ofType: Tag.self, forPrimaryKey: name) {
      tags[name] = stored
      return stored
    }
    let tag = Tag()
    tag.name = name
    try tx.add(tag, update: .error)
    tags[name] = tag
    return tag
  }
}
