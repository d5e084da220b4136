import Fief

extension CatalogueRepository {
  /// A name with a number beside it.
  struct Ranked: Sendable, Equatable {
    var name: String
    var detail: String
    var count: Int
  }

  /// The packages that most others need, counted by the inverse of ``Package/needs``.
  func mostNeeded(_ limit: Int) throws -> [Ranked] {
    try read { snapshot in
      var ranking = Ranking(limit: limit)
      for package in snapshot.objects(Package.self) {
        ranking.offer(package.neededBy.count, package.name) { package.summary }
      }
      return ranking.rows
    }
  }

  /// The maintainers who care for most packages.
  func busiestMaintainers(_ limit: Int) throws -> [Ranked] {
    try read { snapshot in
      var ranking = Ranking(limit: limit)
      for maintainer in snapshot.objects(Maintainer.self) {
        ranking.offer(maintainer.packages.count, maintainer.name) { maintainer.email }
      }
      return ranking.rows
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

  /// How many names are described by the index, and how many are only mentioned.
  func packageStates() throws -> (available: Int, mentioned: Int) {
    try read { snapshot in
      var available = 0
      var all = 0
      for package in snapshot.objects(Package.self) {
        all += 1
        if package.state == .available { available += 1 }
      }
      return (available, all - available)
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
      var ranking = Ranking(limit: 1)
      for package in snapshot.objects(Package.self) {
        ranking.offer(package.needs.count, package.name) { "" }
      }
      return names + ranking.rows.map(\.name).filter { !names.contains($0) }
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
