import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Closures of `where { }` with collections, and closures inside of each other.
struct ClosureTests {
  private func withPersons(_ kind: StoreKind, _ body: (Store, Results<QueriedPerson>) throws -> Void) throws {
    try withQueriedStore(kind) { transaction in
      let toys = [QueriedToy("ball", 2), QueriedToy("bone", 7), QueriedToy("rope", 4)]
      let dogs = [QueriedDog("Rex", 3), QueriedDog("Pluto", 8), QueriedDog("Idefix", 5)]
      dogs[0].toys.append(objectsIn: toys.prefix(1))
      dogs[1].toys.append(objectsIn: toys.prefix(2))
      for id in 1...4 {
        let person = QueriedPerson(id)
        person.name = ["Rex", "Ann", "Bob", "Cid"][id - 1]
        person.isActive = id > 2
        let numbers = [[1, 2, 3], [1, 9], [], [3]][id - 1]
        person.numbers.append(objectsIn: numbers)
        person.numberSet.insert(objectsIn: numbers)
        person.optNumbers.append(objectsIn: numbers.map { Double($0) } + [nil])
        for number in numbers { person.scores["n\(number)"] = number }
        person.dogs.append(objectsIn: dogs.prefix(id - 1))
        for dog in dogs.prefix(id - 1) { person.dogMap[dog.name] = dog }
        person.dogSet.insert(objectsIn: dogs.prefix(id - 1))
        try transaction.add(person)
      }
    } body: {
      try body($0, $0.objects(QueriedPerson.self))
    }
  }

  /// All of them, of which there has to be one: the least and the greatest element are in the range.
  @Test(arguments: StoreKind.allCases) func aRangeContainsAllElements(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      try expect(persons.where { $0.numbers.contains(1...3) }, [1, 4])
      try expect(persons.where { $0.numbers.contains(1..<3) }, [])
      try expect(persons.where { $0.numbers.contains(1..<10) }, [1, 2, 4])
      try expect(persons.where { $0.numberSet.contains(1...3) }, [1, 4])
      try expect(persons.where { $0.scores.contains(1...3) }, [1, 4])
      try expect(persons.where { $0.optNumbers.contains(1.0...3.0) }, [1, 4])
      try expect(persons.where { $0.optNumbers.contains(1.0..<3.0) }, [])
      try expect(persons.where { !$0.numbers.contains(1...3) }, [2, 3])
      try expect(persons.where { $0.numbers.any { $0.contains(1...3) } }, [1, 2, 4])
      // The values that elements of objects have are one by one.
      try expect(persons.where { $0.dogs.age.contains(7...9) }, [3, 4])
    }
  }

  @Test(arguments: StoreKind.allCases) func aCollectionIsComparedByItsElements(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      try expect(persons.where { $0.numbers == 3 }, [1, 4])
      try expect(persons.where { $0.numbers != 3 }, [1, 2])
      try expect(persons.where { $0.numbers > 3 }, [2])
      try expect(persons.where { $0.numberSet >= 9 }, [2])
      try expect(persons.where { $0.scores < 2 }, [1, 2])
      try expect(persons.where { $0.optNumbers <= 1 }, [1, 2])
      try expect(persons.where { $0.optNumbers == nil }, [1, 2, 3, 4])
      try expect(persons.where { $0.dogs.age > 4 }, [3, 4])
      try expect(persons.where { $0.dogs.toys.price > 5 }, [3, 4])
      try expect(persons.where { $0.dogs.owners.name == "Ann" }, [2, 3, 4])
      let rex = try #require(store.object(ofType: QueriedDog.self, forPrimaryKey: "Rex"))
      try expect(persons.where { $0.dogs == rex }, [2, 3, 4])
      try expect(persons.where { $0.dogMap.age > 4 }, [3, 4])
    }
  }

  @Test(arguments: StoreKind.allCases) func closuresStandInClosures(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      try expect(
        persons.where { person in person.dogs.any { dog in dog.toys.any { $0.price > 5 } } },
        [3, 4]
      )
      try expect(
        persons.where { person in
          person.dogs.any { dog in
            dog.toys.none { $0.name == dog.name } && dog.owners.any { $0.name == person.name }
          }
        },
        [2, 3, 4]
      )
      try expect(
        persons.where { $0.dogs.subquery { $0.toys.subquery { $0.price < 5 }.count == 1 }.count == 2 },
        [3, 4]
      )
      // Another query that is made while the closure runs.
      try expect(
        persons.where { person in
          person.dogs.containsAny(in: store.objects(QueriedDog.self).where { $0.toys.any { $0.price > 5 } })
        },
        [3, 4]
      )
      try expect(
        persons.where { person in
          person.dogs.any { dog in
            dog.name.in(store.objects(QueriedPerson.self).where { $0.dogs.count == 0 }.map(\.name))
          }
        },
        [2, 3, 4]
      )
      func isOld(_ dog: Query<QueriedDog>) -> Query<Bool> { dog.age > 4 }
      try expect(persons.where { person in person.isActive && person.dogs.any { isOld($0) } }, [3, 4])
    }
  }

  /// A count of elements may stand beside one of others, inside of a count.
  @Test(arguments: StoreKind.allCases) func countsOfConditionsMayHaveCountsInThem(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      try expect(persons.where { ($0.dogs.age > 4).count > 0 }, [3, 4])
      try expect(persons.where { ($0.dogs.age > 2 && $0.dogs.age < 6).count == 2 }, [4])
      try expect(persons.where { ($0.dogs.toys.count >= 1).count == 2 }, [3, 4])
      try expect(persons.where { ($0.dogs.toys.count >= 0 && ($0.dogs.age != 3).count > 1).count > 0 }, [4])
      try expect(persons.where { ($0.dogs.age > 4 && $0.name == "Bob").count == 1 }, [3])
      try expect(persons.where { ($0.dogs.name == $0.name).count == 0 && $0.dogs.count > 0 }, [2, 3, 4])
      #expect(throws: FiefError.self) { try persons.where { ($0.name == $0.name).count == 0 }.ids() }
      #expect(throws: FiefError.self) {
        try persons.where { ($0.dogs.age > 4 && $0.dogSet.age > 4).count == 1 }.ids()
      }
    }
  }
}
