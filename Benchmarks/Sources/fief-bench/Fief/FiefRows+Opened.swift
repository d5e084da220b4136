import Fief

/// The rows of reads right after opening: no page was checked, and none opened, before.
extension FiefRows {
  func openedFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "C_cold":
      let keys = Array(workload.randomKeys.prefix(workload.commits(1000)))
      let sum = keys.reduce(0) { $0 &+ Digest.cheap(workload.persons[$1 - 1]) }
      return try readingOpened(times, operations: keys.count) { try check(row, try $0.pointReads(keys), sum) }
    case "D_cold":
      return try readingOpened(times, operations: workload.count) {
        try check(row, try $0.tally(StoredPerson.self), workload.all)
      }
    case "E_cold":
      return try readingOpened(times, operations: workload.filtered.count) { repository in
        var tally = Tally()
        try inThirties(repository).forEachObject { tally.add(Digest.cheap($0)) }
        try check(row, tally, workload.filtered)
      }
    default: return nil
    }
  }

  /// Measures reads of a copy of the loaded store, each of which is the first one after opening it.
  private func readingOpened(
    _ times: Int,
    operations: Int,
    _ run: (BenchmarkRepository) throws -> Void
  ) throws -> Figure {
    _ = try store(.plain)
    try Files.copy(path(.plain), to: work)
    defer { Files.remove(work) }
    return try repeated(times, operations: operations) {
      let repository = repository(.plain, in: work)
      try repository.open()
      defer { repository.close() }
      return try Clock.time { try run(repository) }
    }
  }
}
