import Fief
import Foundation

extension FiefRows {
  func queryFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "D2":
      let repository = try store(.plain)
      return try reading(times, operations: workload.count) {
        try check(row, try sumOfAges(repository, StoredPerson.self), workload.ageSum)
      }
    case "E": return try found(row, times, .plain, Queries.filtered, workload.filtered)
    case "E2": return try found(row, times, .plain, Queries.ofAge37, workload.ofAge37)
    case "F": return try found(row, times, .indexed, Queries.filteredByIndex, workload.filtered)
    case "F2": return try found(row, times, .indexed, Queries.ofAge37ByIndex, workload.ofAge37)
    case "F3": return try found(row, times, .indexed, Queries.ofRangeByIndex, workload.ofRange)
    case "G":
      let repository = try store(.plain)
      return try reading(times, operations: 100) {
        let persons = repository.queryAll(returningClass: StoredPerson.self)?
          .sorted(by: [PropertyOrder(keyPath: "age"), PropertyOrder(keyPath: "name")])
        var sum: UInt64 = 0
        if let persons {
          for person in persons.prefix(100) { sum = Digest.ordered(sum, Digest.cheap(person)) }
        }
        try check(row, sum, workload.topSum)
      }
    case "K":
      // Two pages only: each one looks at every object as yet.
      let repository = try store(.indexed)
      return try reading(times, operations: 2) {
        var sum: UInt64 = 0
        for page in 0..<2 {
          for person in page20(repository, after: workload.pageStart(page)) {
            sum = Digest.ordered(sum, Digest.cheap(person))
          }
        }
        try check(row, sum, workload.pageSum(2))
      }
    case "L":
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

  private func found<Element: PersonObject>(
    _ row: String,
    _ times: Int,
    _ kind: StoreKind,
    _ predicate: Predicate<Element>,
    _ expected: Tally
  ) throws -> Figure {
    let repository = try store(kind)
    return try reading(times, operations: expected.count) {
      var tally = Tally()
      try repository.read { snapshot in
        try snapshot.objects(Element.self).filter(predicate).forEachObject { tally.add(Digest.cheap($0)) }
      }
      try check(row, tally, expected)
    }
  }

  private func page20(_ repository: BenchmarkRepository, after start: Person) -> [IndexedPerson] {
    let created = Date(timeIntervalSince1970: start.createdAt)
    let id = start.id
    let persons = repository.queryAll(returningClass: IndexedPerson.self)?
      .filter(#Predicate { $0.createdAt > created || ($0.createdAt == created && $0.id > id) })
      .sorted(by: [PropertyOrder(keyPath: "createdAt"), PropertyOrder(keyPath: "id")])
    return persons.map { Array($0.prefix(20)) } ?? []
  }
}

/// The predicates of the rows.
enum Queries {
  static let filtered = #Predicate<StoredPerson> {
    $0.age >= 30 && $0.age < 40 && $0.name.starts(with: "A")
  }
  static let ofAge37 = #Predicate<StoredPerson> { $0.age == 37 }
  static let filteredByIndex = #Predicate<IndexedPerson> {
    $0.age >= 30 && $0.age < 40 && $0.name.starts(with: "A")
  }
  static let ofAge37ByIndex = #Predicate<IndexedPerson> { $0.age == 37 }
  static let ofRangeByIndex = #Predicate<IndexedPerson> { $0.age >= 30 && $0.age < 40 }
}
