import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Frozen results keep the values of their objects.
@Suite(.timeLimit(.minutes(20)))
struct KeptResultsTests {
  private func withDogs(_ kind: StoreKind, _ body: (Store, Results<MadeDog>) throws -> Void) throws {
    try withMadeStore(kind) { store in
      try store.write {
        for id in 1...100 {
          let dog = store.create(MadeDog.self, value: ["id": id, "name": "dog \(id)", "words": ["a", "b"]])
          dog.tag = MadeTag("tag \(id)")
          dog.toys.append(store.create(MadeToy.self, value: ["name": "toy \(id)", "price": id]))
        }
      }
      try body(store, store.objects(MadeDog.self).sorted(byKeyPath: "id", ascending: false))
    }
  }

  /// The names, words, tags and numbers of toys.
  private func texts(_ dogs: some Sequence<MadeDog>) -> [String] {
    dogs.map { "\($0.id) \($0.name) \(Array($0.words)) \($0.tag?.text ?? "") \($0.toys.count)" }
  }

  @Test(arguments: StoreKind.allCases) func laterWritesChangeNothing(_ kind: StoreKind) throws {
    try withDogs(kind) { store, dogs in
      let before = texts(dogs)
      let frozen = dogs.freeze()
      let some = dogs.where { $0.id > 90 }.freeze()
      #expect(frozen.isFrozen && !dogs.isFrozen && frozen.count == 100 && some.count == 10 && !frozen.isEmpty)
      try store.write {
        for dog in dogs {
          dog.name = "changed"
          dog.words.removeAll()
          dog.tag?.text = "changed"
        }
        store.delete(store.objects(MadeDog.self).where { $0.id > 50 })
        store.create(MadeDog.self, value: ["id": 1000])
      }
      #expect(texts(frozen) == before && texts(some) == Array(before.prefix(10)))
      #expect(try texts(frozen.all()) == before)
      #expect(frozen.count == 100 && frozen[0].name == "dog 100" && frozen.first?.id == 100)
      #expect(frozen.last?.name == "dog 1" && frozen[99].words.count == 2)
      #expect(frozen.allSatisfy { $0.isFrozen } && frozen.freeze() == frozen && frozen != dogs)
      // Links are followed in the newest state.
      #expect(frozen[99].toys.first?.isFrozen == true)
      #expect(
        frozen.thaw()?.count == 51 && frozen.thaw()?.first?.id == 1000 && frozen.thaw()?.isFrozen == false
      )
      try store.write { store.deleteAll() }
      #expect(frozen[0].name == "dog 100" && texts(frozen).count == 100)
      #expect(frozen.realm == store && frozen[0].thaw() == nil)
    }
  }

  @Test(arguments: StoreKind.allCases) func collectionsKeepTheirObjects(_ kind: StoreKind) throws {
    try withDogs(kind) { store, dogs in
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 7))
      let toy = try #require(dog.toys.first)
      try store.write {
        dog.toySet.insert(toy)
        dog.toysByName["x"] = toy
        dog.friend = dog
      }
      let held = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 7))
      let all = [
        held.toys.freeze(), held.toySet.freeze(), held.toysByName.freeze(),
        AnyRealmCollection(held.toys).freeze(),
        store.freeze(held.toys),
      ]
      let friends = held.friendOf.freeze()
      try store.write {
        toy.price = 1
        dog.name = "changed"
        store.delete(toy)
      }
      #expect(all.allSatisfy { $0.count == 1 && $0[0].name == "toy 7" && $0[0].price == 7 && $0[0].isFrozen })
      #expect(friends.map(\.name) == ["dog 7"])
    }
  }

  @Test(arguments: StoreKind.allCases) func scopesGiveTheirState(_ kind: StoreKind) throws {
    try withDogs(kind) { store, dogs in
      let inWrite = try store.write { () -> Results<MadeDog> in
        dogs.first?.name = "in the write"
        return dogs.freeze()
      }
      var inRead: Results<MadeDog>?
      try store.read { snapshot in inRead = snapshot.objects(MadeDog.self).freeze() }
      try store.write { dogs.first?.name = "later" }
      #expect(inWrite.first?.name == "in the write" && inRead?.last?.name == "in the write")
      // Another thread may use them.
      let thread = Thread { #expect(inWrite[0].name == "in the write") }
      thread.start()
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    }
  }

  @Test(arguments: StoreKind.allCases) func objectsAreFoundByTheirKeys(_ kind: StoreKind) throws {
    try withDogs(kind) { store, dogs in
      let frozen = dogs.freeze()
      let dog = try #require(store.object(ofType: MadeDog.self, forPrimaryKey: 98))
      try store.write { dog.name = "changed" }
      #expect(frozen.index(of: dog) == 2 && frozen.contains(dog) && frozen.firstIndex(of: dog) == 2)
      #expect(frozen.objects(at: [0, 2]).map(\.id) == [100, 98])
      #expect(frozen.value(forKey: "name").first as? String == "dog 100")
      #expect(frozen.firstIndex { $0.id == 90 } == 10 && frozen[1..<3].map(\.id) == [99, 98])
      let sections = frozen.sectioned(by: { $0.id % 2 })
      #expect(sections.allKeys == [0, 1])
    }
  }

  @Test(arguments: StoreKind.allCases) func changesAreRefused(_ kind: StoreKind) throws {
    try withDogs(kind) { store, dogs in
      let frozen = dogs.freeze()
      #expect(throws: FiefError.self) { try store.write { frozen[0].name = "changed" } }
      let events = withExpectedEvents { frozen[0].name = "changed" }
      #expect(events.count == 1 && frozen[0].name == "dog 100" && dogs[0].name == "dog 100")
      // Queries come before freeze().
      let questions = withExpectedEvents {
        #expect(frozen.where { $0.id > 3 }.isEmpty && frozen.sorted(byKeyPath: "name").first == nil)
        #expect(frozen.max(ofProperty: "id") as Int? == nil && frozen.filter("id > 3").map(\.id).isEmpty)
      }
      #expect(questions.count == 4 && questions.allSatisfy { $0.failure?.code == .invalidQuery })
      #expect(throws: FiefError.self) { try frozen.where { $0.id > 3 }.fetchCount() }
      let told = Tellings()
      let token = frozen.observe { change in
        guard case .error(let error as FiefError) = change else { return told.take("\(change)") }
        told.take("\(error.code)")
      }
      #expect(told.next() == "invalidValue")
      token.invalidate()
      let wrong = dogs.filter("nmae == 1").freeze()
      let failures = withExpectedEvents { #expect(wrong.isEmpty) }
      #expect(failures.first?.failure?.code == .unknownProperty)
    }
  }
}
