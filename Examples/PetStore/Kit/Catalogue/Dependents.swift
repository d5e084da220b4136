import Fief

/// The packages that others would miss: those that need a package, and those that need these.
struct Dependents: Sendable, Equatable {
  /// One package that needs another.
  struct Member: Sendable, Equatable {
    var name: String
    /// The distance in links from the package that was asked for.
    var depth: Int
    /// The virtual package that it names, where it does not name the package itself.
    var through: String?
  }

  /// The members in the order in which they were found: nearest first.
  var members: [Member] = []
  /// Links that were followed back.
  var links = 0

  /// The largest depth.
  var depth: Int { members.last?.depth ?? 0 }
}

extension CatalogueRepository {
  /// One clause of a package's fields, and what the index has for it.
  struct Requirement: Sendable, Equatable {
    var kind: Dependency.Kind
    /// The text of the clause in the field: `exim4 | mail-transport-agent`.
    var text: String
    /// The package that would be taken; nil where the index has none.
    var taken: String?
  }

  /// The requirements and recommendations in the fields of a package, clause by clause.
  ///
  /// - Returns: nil when the index has no such package.
  func requirements(of name: String) throws -> [Requirement]? {
    try read { snapshot in
      let package = try snapshot.objects(Package.self)
        .where { $0.name == name && $0.state == .available }
        .prefetching(\.dependencies.providers, \.recommends.providers)
        .fetchFirst()
      return package?.clauses(recommended: true).map {
        Requirement(kind: $0.kind, text: $0.text, taken: $0.target()?.name)
      }
    }
  }

  /// Walks back along the dependencies to a package, breadth first, in one committed state.
  ///
  /// A package needs another if one of its clauses names it, alone or among alternatives, or names a virtual
  /// package that the other one provides.
  ///
  /// - Parameters:
  ///   - name: a package, or a name that is only mentioned.
  ///   - recursive: whether those that need the ones that were found are searched as well.
  /// - Returns: nil when nothing has the name.
  func dependents(of name: String, recursive: Bool = false) throws -> Dependents? {
    try read { snapshot in
      guard try snapshot.exists(Package.self, forPrimaryKey: name) else { return nil }
      var walk = DependentsWalk(name)
      repeat {
        for names in walk.takeLevel() {
          let packages = snapshot.objects(Package.self).where { $0.name.in(names) }
          try walk.follow(try packages.prefetching(\.provides).all())
        }
      } while recursive && !walk.level.isEmpty
      return walk.found
    }
  }
}

/// The state of one walk back: of packages that were passed only the names.
private struct DependentsWalk {
  /// The number of packages that are looked up together, and kept at a time.
  private static let batchSize = 256

  private(set) var found = Dependents()
  /// The packages that are one link further away than those that were followed last.
  private(set) var level: [String]
  private var known: Set<String>
  private var depth = 0

  init(_ name: String) {
    level = [name]
    known = [name]
  }

  /// The names of the level in batches; the next one begins.
  mutating func takeLevel() -> [[String]] {
    defer {
      level = []
      depth += 1
    }
    return stride(from: 0, to: level.count, by: Self.batchSize).map { start in
      Array(level[start..<min(start + Self.batchSize, level.count)])
    }
  }

  mutating func follow(_ packages: [Package]) throws {
    for package in packages {
      try enter(package, through: nil)
      for virtual in package.provides { try enter(virtual, through: virtual.name) }
    }
  }

  /// Only the names of the packages that need one are read: no object is made of them, and the count, which
  /// the package has, says where there are none.
  private mutating func enter(_ package: Package, through virtual: String?) throws {
    guard package.dependentsCount > 0 else { return }
    for name in try package.dependents.results.select(\.name).all() {
      found.links += 1
      guard known.insert(name).inserted else { continue }
      level.append(name)
      found.members.append(Dependents.Member(name: name, depth: depth, through: virtual))
    }
  }
}
