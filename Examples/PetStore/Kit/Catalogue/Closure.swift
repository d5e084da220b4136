import Fief

/// Everything that has to be installed for one package, itself included.
struct Closure: Sendable, Equatable {
  /// One package of the closure.
  struct Member: Sendable, Equatable {
    var name: String
    var version: String
    /// The distance in links from the package that was asked for.
    var depth: Int
    /// The size on disk, in bytes.
    var installedSize: Int
  }

  /// The members in the order in which they were found: nearest first.
  var members: [Member] = []
  /// Dependencies that no package of the index satisfies, as the fields have them.
  var unmet: [String] = []
  /// Clauses that were followed.
  var links = 0

  /// The size of all of it on disk, in bytes.
  var installedSize: Int { members.reduce(0) { $0.addingUpTo($1.installedSize) } }
  /// The largest depth.
  var depth: Int { members.last?.depth ?? 0 }
}

extension CatalogueRepository {
  /// Walks the dependencies of a package, breadth first, in one committed state.
  ///
  /// The first alternative that the index can satisfy is taken, as apt does on an empty system; for a virtual
  /// package, a provider that is in the closure already, and else the first by name.
  ///
  /// The dependencies of the packages of one level are looked up together, so that a closure costs a few
  /// lookups in the store for each level, and not one for each link.
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
      while !walk.level.isEmpty {
        for names in walk.takeLevel() {
          let packages = snapshot.objects(Package.self).where { $0.name.in(names) }
          let found =
            recommended
            ? packages.prefetching(\.dependencies.providers, \.recommends.providers)
            : packages.prefetching(\.dependencies.providers)
          walk.follow(try found.all(), in: names)
        }
      }
      return walk.closure
    }
  }
}

/// The state of one walk over the dependencies: of packages that were passed only the names.
private struct ClosureWalk {
  /// The number of packages that are looked up together, and kept at a time.
  private static let batchSize = 256

  let isFollowingRecommended: Bool
  private(set) var closure = Closure()
  /// The packages that are one link further away than those that were followed last.
  private(set) var level: [String] = []
  private var depth = 0
  private var members: Set<String> = []

  init(isFollowingRecommended: Bool) {
    self.isFollowingRecommended = isFollowingRecommended
  }

  mutating func enter(_ package: Package, depth: Int) {
    guard members.insert(package.name).inserted else { return }
    level.append(package.name)
    closure.members.append(
      Closure.Member(
        name: package.name,
        version: package.version,
        depth: depth,
        installedSize: package.installedBytes
      )
    )
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

  /// Follows what packages need, in the order in which they were entered.
  mutating func follow(_ packages: [Package], in names: [String]) {
    let known = Dictionary(packages.map { ($0.name, $0) }) { first, _ in first }
    for package in names.compactMap({ known[$0] }) {
      for clause in package.clauses(recommended: isFollowingRecommended) {
        closure.links += 1
        if let target = clause.target(preferring: members) {
          enter(target, depth: depth)
        } else {
          closure.unmet.append(clause.text)
        }
      }
    }
  }
}
