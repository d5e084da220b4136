import FiefRealm
import FiefTesting
import Foundation
import Testing

final class UnwrittenHome: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var floors: List<Int>
}

final class UnwrittenDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var words: List<String>
  @Persisted var home: UnwrittenHome?
  @Persisted var friend: UnwrittenDog?

  convenience init(_ id: Int) {
    self.init()
    self.id = id
    home = UnwrittenHome()
  }
}

/// Realm refuses an assignment to an object outside of a write; here it is reported.
@Suite("Assignments outside of writes", .freshStores, .timeLimit(.minutes(20)))
struct UnwrittenAssignmentTests {
  enum Place: CaseIterable {
    case disk, memory, encrypted
  }

  /// The codes, types, properties and keys of events of misuse.
  private func places(_ events: [StoreEvent]) -> [String] {
    events.map { event in
      guard case .misuse(let error) = event, error.code == .transactionEnded else { return "\(event)" }
      return "\(error.type ?? "").\(error.property ?? "") \(error.key ?? "")"
    }
  }

  private func withRealm(_ place: Place, _ body: (Realm) throws -> Void) throws {
    let files = try RealmFiles()
    var configuration = Realm.Configuration(
      fileURL: files.url("unwritten.realm"),
      objectTypes: [UnwrittenDog.self, UnwrittenHome.self]
    )
    if place == .memory { configuration.inMemoryIdentifier = UUID().uuidString }
    if place == .encrypted { configuration.encryptionKey = Data(0..<64) }
    let realm = try Realm(configuration: configuration)
    try realm.write { for id in 1...3 { realm.add(UnwrittenDog(id)) } }
    try body(realm)
    realm.close()
  }

  private func dog(_ id: Int, _ realm: Realm) throws -> UnwrittenDog {
    try #require(realm.object(ofType: UnwrittenDog.self, forPrimaryKey: id))
  }

  @Test(arguments: Place.allCases) func eachPropertyIsReportedOnce(_ place: Place) throws {
    try withRealm(place) { realm in
      let dog = try dog(2, realm)
      let events = withExpectedEvents {
        dog.name = "Rex"
        dog.name = "Tom"
        realm.objects(UnwrittenDog.self)[0].name = "Ada"
        dog["age"] = 3
        dog.words.append("x")
        dog.home?.street = "High Street"
      }
      #expect(
        places(events) == [
          "UnwrittenDog.name 2", "UnwrittenDog.age 2", "UnwrittenDog.words 2", "UnwrittenDog.home 2",
        ]
      )
      #expect(try self.dog(2, realm).name == "" && dog.name == "Tom")
      // The object can be saved all the same.
      try realm.write { realm.add(dog, update: .modified) }
      #expect(try self.dog(2, realm).name == "Tom" && self.dog(2, realm).words.count == 1)
    }
  }

  @Test(arguments: Place.allCases) func objectsOfAllWaysAreReported(_ place: Place) throws {
    try withRealm(place) { realm in
      var added: UnwrittenDog?
      try realm.write {
        let dog = UnwrittenDog(9)
        realm.add(dog)
        dog.friend = realm.objects(UnwrittenDog.self).first
        added = dog
      }
      #expect(places(withExpectedEvents { added?.name = "x" }) == ["UnwrittenDog.name 9"])
      #expect(places(withExpectedEvents { added?.friend?.age = 1 }) == ["UnwrittenDog.age 1"])
      let read = try realm.read { try $0.object(ofType: UnwrittenDog.self, forPrimaryKey: 3) }
      #expect(places(withExpectedEvents { read?.friend = added }) == ["UnwrittenDog.friend 3"])
      // A write on another thread is none of this thread's.
      let dog = try dog(1, realm)
      let began = DispatchSemaphore(value: 0)
      let ends = DispatchSemaphore(value: 0)
      let thread = Thread {
        try? realm.write {
          began.signal()
          ends.wait()
        }
      }
      thread.start()
      began.wait()
      #expect(places(withExpectedEvents { dog.words.append("x") }) == ["UnwrittenDog.words 1"])
      ends.signal()
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    }
  }

  @Test(arguments: Place.allCases) func othersAreNot(_ place: Place) throws {
    try withRealm(place) { realm in
      let dog = try dog(1, realm)
      // Copies, new objects, deleted ones, and writes of every kind.
      let copy = UnwrittenDog(value: dog)
      copy.name = "copy"
      let new = UnwrittenDog(7)
      new.words.append("x")
      let detached = dog.detached()
      detached.name = "detached"
      try realm.write {
        dog.name = "in the write"
        dog.words.append("x")
        dog.home?.floors.append(1)
        realm.add(copy, update: .modified)
      }
      realm.beginWrite()
      dog.age = 4
      dog.home?.street = "begun"
      try realm.commitWrite()
      realm.beginWrite()
      dog.age = 5
      realm.cancelWrite()
      try realm.write {
        dog.age = 6
        realm.delete(dog)
      }
      dog.name = "deleted"
      struct Stop: Error {}
      try? realm.write {
        realm.add(new)
        throw Stop()
      }
      new.name = "in no store"
      #expect(try self.dog(2, realm).name == "")
    }
  }

  @Test func objectsOfARepositoryAreNot() throws {
    let fixture = try StoreFixture(
      TestRepository(objectTypes: [UnwrittenDog.self], embedded: [UnwrittenHome.self]),
      .inMemory
    )
    let store = fixture.store()
    try store.write { try $0.add(UnwrittenDog(1)) }
    let dog = try #require(store.object(ofType: UnwrittenDog.self, forPrimaryKey: 1))
    dog.name = "draft"
    dog.words.append("x")
    try store.write { try $0.add(dog, update: .modified) }
    #expect(store.object(ofType: UnwrittenDog.self, forPrimaryKey: 1)?.name == "draft")
    fixture.end()
  }
}
