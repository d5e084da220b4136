import FiefTorture

/// What the stores have when nothing is limited any more.
extension LimitedStores {
  /// All that was acknowledged is there, and nothing else; the stores are consistent and take writes.
  func verify(_ moment: String, reopening: Bool = false) {
    for name in state.withLock({ $0.acknowledged.keys.sorted() }) {
      let repository = repository(name)
      if reopening { repository.close() }
      do {
        for problem in try repository.check().problems { wrong("\(moment): \(name): \(problem)") }
        let settles = state.withLock { $0.unfinished.remove(name) != nil }
        // What a write to several stores has left is done by the next write.
        if settles { try probe(repository) }
        compare(Set(try Self.ids(in: repository)), name, moment)
        try probe(repository)
      } catch { wrong("\(moment): \(name): \(error)") }
    }
  }

  private func probe(_ repository: TortureRepository) throws {
    let id = nextID()
    try repository.saveAndWait(entity: Self.item(id))
    acknowledge([id], in: repository.name)
  }

  /// The ids of all items, one object at a time: a process with little memory has no room for all of them.
  static func ids(in repository: TortureRepository, sortedBy keyPath: String? = nil) throws -> [Int] {
    var ids: [Int] = []
    try repository.read { snapshot in
      let items = snapshot.objects(TortureItem.self)
      try (keyPath.map { items.sorted(byKeyPath: $0) } ?? items).forEachObject { ids.append($0.id) }
    }
    return ids
  }

  private func compare(_ found: Set<Int>, _ name: String, _ moment: String) {
    state.withLock { state in
      let acknowledged = state.acknowledged[name] ?? []
      let uncertain = state.uncertain[name] ?? []
      let lost = acknowledged.subtracting(found)
      let others = found.subtracting(acknowledged).subtracting(uncertain)
      if !lost.isEmpty { wrong("\(moment): \(name): \(lost.count) acknowledged items are lost") }
      if !others.isEmpty {
        wrong("\(moment): \(name): \(others.count) items of writes that failed are there")
      }
      // What was there once has to stay.
      state.acknowledged[name] = acknowledged.union(uncertain.intersection(found))
      state.uncertain[name] = uncertain.subtracting(found)
    }
  }
}
