import Fief
import Testing

/// Limits, distinct values and orders of embedded objects, which are found as other rows are.
@Suite struct EmbeddedRowsTests {
  private static func fill(_ repository: MemberRepository, _ size: Int) throws {
    try repository.fill(dogs: 1, elements: [])
    try repository.write { tx in
      let owner = try repository.owner(in: tx)
      for index in 0..<size {
        let values: [String: Any] = ["street": "street \(index % 4)", "number": index * 7 % 11]
        owner.homes.append(MemberHome(value: values))
        let home = index % 5 == 0 ? nil : MemberHome(value: values)
        owner.places["place \(index)"] = .some(home)
      }
    }
  }

  /// The lists are in the record, or in a tree of their own.
  @Test(arguments: MemberStore.allCases, [12, 400])
  func limitsCountFromBothEnds(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, size)
      let numbers = (0..<size).map { $0 * 7 % 11 }
      let sorted = numbers.sorted()
      try repository.inEachScope { owner in
        let homes = owner.homes.results
        #expect(homes.offset(3).limit(4).map(\.number) == Array(numbers[3..<7]))
        #expect(homes.filter("TRUEPREDICATE LAST(3)").map(\.number) == Array(numbers.suffix(3)))
        #expect(homes.filter("TRUEPREDICATE SORT(number) LAST(3)").map(\.number) == Array(sorted.suffix(3)))
        let byNumber = homes.sorted(byKeyPath: \.number)
        #expect(byNumber.offset(size - 2).map(\.number) == Array(sorted.suffix(2)))
        #expect(byNumber.limit(5).last?.number == sorted[4] && byNumber.limit(0).isEmpty)
        #expect(byNumber.limit(5).sum(of: \.number) == sorted.prefix(5).reduce(0, +))
        #expect(byNumber.limit(0).max(of: \.number) == nil && byNumber.limit(0).sum(of: \.number) == 0)
      }
    }
  }

  @Test(arguments: MemberStore.allCases, [12, 400])
  func distinctObjectsAreTheFirstInTheOrder(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, size)
      let found = (0..<size).map { (street: $0 % 4, number: $0 * 7 % 11) }
      let least = (0..<4).map { street in found.filter { $0.street == street }.map(\.number).min() ?? -1 }
      try repository.inEachScope { owner in
        let distinct = owner.homes.results.sorted(byKeyPath: \.number).distinct(by: \.street)
        #expect(distinct.map(\.number) == least.sorted() && distinct.count == 4)
        #expect(distinct.offset(1).limit(2).map(\.number) == Array(least.sorted()[1...2]))
        #expect(distinct.sum(of: \.number) == least.reduce(0, +))
      }
    }
  }

  /// What an order finds equal stays in the order of the list.
  @Test(arguments: MemberStore.allCases, [12, 400])
  func sortedObjectsOfAWriteAreThoseOfTheCollection(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, size)
      try repository.write { tx in
        let owner = try repository.owner(in: tx)
        let sorted = Array(owner.homes.sorted(byKeyPath: \.street))
        let wanted = owner.homes.enumerated().sorted {
          ($0.element.street, $0.offset) < ($1.element.street, $1.offset)
        }
        #expect(sorted.count == size && zip(sorted, wanted).allSatisfy { $0 === $1.element })
        let places = Array(
          owner.places.where { $0.number >= 0 }.sorted(byKeyPath: \.number, ascending: false)
        )
        let own = owner.places.keys.compactMap { owner.places[$0].flatMap(\.self) }
        #expect(places.count == own.count && places.allSatisfy { home in own.contains { $0 === home } })
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.number >= $1.number })
      }
    }
  }

  @Test(arguments: MemberStore.allCases) func whatCannotBeAskedIsAnError(place: MemberStore) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, 3)
      let homes = try repository.owner(in: nil).homes.results
      #expect(throws: FiefError.self) { try homes.sorted(byKeyPath: "nubmer").all() }
      #expect(throws: FiefError.self) { try homes.limit(0).sorted(byKeyPath: "nubmer").all() }
    }
  }
}
