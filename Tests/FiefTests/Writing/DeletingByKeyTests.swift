import Fief
import FiefTesting
import Testing

/// Deleting many objects by their keys: all of them or none, whatever order they come in.
@Suite(.freshStores)
struct DeletingByKeyTests {
  final class DeletedDog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var age: Int
    @Persisted var friends: List<DeletedDog>
  }

  final class DeletedPart: Object {
    @Persisted(primaryKey: true) var shelf: String
    @Persisted(primaryKey: true) var place: Int
  }

  struct Kennel: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType
    var schemaName: String? { "kennel" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [DeletedDog.self, DeletedPart.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }

    func ids() throws -> [Int] { try read { try $0.objects(DeletedDog.self).all().map(\.id) } }
  }

  static let kinds: [RealmMemoryType] = [.inStorage, .inMemory(identifier: "kennel")]

  private func kennel(_ kind: RealmMemoryType, dogs: Int = 300) throws -> Kennel {
    let kennel = Kennel(realmMemoryType: kind)
    try kennel.write { transaction in
      var last: DeletedDog?
      for id in 0..<dogs {
        let dog = DeletedDog()
        dog.id = id
        dog.age = id % 10
        if let last { dog.friends.append(last) }
        try transaction.add(dog)
        last = dog
      }
    }
    return kennel
  }

  private func expectSound(_ kennel: Kennel) throws {
    let check = try kennel.check()
    #expect(check.problems.isEmpty, "\(check.problems)")
  }

  @Test(arguments: kinds) func byTheRepository(kind: RealmMemoryType) async throws {
    let kennel = try kennel(kind)
    let gone = Array(stride(from: 0, to: 300, by: 3)).shuffled()
    var outcome: Result<Bool, any Error>?
    outcome = Result {
      try kennel.deleteAndWait(ofType: DeletedDog.self, forPrimaryKeys: gone)
      return true
    }
    #expect(try outcome?.get() == true)
    #expect(try kennel.ids() == (0..<300).filter { $0 % 3 != 0 })
    let dog = try #require(kennel.object(ofType: DeletedDog.self, forPrimaryKey: 1))
    #expect(dog.friends.isEmpty, "its friend was deleted")
    try await kennel.delete(ofType: DeletedDog.self, forPrimaryKeys: [1, 2])
    #expect(try kennel.ids().first == 4)
    try expectSound(kennel)
  }

  @Test(arguments: kinds) func oneThatIsMissingKeepsAll(kind: RealmMemoryType) throws {
    let kennel = try kennel(kind)
    for keys in [[5, 1000, 7], [5, 5]] {
      var outcome: Result<Bool, any Error>?
      outcome = Result {
        try kennel.deleteAndWait(ofType: DeletedDog.self, forPrimaryKeys: keys)
        return true
      }
      let error = #expect(throws: FiefError.self) { try outcome?.get() }
      #expect(error?.code == .objectNotFound && error?.type == "DeletedDog", "\(String(describing: error))")
      #expect(error?.key == "\(keys == [5, 5] ? 5 : 1000)")
    }
    #expect(try kennel.ids().count == 300)
    try expectSound(kennel)
  }

  @Test(arguments: kinds) func insideOfAWrite(kind: RealmMemoryType) throws {
    let kennel = try kennel(kind)
    try kennel.write { transaction in
      let live = try #require(try transaction.object(ofType: DeletedDog.self, forPrimaryKey: 11))
      live.age = 77
      // An error that is found before the first change does not spoil the write.
      #expect(throws: FiefError.self) {
        try transaction.delete(ofType: DeletedDog.self, forPrimaryKeys: [10, 4000])
      }
      try transaction.delete(ofType: DeletedDog.self, forPrimaryKeys: [10, 12, 14])
      #expect(try transaction.object(ofType: DeletedDog.self, forPrimaryKey: 10) == nil)
      #expect(live.friends.isEmpty && live.age == 77)
      let rest = try transaction.objects(DeletedDog.self).all().filter { $0.id > 200 }
      try transaction.delete(rest.reversed())
    }
    #expect(try kennel.ids() == (0...200).filter { ![10, 12, 14].contains($0) })
    #expect(kennel.object(ofType: DeletedDog.self, forPrimaryKey: 11)?.age == 77)
    try expectSound(kennel)
  }

  @Test(arguments: kinds) func compoundKeysAndWrongOnes(kind: RealmMemoryType) throws {
    let kennel = Kennel(realmMemoryType: kind)
    try kennel.write { transaction in
      for place in 0..<4 { try transaction.create(DeletedPart.self, value: ["shelf": "a", "place": place]) }
    }
    var outcome: Result<Bool, any Error>?
    outcome = Result {
      try kennel.deleteAndWait(ofType: DeletedPart.self, forPrimaryKeys: [["a", 3] as [Any], ["a", 1]])
      return true
    }
    #expect(try outcome?.get() == true)
    #expect(try kennel.count(DeletedPart.self) == 2)
    outcome = Result {
      try kennel.deleteAndWait(ofType: DeletedPart.self, forPrimaryKeys: ["a"])
      return true
    }
    #expect(throws: FiefError.self) { try outcome?.get() }
    outcome = Result {
      try kennel.deleteAndWait(ofType: DeletedDog.self, forPrimaryKeys: ["no number"])
      return true
    }
    #expect(throws: FiefError.self) { try outcome?.get() }
    outcome = Result {
      try kennel.deleteAndWait(ofType: DeletedDog.self, forPrimaryKeys: [Int]())
      return true
    }
    #expect(try outcome?.get() == true)
    #expect(try kennel.count(DeletedPart.self) == 2)
    try expectSound(kennel)
  }
}
