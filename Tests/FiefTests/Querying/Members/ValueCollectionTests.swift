import Fief
import Foundation
import Testing

/// Collections of embedded objects and of single values.
@Suite struct ValueCollectionTests {
  private static func fill(_ repository: MemberRepository, homes: Int) throws {
    try repository.fill(dogs: 10, elements: [1, 2, 3])
    try repository.write { tx in
      let owner = try repository.owner(in: tx)
      for index in 0..<homes {
        let home = MemberHome(value: ["street": "street \(index % 4)", "number": index * 7 % 11])
        if index % 3 == 0 { home.kennel.append(owner.dogs[0]) }
        owner.homes.append(home)
        owner.places["place \(index)"] = MemberHome(value: ["street": "street \(index % 4)", "number": index])
      }
      owner.places["none"] = .some(nil)
      owner.numbers.append(objectsIn: [3, 1, 2, 3])
      owner.words.insert(objectsIn: ["b", "a", "c"])
      owner.prices["x"] = Decimal(2)
      owner.prices["y"] = .some(nil)
      owner.prices["z"] = Decimal(5)
    }
  }

  /// The lists are in the record, or in a tree of their own.
  @Test(arguments: MemberStore.allCases, [12, 400])
  func embeddedObjectsAreAskedInTheOrderOfTheList(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, homes: size)
      let numbers: [Int] = (0..<size).map { $0 * 7 % 11 }
      let large: [Int] = numbers.filter { $0 > 5 }
      let falling: [Int] = numbers.sorted(by: >)
      let fives: Int = numbers.count { $0 == 5 }
      let total: Int = numbers.reduce(0, +)
      try repository.inEachScope { (owner: MemberOwner) throws in
        #expect(owner.homes.results.map(\.number) == numbers)
        #expect(owner.homes.where { $0.number > 5 }.map(\.number) == large)
        #expect(owner.homes.filter("number > %@ SORT(number)", 5).map(\.number) == large.sorted())
        #expect(owner.homes.filter(#Predicate { $0.number == 5 }).count == fives)
        let sorted = owner.homes.sorted(byKeyPath: \.number, ascending: false)
        #expect(sorted.map(\.number) == falling)
        #expect(sorted.first?.number == 10 && sorted.last?.number == 0 && sorted[1]?.number == falling[1])
        #expect(sorted[size] == nil && sorted.offset(2).limit(3).count == 3)
        #expect(owner.homes.where { $0.kennel.count > 0 }.count == (size + 2) / 3)
        #expect(owner.homes.where { $0.kennel.age == 5 }.count == (size + 2) / 3)
        #expect(owner.homes.results.distinct(by: \.street).map(\.street) == (0..<4).map { "street \($0)" })
        #expect(owner.homes.results.sum(of: \.number) == total)
        #expect(
          owner.homes.results.max(of: \.number) == 10 && owner.homes.results.min(of: \.street) == "street 0"
        )
        #expect(owner.homes.results.average(of: \.number) == Double(total) / Double(size))
        #expect(owner.places.where { $0.number < 3 }.map(\.number).sorted() == [0, 1, 2])
        #expect(throws: FiefError.self) { try owner.homes.filter("nubmer > 3").all() }
        #expect(owner.homes.where { $0.number > 100 }.isEmpty)
      }
      try repository.write { tx in
        let owner = try repository.owner(in: tx)
        // The found objects are those of the list.
        for home in owner.homes.where({ $0.number == 5 }) { home.number = 50 }
        #expect(owner.homes.where { $0.number == 50 }.count == fives)
        let found = try #require(owner.places.where { $0.number == 2 }.first)
        #expect(found === owner.places["place 2"].flatMap(\.self))
        found.street = "other"
      }
      let owner = try repository.owner(in: nil)
      #expect(owner.homes.count { $0.number == 50 } == fives)
      #expect(owner.places.where { $0.street == "other" }.map(\.number) == [2])
      owner.homes[0].number = 77
      #expect(throws: FiefError.self) { try owner.homes.results.all() }
      #expect(try MemberOwner().homes.results.all().isEmpty)
    }
  }

  @Test(arguments: MemberStore.allCases) func valuesAreAddedUpAndSorted(place: MemberStore) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, homes: 1)
      try repository.inEachScope { owner in
        #expect(owner.numbers.sum() == 9 && owner.numbers.average() == 2.25)
        #expect(owner.numbers.min() == 1 && owner.numbers.max() == 3)
        #expect(
          owner.numbers.sorted() == [1, 2, 3, 3] && owner.numbers.sorted(ascending: false) == [3, 3, 2, 1]
        )
        #expect(owner.numbers.distinct() == [3, 1, 2])
        #expect(owner.words.sorted(ascending: true) == ["a", "b", "c"])
        #expect(owner.prices.sum() == 7 && owner.prices.average() == 3.5)
        #expect(owner.prices.min() == 2 && owner.prices.max() == 5)
      }
      // The same without a store; a result that does not fit is reported.
      let numbers = List<Int8>([100, 100])
      #expect(numbers.sum() == 0 && numbers.average() == 100)
      #expect(throws: FiefError.self) { try numbers.fetchSum() }
      #expect(List<Double>().average() == nil && List<Double>().sum() == 0)
      #expect(List<Int?>([1, nil, 4]).sum() == 5)
    }
  }
}
