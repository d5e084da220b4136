import FiefRealm
import FiefTesting
import Foundation
import Testing

extension QueriedPerson {
  /// A computed property of a stored one.
  fileprivate var firstLetter: String { String(name.prefix(1)) }
  fileprivate var optFirstLetter: String? { name.isEmpty ? nil : String(name.prefix(1)) }
  fileprivate var isOdd: Bool { id % 2 == 1 }
}

/// Results in sections of computed properties and closures, of values, and observed ones.
struct SectionTests {
  private func withPersons(_ kind: StoreKind, _ body: (Store, Results<QueriedPerson>) throws -> Void) throws {
    try withQueriedStore(kind) { transaction in
      for (index, name) in ["banana", "apple", "cherry", "blueberry"].enumerated() {
        let person = QueriedPerson(index + 1)
        person.name = name
        person.texts.append(objectsIn: ["pear", "fig", "plum", "apple", "peach"])
        person.numbers.append(objectsIn: [5, 1, 12, 3, 14])
        person.numberSet.insert(objectsIn: [5, 1, 12, 3, 14])
        person.optNumbers.append(objectsIn: [2, nil, 1])
        person.dogs.append(objectsIn: [QueriedDog("x\(index)", 2), QueriedDog("a\(index)", 1)])
        try transaction.add(person)
      }
    } body: {
      try body($0, $0.objects(QueriedPerson.self))
    }
  }

  private func expect<Key>(
    _ sections: SectionedResults<Key, QueriedPerson>,
    _ ids: [[Int]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try sections.all().map { section in section.map(\.id) }
    #expect(found == ids, sourceLocation: sourceLocation)
  }

  @Test(arguments: StoreKind.allCases) func computedPropertiesMakeSections(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      let sections = persons.sectioned(by: \.firstLetter)
      #expect(sections.allKeys == ["a", "b", "c"] && sections.count == 3)
      try expect(sections, [[2], [1, 4], [3]])
      let backwards = persons.sectioned(by: \.firstLetter, ascending: false)
      #expect(backwards.allKeys == ["c", "b", "a"])
      try expect(backwards, [[3], [4, 1], [2]])
      #expect(persons.sectioned(by: \.optFirstLetter).allKeys == ["a", "b", "c"])
      #expect(persons.sectioned(by: \.isOdd).allKeys == [true, false])
      try expect(persons.sectioned(by: \.name), [[2], [1], [4], [3]])
    }
  }

