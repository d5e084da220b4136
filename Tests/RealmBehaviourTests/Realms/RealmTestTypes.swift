import FiefRealm
import Foundation

class RealmDog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted var collar: RealmCollar?
}

class RealmCollar: EmbeddedObject {
  @Persisted var color = ""
}

/// A directory for the files of one test, removed in the end.
final class RealmFiles {
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("realm-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

  /// A configuration of two classes, in a file or in memory.
  func configuration(_ name: String = "pets.realm", version: UInt64 = 1) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: url(name),
      schemaVersion: version,
      objectTypes: [RealmDog.self, RealmCollar.self]
    )
  }
}

/// The code of the error that a closure throws; nil where it throws none.
func errorCode(_ body: () throws -> Void) -> FiefError.Code? {
  do {
    try body()
    return nil
  } catch { return (error as? FiefError)?.code }
}
