import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Closures about enumerations and types of the application's, which are asked for what is stored of them.
struct StoredValueTests {
  private func withPersons(_ kind: StoreKind, _ body: (Store, Results<QueriedPerson>) throws -> Void) throws {
    try withQueriedStore(kind) { transaction in
      let sizes: [QueriedSize] = [.small, .middle, .large, .small]
      let words = ["Apple", "pear", "Peach", "fig"]
      for id in 1...4 {
        let person = QueriedPerson(id)
        person.size = sizes[id - 1]
        person.optSize = id == 1 ? nil : sizes[id - 1]
        person.grade = id > 2 ? .high : .low
        person.word = QueriedWord(words[id - 1])
        person.optWord = id == 2 ? nil : QueriedWord(words[id - 1])
        person.cents = QueriedCents(id * 100)
        person.sizes.append(objectsIn: sizes.prefix(id))
        person.grades.insert(person.grade)
        person.centsList.append(objectsIn: (1...id).map { QueriedCents($0) })
        person.words["key"] = person.word
        person.texts.append(objectsIn: words.prefix(id))
        let dog = QueriedDog("dog \(id)", id)
        dog.size = sizes[id - 1]
        person.dogs.append(dog)
        person.dog = dog
        try transaction.add(person)
      }
    } body: {
      try body($0, $0.objects(QueriedPerson.self))
    }
  }

  @Test(arguments: StoreKind.allCases) func rawValuesAreAsked(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      try expect(persons.where { $0.size.rawValue == "small" }, [1, 4])
      try expect(persons.where { $0.optSize.rawValue == nil }, [1])
      try expect(persons.where { $0.optSize.rawValue == "small" }, [4])
      try expect(persons.where { $0.optSize.rawValue.starts(with: "l") }, [3])
      try expect(persons.where { $0.grade.rawValue > 4 }, [3, 4])
      try expect(persons.where { $0.grade.rawValue.contains(1...3) }, [1, 2])
      try expect(persons.where { $0.sizes.rawValue == "large" }, [3, 4])
      try expect(persons.where { $0.sizes.rawValue.contains("middle") }, [2, 3, 4])
      try expect(persons.where { $0.grades.rawValue.max > 4 }, [3, 4])
      try expect(persons.where { $0.words.persistableValue["key"] == "fig" }, [4])
      try expect(persons.where { $0.optWord.persistableValue.ends(with: "e") }, [1])
      try expect(persons.where { $0.dog.size.rawValue.contains("a") }, [1, 3, 4])
      try expect(persons.where { $0.dogs.size.rawValue.like("?iddle") }, [2])
    }
  }

  @Test(arguments: StoreKind.allCases) func storedTextsHaveFunctionsOfText(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      try expect(persons.where { $0.size.starts(with: "s") }, [1, 4])
      try expect(persons.where { $0.size.starts(with: .small) }, [1, 4])
      try expect(persons.where { $0.size.ends(with: "L", options: .caseInsensitive) }, [1, 4])
      try expect(persons.where { $0.size.contains("dd") }, [2])
      try expect(persons.where { $0.size.like("l*") }, [3])
      try expect(persons.where { $0.size.equals("LARGE", options: .caseInsensitive) }, [3])
      try expect(persons.where { $0.size.notEquals(.large) }, [1, 2, 4])
      try expect(persons.where { $0.optSize.contains("a") }, [3, 4])
      try expect(persons.where { $0.word.starts(with: "p", options: .caseInsensitive) }, [2, 3])
      try expect(persons.where { $0.word.contains(QueriedWord("pea")) }, [2])
      try expect(persons.where { $0.word.like("P*", caseInsensitive: true) }, [2, 3])
      try expect(persons.where { $0.optWord.ends(with: QueriedWord("g")) }, [4])
      try expect(persons.where { $0.word.equals($0.optWord) }, [1, 3, 4])
      try expect(persons.where { $0.word.starts(with: $0.optWord) }, [1, 3, 4])
      try expect(persons.where { $0.dogs.size.starts(with: "m") }, [2])
      try expect(persons.where { $0.words["key"].starts(with: "f") }, [4])
      try expect(persons.where { $0.words.values.contains("ea") }, [2, 3])
      try expect(persons.where { $0.words.keys.starts(with: "k") && $0.words.values.contains("ig") }, [4])
    }
  }

  @Test(arguments: StoreKind.allCases) func storedNumbersHaveAggregates(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      try expect(persons.where { $0.centsList.max == QueriedCents(3) }, [3])
      try expect(persons.where { $0.centsList.min == QueriedCents(1) }, [1, 2, 3, 4])
      try expect(persons.where { $0.centsList.sum >= QueriedCents(6) }, [3, 4])
      try expect(persons.where { $0.centsList.avg == 1.5 }, [2])
      try expect(persons.where { $0.centsList.persistableValue.sum > 5 }, [3, 4])
      try expect(persons.where { $0.centsList.contains(QueriedCents(1)...QueriedCents(2)) }, [1, 2])
      try expect(persons.where { $0.cents.contains(QueriedCents(200)...QueriedCents(300)) }, [2, 3])
      try expect(persons.where { $0.cents > QueriedCents(200) }, [3, 4])
      try expect(persons.where { $0.cents.in([QueriedCents(100)]) }, [1])
      try expect(persons.where { $0.dogs.owners.cents.max == QueriedCents(400) }, [4])
      try expect(persons.where { $0.dogs.owners.grade.max == .high }, [3, 4])
    }
  }

  /// An aggregate of values that have none is an error, not an empty answer.
  @Test func aggregatesOfSingleValuesAreErrors() throws {
    try withPersons(.inMemory) { _, persons in
      #expect(throws: FiefError.self) { try persons.where { $0.cents.max == QueriedCents(1) }.ids() }
      #expect(throws: FiefError.self) { try persons.where { $0.small.avg == 1 }.ids() }
      #expect(throws: FiefError.self) { try persons.where { $0.height.max != 1 }.ids() }
      #expect(throws: FiefError.self) { try persons.where { $0.price.sum < 1 }.ids() }
    }
  }
}