  @Test(arguments: StoreKind.allCases) func closuresMakeSections(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      let byName = [SortDescriptor(keyPath: "name")]
      let byLetter = persons.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: byName)
      try expect(byLetter, [[2], [1, 4], [3]])
      try expect(persons.sectioned(by: \.firstLetter, sortDescriptors: byName), [[2], [1, 4], [3]])
      // The order of sections without one of their own is that of the results, and objects of one section
      // need not be adjacent.
      try expect(persons.sectioned(by: { $0.name.count > 6 }), [[1, 2, 3], [4]])
      let last = persons.sorted(by: \.name, ascending: false).limit(3)
      try expect(last.sectioned(by: { String($0.name.prefix(1)) }), [[3], [4, 1]])
      let person = try #require(persons.first)
      let sections = try person.dogs.sectioned(by: { String($0.name.prefix(1)) }).all()
      #expect(sections.map(\.key) == ["x", "a"] && sections.map { $0.map(\.age) } == [[2], [1]])
      #expect(person.dogs.sectioned(by: { $0.age }, sortDescriptors: ["age"]).allKeys == [1, 2])
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsHavePlaces(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      let sections = persons.sectioned(by: \.firstLetter)
      let section = sections[1]
      #expect(section.key == "b" && section.id == "b" && section.index == 1 && section.count == 2)
      #expect(section[0].name == "banana" && section[1].name == "blueberry")
      #expect(sections[IndexPath(indexes: [1, 1])].id == 4)
      #expect(section.objects.sorted(byKeyPath: "id", ascending: false).map(\.id) == [4, 1])
      #expect(section.objects.where { $0.id > 1 }.count == 1)
      var names: [String] = []
      for section in sections { for person in section { names.append(person.name) } }
      #expect(names == ["apple", "banana", "blueberry", "cherry"])
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsAreAsTheStoreIs(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      let sections = persons.sectioned(by: \.firstLetter)
      #expect(sections.count == 3)
      try store.write { transaction in
        try transaction.delete(#require(try transaction.object(ofType: QueriedPerson.self, forPrimaryKey: 2)))
        #expect(transaction.objects(QueriedPerson.self).sectioned(by: \.firstLetter).allKeys == ["b", "c"])
      }
      #expect(sections.allKeys == ["b", "c"])
      try store.write { transaction in transaction.objects(QueriedPerson.self).forEach { $0.name = "z" } }
      #expect(sections.allKeys == ["z"])
    }
  }

  @Test(arguments: StoreKind.allCases) func valuesHaveSections(_ kind: StoreKind) throws {
    try withPersons(kind) { _, persons in
      let person = try #require(persons.first)
      let sections = person.texts.sectioned(by: { String($0.prefix(1)) })
      #expect(sections.allKeys == ["a", "f", "p"] && sections.count == 3)
      #expect(sections[2].key == "p" && sections[2].count == 3 && sections[2][1] == "pear")
      #expect(sections.map { Array($0) } == [["apple"], ["fig"], ["peach", "pear", "plum"]])
      #expect(
        person.texts.sectioned(by: { String($0.prefix(1)) }, ascending: false).allKeys == ["p", "f", "a"]
      )
      #expect(person.numbers.sectioned(by: { $0 / 10 }).map { Array($0) } == [[1, 3, 5], [12, 14]])
      #expect(
        person.numberSet.sectioned(by: { $0 / 10 }, ascending: false).map { Array($0) } == [
          [14, 12], [5, 3, 1],
        ]
      )
      #expect(person.optNumbers.sectioned(by: { $0 == nil }).map { Array($0) } == [[nil], [1, 2]])
      #expect(persons.value(of: \.name).sectioned(by: { String($0.prefix(1)) }).allKeys == ["a", "b", "c"])
    }
  }

  /// The changes that a handler got, one after another.
  private final class Told: @unchecked Sendable {
    typealias Change = SectionedResultsChange<SectionedResults<String, QueriedPerson>>

    private let condition = NSCondition()
    private var changes: [String] = []

    func take(_ change: Change) {
      let text =
        switch change {
        case .initial(let sections): "initial \(sections.allKeys)"
        case .update(
          let sections,
          let deletions,
          let insertions,
          let modifications,
          let inserted,
          let deleted
        ):
          "\(sections.allKeys) -\(deletions.map { Array($0) }) +\(insertions.map { Array($0) }) "
            + "~\(modifications.map { Array($0) }) +\(Array(inserted)) -\(Array(deleted))"
        case .error(let error): "error \(error)"
        }
      condition.withLock {
        changes.append(text)
        condition.broadcast()
      }
    }

    func next() -> String {
      condition.withLock {
        while changes.isEmpty { condition.wait() }
        return changes.removeFirst()
      }
    }
  }

  @Test(arguments: StoreKind.allCases) func sectionsAreObserved(_ kind: StoreKind) throws {
    try withPersons(kind) { store, persons in
      let told = Told()
      let token = persons.sectioned(by: \.firstLetter).observe { told.take($0) }
      defer { token.invalidate() }
      #expect(told.next() == #"initial ["a", "b", "c"]"#)
      func write(_ id: Int, _ change: (QueriedPerson) -> Void, _ expected: String) throws {
        try store.write { transaction in
          change(try #require(try transaction.object(ofType: QueriedPerson.self, forPrimaryKey: id)))
        }
        #expect(told.next() == expected)
      }
      // apple, banana + blueberry, cherry
      try write(4, { $0.height = 1 }, #"["a", "b", "c"] -[] +[] ~[[1, 1]] +[] -[]"#)
      try write(1, { $0.name = "avocado" }, #"["a", "b", "c"] -[[1, 0]] +[[0, 1]] ~[] +[] -[]"#)
      // A section that is deleted has no deletions of its own; one that is new has its insertions.
      try write(3, { $0.name = "date" }, #"["a", "b", "d"] -[] +[[2, 0]] ~[] +[2] -[2]"#)
      try write(2, { $0.name = "zucchini" }, #"["a", "b", "d", "z"] -[[0, 0]] +[[3, 0]] ~[] +[3] -[]"#)
    }
  }

  @Test func sectionsOfStoredPropertiesAreObserved() throws {
    try withPersons(.inMemory) { store, persons in
      let told = Told()
      let token = persons.sectioned(by: \.name).observe(keyPaths: ["name"]) { told.take($0) }
      defer { token.invalidate() }
      #expect(told.next() == #"initial ["apple", "banana", "blueberry", "cherry"]"#)
      try store.write { transaction in
        try #require(try transaction.object(ofType: QueriedPerson.self, forPrimaryKey: 4)).name = "banana"
      }
      #expect(told.next() == #"["apple", "banana", "cherry"] -[] +[[1, 1]] ~[] +[] -[2]"#)
      let wrong = Told()
      let other = persons.sectioned(by: \.name).observe(keyPaths: ["nmae"]) { wrong.take($0) }
      #expect(wrong.next().hasPrefix("error"))
      withExtendedLifetime(other) {}
    }
  }
}
