import Fief

/// One batch of an import.
struct CatalogueImportPass {
  private var known: ImportedObjects
  private(set) var counts = ImportCounts()

  init(_ tx: WriteTransaction) {
    known = ImportedObjects(tx)
  }

  /// First every object that the records speak of is looked up or added, then the packages are filled in. A
  /// lookup writes the values that were assigned before it, so that in the opposite order each package would
  /// be written several times.
  mutating func store(_ records: [PackageRecord]) throws {
    let records = latest(of: records)
    try known.addPackages(records.map(\.name))
    let entries = records.compactMap { entry(of: $0) }
    try known.addPackages(entries.lazy.flatMap { [$0.needed, $0.recommended, $0.provided].joined() })
    try known.addMaintainers(entries.lazy.map(\.record.maintainer))
    try known.addSources(entries.lazy.map(\.record.source))
    try known.addSections(entries.lazy.map(\.record.section))
    try known.addTags(entries.lazy.flatMap(\.record.tags))
    for entry in entries { fill(entry) }
  }

  /// A package that has to be filled in, and the names in its fields, each once.
  private struct Entry {
    let package: Package
    let record: PackageRecord
    let needed: [String]
    let recommended: [String]
    let provided: [String]

    init(_ package: Package, _ record: PackageRecord) {
      self.package = package
      self.record = record
      needed = Self.names(in: [record.preDepends, record.depends])
      recommended = Self.names(in: [record.recommends])
      provided = Self.names(in: [record.provides])
    }

    /// Whether something that the package needs was removed since it was stored. The collections are counted, not
    /// read.
    var isLackingLinks: Bool {
      package.dependencies.count < needed.count || package.recommends.count < recommended.count
        || package.provides.count < provided.count
    }

    private static func names(in fields: [DependencyField]) -> [String] {
      CatalogueImportPass.unique(fields.flatMap(\.clauses).joined().map(\.name))
    }
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

  /// The entry of a record; nil for a package that stays as it is.
  private mutating func entry(of record: PackageRecord) -> Entry? {
    guard let package = known.packages[record.name] else { return nil }
    let entry = Entry(package, record)
    let difference = DebianVersion.compare(record.version, package.version)
    if package.state == .mentioned {
      counts.added += 1
    } else if difference > 0 || difference == 0 && entry.isLackingLinks {
      // A removed package comes back with this import, and the links to it with it.
      counts.updated += 1
    } else {
      counts.unchanged += 1
      return nil
    }
    return entry
  }

  private mutating func fill(_ entry: Entry) {
    let (package, record) = (entry.package, entry.record)
    let tags = Self.unique(record.tags)
    package.state = .available
    package.version = record.version
    package.architecture = record.architecture
    package.importance = Package.Importance(priority: record.priority, isEssential: record.isEssential)
    package.source = known.sources[record.source]
    package.summary = record.summary
    package.homepage = record.homepage
    package.installedBytes = Package.bytes(ofKibibytes: record.installedSize)
    package.archiveSize = record.downloadSize
    package.maintainer = known.maintainers[record.maintainer.email]
    package.section = known.sections[record.section]
    package.tags = List(tags.compactMap { known.tags[$0] })
    package.relations = List(Self.relations(of: record))
    package.dependencies = List(entry.needed.compactMap { known.packages[$0] })
    package.recommends = List(entry.recommended.compactMap { known.packages[$0] })
    package.provides = List(entry.provided.compactMap { known.packages[$0] })
    counts.links +=
      3 + tags.count + entry.needed.count + entry.recommended.count + entry.provided.count
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
          dependency.architecture = atom.qualifier
          dependency.relation = atom.relation?.rawValue
          dependency.version = atom.version
          return dependency
        }
      }
    }
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
