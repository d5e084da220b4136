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
    case "J":
      let store = try store(.plain).store()
      return try reading(times, operations: 1) {
        try check(row, try store.read { try $0.count(StoredPerson.self) }, workload.count)
      }
    default: return nil
    }
  }
}
