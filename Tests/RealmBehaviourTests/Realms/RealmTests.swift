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

  /// The key of a store and that of its copy; 0 is none.
  @Test(arguments: [(0, 2), (1, 2), (1, 0), (1, 1)])
  func aCopyHasTheKeyOfItsConfiguration(own: UInt8, other: UInt8) throws {
    func configuration(_ name: String, _ key: UInt8) -> Realm.Configuration {
      var configuration = files.configuration(name)
      configuration.encryptionKey = key == 0 ? nil : Data(repeating: key, count: 64)
      return configuration
    }
    let realm = try Realm(configuration: configuration("pets.realm", own))
    defer { realm.close() }
    try realm.write { realm.add(RealmDog(value: ["name": "Rex", "age": 7])) }
    #expect(
      errorCode { _ = try Realm(configuration: configuration("pets.realm", 3)) }
        == (own == 0 ? .notEncrypted : .wrongKey)
    )
    try realm.writeCopy(configuration: configuration("copy.realm", other))
    #expect(
      errorCode { _ = try Realm(configuration: configuration("copy.realm", 3)) }
        == (other == 0 ? .notEncrypted : .wrongKey)
    )
    let copy = try Realm(configuration: configuration("copy.realm", other))
    #expect(copy.object(ofType: RealmDog.self, forPrimaryKey: "Rex")?.age == 7)
    copy.close()
    // Without a key of its own a copy has the store's.
    try realm.writeCopy(toFile: files.url("second.realm"))
    try Realm(configuration: configuration("second.realm", own)).close()
    try realm.writeCopy(toFile: files.url("third.realm"), encryptionKey: Data(repeating: 4, count: 64))
    try Realm(configuration: configuration("third.realm", 4)).close()
    #expect(
      errorCode { try realm.writeCopy(toFile: files.url("fourth.realm"), encryptionKey: Data(count: 3)) }
        == .invalidKey
    )
    #expect(!Realm.fileExists(for: configuration("fourth.realm", 0)))
  }

  @Test func filesAreDeletedWithTheirStore() throws {
    let configuration = files.configuration()
    #expect(try !Realm.deleteFiles(for: configuration))
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    #expect(errorCode { try realm.write { _ = try Realm.deleteFiles(for: configuration) } } == .nestedWrite)
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!Realm.fileExists(for: configuration))
    #expect(errorCode { _ = try realm.fetchIsEmpty() } == .storeClosed)
    let again = try Realm(configuration: configuration)
    defer { again.close() }
    #expect(again.isEmpty)
  }

  /// Results have always the newest state; `refresh()` is about held objects.
  @Test(arguments: [false, true]) func refreshSaysWhetherThereWereCommits(inMemory: Bool) async throws {
    let realm = try open(inMemory: inMemory)
    defer { realm.close() }
    try await realm.write { transaction in try transaction.add(RealmDog(value: ["name": "Rex"])) }
    #expect(realm.objects(RealmDog.self).count == 1)
    #expect(realm.refresh())
    #expect(!realm.refresh())
    try realm.write { #expect(!realm.refresh()) }
  }
}
