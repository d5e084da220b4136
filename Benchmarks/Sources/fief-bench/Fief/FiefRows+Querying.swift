import Fief
import Foundation

extension FiefRows {
  func queryFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "D2":
      let repository = try store(.plain)
      return try reading(times, operations: workload.count) {
        try check(row, try repository.store().objects(StoredPerson.self).fetchSum(of: \.age), workload.ageSum)
      }
    case "E":
      return try found(row, times, inThirties(try store(.plain)), workload.filtered)
    case "E2": return try found(row, times, try persons(.plain).where { $0.age == 37 }, workload.ofAge37)
    case "F":
      return try found(
        row,
        times,
        try indexedPersons().where { $0.age >= 30 && $0.age < 40 && $0.name.starts(with: "A") },
        workload.filtered
      )
    case "F2": return try found(row, times, try indexedPersons().where { $0.age == 37 }, workload.ofAge37)
    case "F3":
      return try found(
        row,
        times,
        try indexedPersons().where { $0.age >= 30 && $0.age < 40 },
        workload.ofRange
      )
    case "F_max":
      let persons = try indexedPersons()
      return try reading(times, operations: 1) {
        try check(row, try persons.fetchMax(of: \.age) ?? 0, workload.greatestAge)
      }
    case "G":
      let repository = try store(.plain)
      return try reading(times, operations: 100) {
        let persons = repository.store().objects(StoredPerson.self)
          .sorted(by: [PropertyOrder(keyPath: "age"), PropertyOrder(keyPath: "name")])
          .limit(100)
        var sum: UInt64 = 0
        try persons.forEachObject { sum = Digest.ordered(sum, Digest.cheap($0)) }
        try check(row, sum, workload.topSum)
      }
    case "K": return try pages(row, times)
    case "L":
      let owners = try store(.related).store().objects(Owner.self)
      return try reading(times, operations: workload.picked.count) {
        let picked = owners.where { $0.id.in(workload.picked) }
        try check(row, try picked.fetchSum(of: \.dogs.age), workload.pickedDogSum)
      }
    case "L_obj":
      let repository = try store(.related)
      return try reading(times, operations: workload.picked.count) {
        try check(row, try dogSum(repository, workload.picked), workload.pickedDogSum)
      }
    default: return nil
    }
  }

  func sumOfAges<Element: PersonObject>(_ repository: BenchmarkRepository, _ type: Element.Type) throws -> Int
  {
    try repository.read { snapshot in
      var sum = 0
      try snapshot.objects(type).forEachObject { sum += $0.age }
      return sum
    }
  }

  /// The sum of the ages of the dogs of some persons.
  func dogSum(_ repository: BenchmarkRepository, _ keys: [Int]) throws -> Int {
    try repository.read { snapshot in
      var sum = 0
      for key in keys {
        guard let owner = try snapshot.object(ofType: Owner.self, forPrimaryKey: key) else { continue }
        for dog in owner.dogs { sum += dog.age }
      }
      return sum
    }
  }

  private func persons(_ kind: StoreKind) throws -> Results<StoredPerson> {
    try store(kind).store().objects(StoredPerson.self)
  }

  private func indexedPersons() throws -> Results<IndexedPerson> {
    try store(.indexed).store().objects(IndexedPerson.self)
  }

  /// The persons of row E.
  func inThirties(_ repository: BenchmarkRepository) -> Results<StoredPerson> {
    repository.store().objects(StoredPerson.self)
      .where { $0.age >= 30 && $0.age < 40 && $0.name.starts(with: "A") }
  }

  private func found<Element: PersonObject>(
    _ row: String,
    _ times: Int,
    _ results: @autoclosure () throws -> Results<Element>,
    _ expected: Tally
  ) throws -> Figure {
    try reading(times, operations: expected.count) {
      var tally = Tally()
      try results().forEachObject { tally.add(Digest.cheap($0)) }
      try check(row, tally, expected)
    }
  }

  /// Pages in the order of the index (createdAt, id), each from its cursor.
  private func pages(_ row: String, _ times: Int) throws -> Figure {
    let count = 1000
    let persons = try indexedPersons().sorted(byKeyPath: \.createdAt)
    let cursors = try (0..<count).map { try persons.cursor(for: IndexedPerson(workload.pageStart($0))) }
    let expected = workload.pageSum(count)
    return try reading(times, operations: count) {
      var sum: UInt64 = 0
      for cursor in cursors {
        for person in try persons.page(20, after: cursor).objects {
          sum = Digest.ordered(sum, Digest.cheap(person))
        }
      }
      try check(row, sum, expected)
    }
  }
}
