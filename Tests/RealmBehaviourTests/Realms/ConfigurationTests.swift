import FiefRealm
import Foundation
import Testing

/// The properties of a configuration, and the store that it opens.
@Suite(.timeLimit(.minutes(20))) struct ConfigurationTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  @Test func theDefaultNamesAFile() {
    let configuration = Realm.Configuration()
    #expect(configuration.fileURL == Realm.Configuration.defaultFileURL)
    #expect(configuration.fileURL?.lastPathComponent == "default.realm")
    #expect(configuration.inMemoryIdentifier == nil && configuration.encryptionKey == nil)
    #expect(!configuration.readOnly && !configuration.deleteRealmIfMigrationNeeded)
    #expect(configuration.schemaVersion == 0 && configuration.objectTypes == nil)
  }

  @Test func aFileAndAnIdentifierExcludeEachOther() {
    var configuration = Realm.Configuration(fileURL: files.url("a.realm"), inMemoryIdentifier: "a")
    #expect(configuration.fileURL == nil && configuration.inMemoryIdentifier == "a")
    configuration.fileURL = files.url("b.realm")
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "c"
    #expect(configuration.fileURL == nil && configuration.inMemoryIdentifier == "c")
  }

  @Test func aFileStandsForADirectory() throws {
    let configuration = files.configuration()
    #expect(!Realm.fileExists(for: configuration))
    let realm = try Realm(configuration: configuration)
    defer { realm.close() }
    #expect(realm.directory == files.url("pets").path)
    #expect(Realm.fileExists(for: configuration))
    #expect(FileManager.default.fileExists(atPath: files.url("pets/data.mdb").path))
    #expect(!FileManager.default.fileExists(atPath: files.url("pets.realm").path))
  }

  @Test func noEmptyStoreTakesThePlaceOfAFileOfRealms() throws {
    let (file, content) = (files.url("pets.realm"), Data("a file of another library".utf8))
    try content.write(to: file)
    for isReadOnly in [false, true] {
      var configuration = files.configuration()
      configuration.readOnly = isReadOnly
      let error = try #require(throws: FiefError.self) { try Realm(configuration: configuration) }
      #expect(error.code == .cannotOpen && error.store == "pets" && error.path == file.path)
      #expect(error.message.contains("'Coming from Realm'"))
    }
    #expect(!FileManager.default.fileExists(atPath: files.url("pets").path))
    var empty = files.configuration()
    empty.ignoresRealmFile = true
    let realm = try Realm(configuration: empty)
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    realm.close()
    // Once there is a store, the file may stay.
    let again = try Realm(configuration: files.configuration())
    #expect(again.objects(RealmDog.self).count == 1)
    #expect(try Realm.deleteFiles(for: files.configuration()))
    #expect(try Data(contentsOf: file) == content)
  }

  @Test func twoHandlesAreOneStore() throws {
    let first = try Realm(configuration: files.configuration())
    let second = try Realm(configuration: files.configuration())
    defer { first.close() }
    try first.write { first.add(RealmDog(value: ["name": "Rex", "collar": ["color": "red"]])) }
    #expect(second.object(ofType: RealmDog.self, forPrimaryKey: "Rex")?.collar?.color == "red")
    #expect(first.directory == second.directory)
  }

  @Test func anIdentifierIsSharedAndOthersAreNot() throws {
    let (name, other) = ("memory-\(UUID())", "memory-\(UUID())")
    func open(_ name: String) throws -> Realm {
      try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: name,
          objectTypes: [RealmDog.self, RealmCollar.self]
        )
      )
    }
    let realm = try open(name)
    defer { realm.close() }
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    #expect(try open(name).objects(RealmDog.self).count == 1)
    let second = try open(other)
    defer { second.close() }
    #expect(second.isEmpty)
  }

  @Test func aKeyEncryptsTheStore() throws {
    var configuration = files.configuration()
    configuration.encryptionKey = Data(repeating: 7, count: 64)
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(RealmDog(value: ["name": "Rex", "age": 3])) }
    #expect(try realm.isEncrypted)
    realm.close()
    var other = configuration
    other.encryptionKey = Data(repeating: 8, count: 64)
    #expect(errorCode { _ = try Realm(configuration: other) } == .wrongKey)
    other.encryptionKey = nil
    #expect(errorCode { _ = try Realm(configuration: other) } == .encrypted)
    other.encryptionKey = Data(repeating: 7, count: 63)
    #expect(errorCode { _ = try Realm(configuration: other) } == .invalidKey)
    let again = try Realm(configuration: configuration)
    #expect(again.objects(RealmDog.self).first?.name == "Rex")
    again.close()
  }

  @Test func aKeyForAStoreInClearIsRefused() throws {
    var configuration = files.configuration()
    try Realm(configuration: configuration).close()
    configuration.encryptionKey = Data(repeating: 7, count: 64)
    #expect(errorCode { _ = try Realm(configuration: configuration) } == .notEncrypted)
  }

  @Test func readingOnlyAndDeletingExcludeEachOther() throws {
    var configuration = files.configuration()
    (configuration.readOnly, configuration.deleteRealmIfMigrationNeeded) = (true, true)
    #expect(errorCode { _ = try Realm(configuration: configuration) } == .cannotOpen)
  }

  @Test func nothingAndWhatIsNoFileAreRefused() throws {
    var configuration = files.configuration()
    configuration.fileURL = nil
    #expect(errorCode { _ = try Realm(configuration: configuration) } == .cannotOpen)
    configuration.fileURL = URL(string: "https://example.org/pets.realm")
    #expect(errorCode { _ = try Realm(configuration: configuration) } == .cannotOpen)
  }

  @Test func aMigrationRunsOnce() throws {
    let realm = try Realm(configuration: files.configuration(version: 1))
    try realm.write { realm.add(RealmDog(value: ["name": "Rex", "age": 3])) }
    realm.close()
    var newer = files.configuration(version: 2)
    newer.migrationBlock = { migration, version in
      migration.enumerateObjects(ofType: RealmDog.className()) { _, new in
        if version < 2 { new?["age"] = 40 }
      }
    }
    for _ in 0..<2 {
      let realm = try Realm(configuration: newer)
      #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: "Rex")?.age == 40)
      realm.close()
    }
    #expect(try Realm.schemaVersionAtURL(files.url("pets.realm")) == 2)
    #expect(errorCode { _ = try Realm(configuration: files.configuration(version: 1)) } == .versionTooLow)
  }

  @Test func aStoreIsDeletedWhereItWouldBeMigrated() throws {
    let realm = try Realm(configuration: files.configuration(version: 1))
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    realm.close()
    var newer = files.configuration(version: 2)
    newer.deleteRealmIfMigrationNeeded = true
    let again = try Realm(configuration: newer)
    defer { again.close() }
    #expect(again.isEmpty)
  }

  @Test func readingOnlyRefusesWrites() throws {
    let realm = try Realm(configuration: files.configuration())
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    realm.close()
    var configuration = files.configuration()
    configuration.readOnly = true
    let reading = try Realm(configuration: configuration)
    defer { reading.close() }
    #expect(reading.objects(RealmDog.self).count == 1)
    #expect(errorCode { try reading.write { reading.deleteAll() } } == .readOnlyStore)
    configuration.fileURL = files.url("missing.realm")
    #expect(errorCode { _ = try Realm(configuration: configuration) } == .cannotOpen)
  }

  @Test func aNewStoreBeginsAsItsSeed() throws {
    let seed = try Realm(configuration: files.configuration("seed.realm"))
    try seed.write { seed.add(RealmDog(value: ["name": "Rex"])) }
    seed.close()
    var configuration = files.configuration()
    configuration.seedFilePath = files.url("seed.realm")
    let realm = try Realm(configuration: configuration)
    defer { realm.close() }
    #expect(realm.objects(RealmDog.self).map(\.name) == ["Rex"])
  }

  @Test func theStoreIsCompactedBeforeItIsOpened() throws {
    let realm = try Realm(configuration: files.configuration())
    try realm.write { for number in 0..<2000 { realm.add(RealmDog(value: ["name": "\(number)"])) } }
    try realm.write { realm.deleteAll() }
    realm.close()
    let asked = Asked()
    var configuration = files.configuration()
    configuration.shouldCompactOnLaunch = { total, used in
      asked.note(total > used && used > 0)
      return true
    }
    let path = files.url("pets/data.mdb").path
    let before = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    let again = try Realm(configuration: configuration)
    defer { again.close() }
    #expect(asked.answers == [true])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 < before)
  }

  @Test func aHandleKnowsItsConfiguration() throws {
    var configuration = files.configuration(version: 3)
    configuration.migrationBlock = { _, _ in }
    let realm = try Realm(configuration: configuration)
    #expect(realm.configuration.fileURL == files.url("pets.realm") && realm.configuration.schemaVersion == 3)
    #expect(realm.configuration.migrationBlock != nil && !realm.configuration.readOnly)
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"])) }
    let other = try #require(realm.objects(RealmDog.self).first?.realm)
    #expect(other.configuration.fileURL == files.url("pets.realm") && other.configuration.schemaVersion == 3)
    #expect(try Realm(configuration: other.configuration) == realm)
    realm.close()
    configuration.readOnly = true
    let reading = try Realm(configuration: configuration)
    #expect(
      reading.configuration.readOnly
        && reading.objects(RealmDog.self).first?.realm?.configuration.readOnly == true
    )
    reading.close()
    var inMemory = files.configuration()
    inMemory.inMemoryIdentifier = "memory-\(UUID())"
    let memory = try Realm(configuration: inMemory)
    defer { memory.close() }
    try memory.write { memory.add(RealmDog(value: ["name": "Rex"])) }
    let same = try #require(memory.objects(RealmDog.self).first?.realm)
    #expect(
      same.configuration.inMemoryIdentifier == inMemory.inMemoryIdentifier
        && same.configuration.fileURL == nil
    )
    #expect(memory.configuration.inMemoryIdentifier == inMemory.inMemoryIdentifier)
  }

  @Test(arguments: [false, true]) func eventsGoToTheHandlerOfTheConfiguration(inMemory: Bool) throws {
    let codes = Lock<[FiefError.Code]>([])
    var configuration = files.configuration()
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    configuration.eventHandler = { event in
      if let code = event.failure?.code { codes.withLock { $0.append(code) } }
    }
    let realm = try Realm(configuration: configuration)
    defer { realm.close() }
    realm.add(RealmDog(value: ["name": "Rex"]))
    #expect(codes.withLock { $0 } == [.transactionEnded])
    #expect(realm.configuration.eventHandler != nil && Realm.Configuration().eventHandler == nil)
  }

  @Test func theDescriptionLeavesTheKeyOut() {
    var configuration = files.configuration(version: 3)
    configuration.encryptionKey = Data(repeating: 65, count: 64)
    let text = configuration.description
    #expect(text.contains("schemaVersion = 3;") && text.contains("encryptionKey = 64 bytes;"))
    #expect(text.contains("pets.realm") && text.contains("RealmDog") && !text.contains("AAAA"))
  }
}

private final class Asked: @unchecked Sendable {
  // SAFETY: guarded by the lock.
  private var noted: [Bool] = []
  private let lock = NSLock()
  func note(_ answer: Bool) { lock.withLock { noted.append(answer) } }
  var answers: [Bool] { lock.withLock { noted } }
}
