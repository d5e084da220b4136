import Fief

extension FiefRows {
  func readFigure(of row: String, _ times: Int) throws -> Figure? {
    let keys = workload.randomKeys.count
    switch row {
    case "C":
      let repository = try store(.plain)
      return try reading(times, operations: keys) {
        try check(row, try repository.pointReads(workload.randomKeys), workload.randomSum)
      }
    case "C_tx":
      let store = try store(.plain).store()
      return try reading(times, operations: keys) {
        var sum: UInt64 = 0
        for key in workload.randomKeys {
          guard let person = store.object(ofType: StoredPerson.self, forPrimaryKey: key) else { continue }
          sum &+= Digest.cheap(person)
        }
        try check(row, sum, workload.randomSum)
      }
    case "C_repo":
      // The repository looks its open store up each time.
      let repository = try store(.plain)
      return try reading(times, operations: keys) {
        var sum: UInt64 = 0
        for key in workload.randomKeys {
          guard let person = repository.object(ofType: StoredPerson.self, forPrimaryKey: key) else {
            continue
          }
          sum &+= Digest.cheap(person)
        }
        try check(row, sum, workload.randomSum)
      }
    case "D":
      let repository = try store(.plain)
      return try reading(times, operations: workload.count) {
        try check(row, try repository.tally(StoredPerson.self), workload.all)
      }
    case "D_iter":
      let repository = try store(.plain)
      return try reading(times, operations: workload.count) {
        guard let persons = repository.queryAll(returningClass: StoredPerson.self) else { return }
        var tally = Tally()
        for person in persons { tally.add(Digest.cheap(person)) }
        try check(row, tally, workload.all)
      }
    case "C_usage":
      return try counting { repository in
        try reading(times, operations: keys) {
          try check(row, try repository.pointReads(workload.randomKeys), workload.randomSum)
        }
      }
    case "D_usage":
      return try counting { repository in
        try reading(times, operations: workload.count) {
          try check(row, try repository.tally(StoredPerson.self), workload.all)
        }
      }
    case "J":
      let store = try store(.plain).store()
      return try reading(times, operations: 1) {
        try check(row, try store.read { try $0.count(StoredPerson.self) }, workload.count)
      }
    default: return nil
    }
  }

  /// Measures under a label, on a copy of the loaded store that keeps its usage and has budgets that are not reached.
  private func counting(_ measure: (BenchmarkRepository) throws -> Figure) throws -> Figure {
    _ = try store(.plain)
    try Files.copy(path(.plain), to: work)
    defer { Files.remove(work) }
    var repository = BenchmarkRepository(StoreKind.plain.types, in: work)
    let subjects: [Budget.Subject] = [.store, .type("StoredPerson"), .label("benchmark")]
    repository.storeOptions.budgets = subjects.map { Budget(.reads, limit: .max, per: .day, of: $0) { _ in } }
    try repository.open()
    defer { repository.close() }
    return try StoreUsage.withLabel("benchmark") { try measure(repository) }
  }
}
