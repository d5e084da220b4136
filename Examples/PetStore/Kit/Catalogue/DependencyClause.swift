/// One clause of a field of a package: alternatives, of which one has to be there.
struct DependencyClause {
  let kind: Dependency.Kind
  private(set) var alternatives: [Dependency]
  /// The linked packages, by name.
  private let linked: [String: Package]

  fileprivate init(_ first: Dependency, _ linked: [String: Package]) {
    kind = first.kind
    alternatives = [first]
    self.linked = linked
  }

  /// The alternatives of one clause belong together: same field, same number.
  fileprivate mutating func take(_ next: Dependency) -> Bool {
    guard next.kind == kind, next.clause == alternatives[0].clause else { return false }
    alternatives.append(next)
    return true
  }

  /// The text of the clause in the field: `exim4 (>= 4.96) | mail-transport-agent`.
  var text: String { alternatives.map(\.text).joined(separator: " | ") }

  /// The package that is taken: for the first alternative that the index has, the package itself or one that
  /// provides it; nil where it has none.
  ///
  /// - Parameter members: the packages that are members already, which are preferred among those that provide
  ///   a virtual package.
  func target(preferring members: Set<String> = []) -> Package? {
    for wanted in alternatives {
      // A package that was removed is in the text and not in the links any more.
      guard let package = linked[wanted.name] else { continue }
      if package.state == .available, wanted.allows(package.version) { return package }
      if let provider = wanted.provider(of: package, preferring: members) { return provider }
    }
    return nil
  }
}

extension Package {
  /// The clauses of its fields in their order, without the packages that it provides.
  ///
  /// - Parameter recommended: whether those of what it recommends are among them; else these links are not touched.
  func clauses(recommended: Bool) -> [DependencyClause] {
    var linked: [String: Package] = [:]
    for package in dependencies { linked[package.name] = package }
    if recommended {
      for package in recommends { linked[package.name] = package }
    }
    var clauses: [DependencyClause] = []
    for relation in relations {
      if relation.kind == .provides || relation.kind == .recommends && !recommended { continue }
      if clauses.isEmpty || !clauses[clauses.count - 1].take(relation) {
        clauses.append(DependencyClause(relation, linked))
      }
    }
    return clauses
  }
}

extension Dependency {
  /// The text of the dependency in the field: `libc6 (>= 2.36)`.
  var text: String {
    let name = architecture.map { "\(self.name):\($0)" } ?? self.name
    guard let relation, let version else { return name }
    return "\(name) (\(relation) \(version))"
  }

  fileprivate func allows(_ other: String) -> Bool {
    guard let relation = relation.flatMap(VersionRelation.init(rawValue:)), let version else { return true }
    return relation.allows(other, comparedTo: version)
  }

  fileprivate func provider(of package: Package, preferring members: Set<String>) -> Package? {
    let providers = package.providers.filter { candidate in
      candidate.relations.contains { offered in
        guard offered.kind == .provides, offered.name == name else { return false }
        // A version is satisfied only by a provision that names one (Debian policy 7.5).
        guard relation != nil else { return true }
        return offered.version.map { allows($0) } ?? false
      }
    }
    return providers.first { members.contains($0.name) } ?? providers.min { $0.name < $1.name }
  }
}
