import Fief

extension CatalogueRepository {
  /// A name with a number beside it.
  struct Ranked: Sendable, Equatable {
    var name: String
    var detail: String
    var count: Int
  }

  /// The packages that most others need: the store has counted them, and the index has them in order.
  func mostNeeded(_ limit: Int) throws -> [Ranked] {
    try read { snapshot in
      try snapshot.objects(Package.self)
        .where { $0.dependentsCount > 0 }
        .sorted(byKeyPath: \.dependentsCount, ascending: false)
        .limit(limit)
        .select(\.name, \.summary, \.dependentsCount)
        .all()
        .map { name, summary, count in Ranked(name: name, detail: summary, count: count) }
    }
  }

  /// The maintainers who care for most packages.
  func busiestMaintainers(_ limit: Int) throws -> [Ranked] {
    try read { snapshot in
      try snapshot.objects(Maintainer.self)
        .where { $0.packageCount > 0 }
        .sorted(byKeyPath: \.packageCount, ascending: false)
        .limit(limit)
        .select(\.name, \.email, \.packageCount)
        .all()
        .map { name, email, count in Ranked(name: name, detail: email, count: count) }
    }
  }

  /// The sections with most packages.
  func largestSections(_ limit: Int) throws -> [Ranked] {
    try read { snapshot in
      var ranking = Ranking(limit: limit)
      for section in snapshot.objects(Section.self) {
        ranking.offer(section.packages.count, section.name) { "" }
      }
      return ranking.rows
    }
  }

  /// The number of names that the index describes, of those that it only mentions, and of those among the
  /// latter that other packages provide.
  func packageStates() throws -> (available: Int, mentioned: Int, virtual: Int) {
    try read { snapshot in
      let packages = snapshot.objects(Package.self)
      let available = try packages.where { $0.state == .available }.fetchCount()
      let virtual = try packages.where { $0.state == .mentioned && $0.providers.count > 0 }.fetchCount()
      return (available, try packages.fetchCount() - available, virtual)
    }
  }

  /// The packages that take most space, of those whose names begin with a text.
  func largest(_ limit: Int, namesBeginWith prefix: String) throws -> [Ranked] {
    try read { snapshot in
      try snapshot.objects(Package.self)
        .where { $0.name.starts(with: prefix) && $0.state == .available }
        .sorted(byKeyPath: \.installedBytes, ascending: false)
        .limit(limit)
        .select(\.name, \.summary, \.installedBytes)
        .all()
        .map { name, summary, bytes in Ranked(name: name, detail: summary, count: bytes) }
    }
  }

  /// A few packages with much below them: known names where the index has them, and the package that
  /// needs most others directly.
  func interestingPackages() throws -> [String] {
    try read { snapshot in
      var names: [String] = []
      for name in ["bash", "git", "gnome", "libreoffice"] {
        let package = try snapshot.object(ofType: Package.self, forPrimaryKey: name)
        if package?.state == .available { names.append(name) }
      }
      let neediest = try snapshot.objects(Package.self)
        .where { $0.dependencyCount > 0 }
        .sorted(byKeyPath: \.dependencyCount, ascending: false)
        .select(\.name).fetchFirst()
      if let neediest, !names.contains(neediest) { names.append(neediest) }
      return names
    }
  }
}

/// The few largest of many, without keeping the many.
private struct Ranking {
  let limit: Int
  private(set) var rows: [CatalogueRepository.Ranked] = []

  init(limit: Int) {
    self.limit = limit
  }

  mutating func offer(_ count: Int, _ name: String, detail: () -> String) {
    guard limit > 0, count > 0 else { return }
    let index = rows.firstIndex { ($0.count, name) < (count, $0.name) } ?? rows.count
    guard index < limit else { return }
    rows.insert(.init(name: name, detail: detail(), count: count), at: index)
    if rows.count > limit { rows.removeLast() }
  }
}
