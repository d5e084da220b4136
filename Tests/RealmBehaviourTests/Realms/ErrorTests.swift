import FiefRealm
import Foundation
import Testing

/// Errors by the names that code for Realm catches.
@Suite(.timeLimit(.minutes(20))) struct ErrorTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func caught(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing"
    } catch Realm.Error.fileNotFound {
      return "not found"
    } catch Realm.Error.filePermissionDenied {
      return "denied"
    } catch Realm.Error.schemaMismatch {
      return "schema"
    } catch let error as Realm.Error where error.code == .invalidDatabase {
      return "invalid"
    } catch let error as Realm.Error where error.code == .fail {
      return "fail"
    } catch let error as Realm.Error {
      return "other: \(error.code.rawValue)"
    } catch { return "no realm error" }
  }

  @Test func aStoreThatIsMissing() {
    var configuration = files.configuration("missing.realm")
    configuration.readOnly = true
    #expect(caught { _ = try Realm(configuration: configuration) } == "not found")
  }

  @Test func aFileThatIsNone() throws {
    try FileManager.default.createDirectory(at: files.url("pets"), withIntermediateDirectories: false)
    try Data(repeating: 1, count: 10_000).write(to: files.url("pets/data.mdb"))
    #expect(caught { _ = try Realm(configuration: files.configuration()) } == "invalid")
  }

  @Test func classesThatDiffer() throws {
    try Realm(configuration: files.configuration()).close()
    var configuration = files.configuration()
    configuration.objectTypes = [RealmDog.self, RealmCollar.self, RealmToy.self]
    #expect(caught { _ = try Realm(configuration: configuration) } == "schema")
  }

  @Test func whatRealmHasNoNameFor() throws {
    let realm = try Realm(configuration: files.configuration())
    defer { realm.close() }
    #expect(caught { try realm.write { try realm.write { realm.deleteAll() } } } == "fail")
    #expect(caught { throw CocoaError(.fileNoSuchFile) } == "no realm error")
    #expect(caught { try realm.writeCopy(toFile: files.url("pets.realm")) }.hasPrefix("other"))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may open everything"))
  func aFileThatTheSystemProtects() throws {
    let realm = try Realm(configuration: files.configuration())
    try realm.write { realm.create(RealmDog.self, value: ["name": "Rex"]) }
    realm.close()
    let (store, data) = (files.url("pets").path, files.url("pets/data.mdb").path)
    func setModes(_ directory: mode_t, _ file: mode_t) {
      #expect(chmod(data, file) == 0 && chmod(store, directory) == 0)
    }
    defer { setModes(0o700, 0o600) }
    setModes(0o700, 0)
    #expect(caught { _ = try Realm(configuration: files.configuration()) } == "denied")
    setModes(0o500, 0o400)
    #expect(caught { _ = try Realm(configuration: files.configuration()) } == "denied")
    var reading = files.configuration()
    reading.readOnly = true
    let found = try Realm(configuration: reading)
    #expect(found.objects(RealmDog.self).map(\.name) == ["Rex"])
    found.close()
  }

  @Test func aPlaceThatIsTaken() throws {
    let realm = try Realm(configuration: files.configuration())
    defer { realm.close() }
    try realm.writeCopy(configuration: files.configuration("copy.realm"))
    do {
      try realm.writeCopy(toFile: files.url("copy.realm"))
      Issue.record("There was a copy.")
    } catch Realm.Error.fileExists {} catch { Issue.record(error) }
  }
}

class RealmToy: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var title = ""
  @Persisted var weight: Double?
  @Persisted var owner: RealmDog?
  @Persisted var friends: List<RealmDog>
  @Persisted var tags: MutableSet<String>
  @Persisted var prices: Map<String, Int>
  @Persisted var collars: List<RealmCollar>
  @Persisted var collar: RealmCollar?
  @Persisted var code: UUID
  var unsaved = 0

  override class func propertiesMapping() -> [String: String] { ["title": "name"] }
}
