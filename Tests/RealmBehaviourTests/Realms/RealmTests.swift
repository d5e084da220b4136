import FiefRealm
import Foundation
import Testing

/// A store by the names that code for Realm has.
@Suite(.timeLimit(.minutes(20))) struct RealmTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(inMemory: Bool) throws -> Realm {
    var configuration = files.configuration()
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration)
  }

  @Test func aRealmIsAStore() {
    #expect(Realm.self == Store.self)
  }

  @Test(arguments: [false, true]) func isEmptySaysWhetherThereAreObjects(inMemory: Bool) throws {
    let realm = try open(inMemory: inMemory)
    defer { realm.close() }
    #expect(realm.isEmpty)
    try realm.write {
      #expect(realm.isEmpty && realm.isInWriteTransaction)
      realm.add(RealmDog(value: ["name": "Rex"]))
      #expect(!realm.isEmpty)
    }
    #expect(!realm.isEmpty && !realm.isInWriteTransaction)
    try realm.write { realm.deleteAll() }
    #expect(try realm.fetchIsEmpty())
  }

  @Test(arguments: [false, true]) func aClosedStoreFailsAndIsOpenedAgain(inMemory: Bool) throws {
    let realm = try open(inMemory: inMemory)
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    realm.close()
    realm.close()
    #expect(errorCode { _ = try realm.fetchIsEmpty() } == .storeClosed)
    #expect(errorCode { try realm.write { realm.deleteAll() } } == .storeClosed)
    let again = try open(inMemory: inMemory)
    defer { again.close() }
    #expect(again.isEmpty == inMemory)
  }

  @Test(arguments: [false, true]) func aFailedWriteKeepsNothing(inMemory: Bool) throws {
    struct Failure: Error {}
    let realm = try open(inMemory: inMemory)
    defer { realm.close() }
    #expect(throws: Failure.self) {
      try realm.write {
        realm.add(RealmDog(value: ["name": "Rex"]))
        throw Failure()
      }
    }
    #expect(realm.isEmpty)
    #expect(errorCode { try realm.write { try realm.write { realm.deleteAll() } } } == .nestedWrite)
  }

  @Test func aCopyHasWhatTheStoreHas() throws {
    let realm = try open(inMemory: false)
    defer { realm.close() }
    try realm.write { realm.add(RealmDog(value: ["name": "Rex", "age": 7])) }
    let place = files.url("copies/today.realm")
    try realm.writeCopy(toFile: place)
    #expect(errorCode { try realm.writeCopy(toFile: place) } == .cannotOpen)
    var configuration = files.configuration()
    configuration.fileURL = place
    let copy = try Realm(configuration: configuration)
    defer { copy.close() }
    #expect(copy.object(ofType: RealmDog.self, forPrimaryKey: "Rex")?.age == 7)
  }

  @Test func filesAreDeletedWithTheirStore() throws {
    let configuration = files.configuration()
    #expect(try !Realm.deleteFiles(for: configuration))
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    #expect(errorCode { try realm.write { _ = try Realm.deleteFiles(for: configuration) } } == .nestedWrite)
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(try !Realm.fileExists(for: configuration))
    #expect(errorCode { _ = try realm.fetchIsEmpty() } == .storeClosed)
    let again = try Realm(configuration: configuration)
    defer { again.close() }
    #expect(again.isEmpty)
  }

  /// The handle has always the newest state: there is nothing to bring.
  @Test(arguments: [false, true]) func refreshBringsNothing(inMemory: Bool) async throws {
    let realm = try open(inMemory: inMemory)
    defer { realm.close() }
    try await realm.write { transaction in try transaction.add(RealmDog(value: ["name": "Rex"])) }
    #expect(realm.objects(RealmDog.self).count == 1)
    #expect(!realm.refresh())
  }
}
