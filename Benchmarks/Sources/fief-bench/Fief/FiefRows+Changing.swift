import Fief

/// The rows that change many objects in one commit.
extension FiefRows {
  func changeFigure(of row: String, _ times: Int) throws -> Figure? {
    let picked = workload.picked
    switch row {
    case "H":
      let changed = workload.full(after: picked) { $0.balance = Double($0.id) * 0.25 }
      return try changing(.plain, times, count: workload.count, full: changed) { repository in
        try repository.write { transaction in
          for key in picked {
            let person = try transaction.object(ofType: StoredPerson.self, forPrimaryKey: key)
            person?.balance = Double(key) * 0.25
          }
        }
      }
    case "H_idx":
      let changed = workload.full(after: picked) { $0.age = $0.id * 7 % 100 }
      return try changing(.indexed, times, count: workload.count, full: changed) { repository in
        try repository.write { transaction in
          for key in picked {
            let person = try transaction.object(ofType: IndexedPerson.self, forPrimaryKey: key)
            person?.age = key * 7 % 100
          }
        }
      }
    case "I": return try deleting(StoredPerson.self, .plain, times)
    case "I_idx": return try deleting(IndexedPerson.self, .indexed, times)
    default: return nil
    }
  }

  private func deleting<Element: PersonObject>(
    _ type: Element.Type,
    _ kind: StoreKind,
    _ times: Int
  ) throws -> Figure {
    let left = workload.count - workload.picked.count
    let full = workload.full(after: workload.picked)
    return try changing(kind, times, count: left, full: full) { repository in
      try delete(type, workload.picked, in: repository)
    }
  }

  /// Deletes the objects of keys, as the other peers do.
  private func delete<Element: PersonObject>(
    _ type: Element.Type,
    _ keys: [Int],
    in repository: BenchmarkRepository
  ) throws {
    var outcome: Result<Bool, any Error> = .success(false)
    repository.delete(ofType: type, forPrimaryKeys: keys) { outcome = $0 }
    _ = try outcome.get()
  }

  private func changing(
    _ kind: StoreKind,
    _ times: Int,
    count: Int,
    full: UInt64,
    _ change: (BenchmarkRepository) throws -> Void
  ) throws -> Figure {
    try repeated(times, operations: workload.picked.count) {
      try onCopy(kind, count: count, full: full) { repository in
        let seconds = try Clock.time { try change(repository) }
        if kind == .indexed { try checkIndexes(repository) }
        return seconds
      }
    }
  }

  /// Compares the indexes with the records.
  private func checkIndexes(_ repository: BenchmarkRepository) throws {
    let problems = try repository.check().problems
    guard problems.isEmpty else { throw BenchmarkError("the checker found \(problems)") }
  }
}
