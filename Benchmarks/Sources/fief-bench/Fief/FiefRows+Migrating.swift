import Fief
import Foundation

/// The rows that open a store with a higher version: a property is new, one is wider, one is required.
extension FiefRows {
  func migrationFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "V_1k": try migrating(1000, times)
    case "V_1m": try migrating(1_000_000, times)
    default: nil
    }
  }

  private func migrating(_ count: Int, _ times: Int) throws -> Figure {
    let old = directory + "/V\(count)"
    if !FileManager.default.fileExists(atPath: old) { try loadVisits(count, in: old) }
    defer { Files.remove(work) }
    return try repeated(times, operations: 1) {
      try Files.copy(old, to: work)
      try scanVisits(in: work, count)
      var repository = BenchmarkRepository([VisitAfter.self], in: work)
      repository.schemaVersion = 2
      defer { repository.close() }
      Self.emptyCaches()
      let seconds = try Clock.time { try repository.open() }
      try checkVisits(repository, count)
      return seconds
    }
  }

  /// Lets both rows begin with the same caches of the processor: reading a million objects empties them, reading
  /// a thousand does not.
  private static func emptyCaches() {
    var bytes = [UInt8](repeating: 0, count: 64 << 20)
    for index in stride(from: 0, to: bytes.count, by: 64) { bytes[index] &+= 1 }
    withExtendedLifetime(bytes) {}
  }

  private func loadVisits(_ count: Int, in directory: String) throws {
    try Files.makeEmpty(directory)
    let repository = BenchmarkRepository([VisitBefore.self], in: directory)
    defer { repository.close() }
    try repository.open()
    for first in stride(from: 1, through: count, by: 100_000) {
      try repository.insert(
        (first...min(first + 99_999, count)).map { id in
          let visit = VisitBefore()
          visit.id = id
          visit.place = "place \(id % 100)"
          visit.minutes = Int32(id)
          visit.remark = id % 2 == 0 ? nil : "remark"
          return visit
        }
      )
    }
  }

  /// A warm-up, as the other rows that change a store have it.
  private func scanVisits(in directory: String, _ count: Int) throws {
    let repository = BenchmarkRepository([VisitBefore.self], in: directory)
    defer { repository.close() }
    try repository.read { snapshot in
      var sum = 0
      try snapshot.objects(VisitBefore.self).forEachObject { sum += Int($0.minutes) }
      try check("V", sum, count * (count + 1) / 2)
    }
  }

  private func checkVisits(_ repository: BenchmarkRepository, _ count: Int) throws {
    try repository.read { snapshot in
      var found = 0
      try snapshot.objects(VisitAfter.self).forEachObject { visit in
        found += 1
        let isRight =
          visit.id == found && visit.minutes == found && visit.rating == 5
          && visit.remark == (found % 2 == 0 ? "none" : "remark")
        if !isRight { throw BenchmarkError("visit \(found) was not migrated") }
      }
      try check("V", found, count)
    }
  }
}
