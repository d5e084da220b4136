import Fief

/// Everything that has to be installed for one package, itself included.
struct Closure: Sendable, Equatable {
  /// One package of the closure.
  struct Member: Sendable, Equatable {
    var name: String
    var version: String
    /// How many links away from the package that was asked for.
    var depth: Int
    /// In bytes.
    var installedSize: Int
  }

  /// In the order in which they were found: nearest first.
  var members: [Member] = []
  /// Dependencies that no package of the index satisfies.
  var unmet: [String] = []
  /// Links that were followed.
  var links = 0

  /// What all of it takes on disk, in bytes.
  var installedSize: Int { members.reduce(0) { $0 + $1.installedSize } }
  /// The largest depth.
  var depth: Int { members.last?.depth ?? 0 }
}

extension CatalogueRepository {
  /// Walks the dependencies of a package, breadth first.
  ///
  /// Of alternatives the first that the index can satisfy is taken, as apt does on an empty system; for
  /// a virtual package, a provider that is in the closure already, and else the first by name.
  ///
  /// - Parameter recommended: whether recommended packages are followed as well.
  /// - Returns: nil when the index has no such package.
  func closure(of name: String, recommended: Bool = false) throws -> Closure? {
    try read { snapshot in
      guard let start = try snapshot.object(ofType: Package.self, forPrimaryKey: name),
        start.state == .available
      else { return nil }
      var walk = ClosureWalk(isFollowingRecommended: recommended)
      walk.enter(start, depth: 0)
      try walk.run { name in try snapshot.object(ofType: Package.self, forPrimaryKey: name) }
      return walk.closure
    }
  }
}

/// The state of one walk over the dependencies.
private struct ClosureWalk {
  let isFollowingRecommended: Bool
  private(set) var closure = Closure()
  private var queue: [(package: Package, depth: Int)] = []
  private var next = 0
  private var members: Set<String> = []

  init(isFollowingRecommended: Bool) {
    self.isFollowingRecommended = isFollowingRecommended
  }

  mutating func enter(_ package: Package, depth: Int) {
    guard members.insert(package.name).inserted else { return }
    queue.append((package, depth))
    closure.members.append(
      Closure.Member(
        name: package.name,
        version: package.version,
        depth: depth,
        installedSize: package.installedBytes
      )
    )
  }

  mutating func run(find: (String) throws -> Package?) throws {
    while next < queue.count {
      let (package, depth) = queue[next]
      next += 1
      for clause in clauses(of: package) {
        closure.links += 1
        if let target = try choose(among: clause, find: find) {
          enter(target, depth: depth + 1)
        } else {
          closure.unmet.append(clause.map(\.name).joined(separator: " | "))
        }
      }
    }
  }

  /// The alternatives of one clause belong together: same field, same number.
  private func clauses(of package: Package) -> [[Dependency]] {
    var clauses: [[Dependency]] = []
    for relation in package.relations {
      if relation.kind == .provides || relation.kind == .recommends && !isFollowingRecommended { continue }
      if let last = clauses.last?.first, last.kind == relation.kind, last.clause == relation.clause {
        clauses[clauses.count - 1].append(relation)
      } else {
        clauses.append([relation])
      }
    }
    return clauses
  }

  private func choose(
    among alternatives: [Dependency],
    find: (String) throws -> Package?
  ) throws -> Package? {
    for wanted in alternatives {
      guard let package = try find(wanted.name) else { continue }
      if package.state == .available, Self.allows(package.version, for: wanted) { return package }
      if let provider = provider(of: package, for: wanted) { return provider }
    }
    return nil
  }

  private func provider(of package: Package, for wanted: Dependency) -> Package? {
    let providers = package.providers.filter { candidate in
      candidate.relations.contains { offered in
        guard offered.kind == .provides, offered.name == wanted.name else { return false }
        // A version is satisfied only by a provision that names one (Debian policy 7.5).
        guard wanted.relation != nil else { return true }
        return offered.version.map { Self.allows($0, for: wanted) } ?? false
      }
    }
    return providers.first { members.contains($0.name) } ?? providers.min { $0.name < $1.name }
  }

  private static func allows(_ version: String, for wanted: Dependency) -> Bool {
    guard let relation = wanted.relation.flatMap(VersionRelation.init(rawValue:)),
      let other = wanted.version
    else { return true }
    return relation.allows(version, comparedTo: other)
  }
}
