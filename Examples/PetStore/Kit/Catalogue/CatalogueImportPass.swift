import Fief

/// One batch of an import: objects that were found in it once are not looked up again.
struct CatalogueImportPass {
  private let tx: WriteTransaction
  private var packages: [String: Package] = [:]
  private var maintainers: [String: Maintainer] = [:]
  private var sources: [String: Source] = [:]
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
    let source: Source
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
      source: try source(named: record.source),
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
    package.importance = Package.Importance(priority: record.priority, isEssential: record.isEssential)
    package.source = entry.source
    package.summary = record.summary
    package.homepage = record.homepage
    package.installedBytes = Package.bytes(ofKibibytes: record.installedSize)
    package.archiveSize = record.downloadSize
    package.maintainer = entry.maintainer
    package.section = entry.section
    package.tags = List(entry.tags)
    package.relations = List(Self.relations(of: record))
    package.needs = List(entry.needs)
    package.recommends = List(entry.recommends)
    package.provides = List(entry.provides)
    counts.links +=
      3 + entry.tags.count + entry.needs.count + entry.recommends.count + entry.provides.count
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

  private mutating func targets(of fields: [DependencyField]) throws -> [Package] {
    try unique(fields.flatMap(\.clauses).joined().map(\.name)).map { try package(named: $0) }
  }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private mutating func package(named name: String) throws -> Package {
    try Self.object(name, among: &packages, in: tx) { $0.name = name }
  }

  private mutating func maintainer(_ address: MaintainerAddress) throws -> Maintainer {
    try Self.object(address.email, among: &maintainers, in: tx) { maintainer in
      maintainer.email = address.email
      maintainer.name = address.name
    }
  }

  private mutating func source(named name: String) throws -> Source {
    try Self.object(name, among: &sources, in: tx) { $0.name = name }
  }

  private mutating func section(named name: String) throws -> Section {
    try Self.object(name, among: &sections, in: tx) { section in
      section.name = name
      (section.area, section.topic) = Section.parts(of: name)
    }
  }

  private mutating func tag(named name: String) throws -> Tag {
    try Self.object(name, among: &tags, in: tx) { tag in
      tag.name = name
      (tag.facet, tag.value) = Tag.parts(of: name)
    }
  }

  /// The object with a key: one that was found before, the store's, or a new one.
  private static func object<Element: Object>(
    _ key: String,
    among known: inout [String: Element],
    in tx: WriteTransaction,
    fill: (Element) -> Void
  ) throws -> Element {
    if let object = known[key] { return object }
    if let object = try tx.object(ofType: Element.self, forPrimaryKey: key) {
      known[key] = object
      return object
    }
    let object = Element()
    fill(object)
    try tx.add(object, update: .error)
    known[key] = object
    return object
  }
}
