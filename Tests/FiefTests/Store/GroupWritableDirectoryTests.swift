import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

final class SharedNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
}

/// A store in a directory that its group may write to.
private struct SharedNotes: DatabaseConfigurable {
  let directory: String?
  var isEncrypted: Bool
  var allows = false
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "notes"
  let schemaVersion: UInt64? = 3
  let objectTypes: [Object.Type]? = [SharedNote.self]
  let embeddedObjectTypes: [EmbeddedObject.Type]? = nil

  var encryption: StoreEncryption? { isEncrypted ? .key(Data(repeating: 7, count: 32)) : nil }
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.encryption = encryption
    options.allowsGroupWritableDirectory = allows
    return options
  }
}

@Suite struct GroupWritableDirectoryTests {
  private let scratch = FileManager.default.temporaryDirectory.appending(path: "fief-group-\(UUID())").path

  private func code(_ body: () throws -> Void) -> FiefError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? FiefError)?.code }
  }

  @Test("a store that its group may write to is opened with the option only", arguments: [false, true])
  func option(isEncrypted: Bool) throws {
    try FileManager.default.createDirectory(
      atPath: scratch,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    var notes = SharedNotes(directory: scratch, isEncrypted: isEncrypted)
    try notes.saveAndWait(entity: SharedNote(value: ["id": 1, "text": "one"]), update: false)
    notes.close()
    let directory = scratch + "/notes"
    for name in ["/data.mdb", "/lock.mdb", "/store.manifest", ""] {
      #expect(chown(directory + name, geteuid(), getegid()) == 0)
      #expect(chmod(directory + name, name.isEmpty ? 0o770 : 0o660) == 0)
    }
    let error = try #require(notes.store().openingError)
    #expect(error.code == .cannotOpen)
    #expect("\(error)".contains("allowsGroupWritableDirectory"), "\(error)")
    #expect(ErrorAdvice(error).next.contains("allowsGroupWritableDirectory in the StoreOptions"))
    #expect(code { _ = try Store.schemaVersion(at: directory) } == .cannotOpen)
    #expect(code { _ = try DynamicStore(directory: directory, encryption: notes.encryption) } == .cannotOpen)

    notes.allows = true
    try notes.saveAndWait(entity: SharedNote(value: ["id": 2, "text": "two"]), update: false)
    try notes.compact()
    try notes.saveAndWait(entity: SharedNote(value: ["id": 3, "text": "three"]), update: false)
    #expect(try notes.check().problems == [])
    notes.close()
    let modes = try ["data.mdb", "lock.mdb", "store.manifest"].map {
      try FileManager.default.attributesOfItem(atPath: directory + "/" + $0)[.posixPermissions] as? Int
    }
    #expect(modes == [0o660, 0o660, 0o660])
    #expect(try Store.schemaVersion(at: directory, allowsGroupWritableDirectory: true) == 3)
    let dynamic = try DynamicStore(
      directory: directory,
      encryption: notes.encryption,
      allowsGroupWritableDirectory: true
    )
    #expect(try dynamic.count(of: "SharedNote") == 3)
    dynamic.close()
    #expect(chmod(directory, 0o777) == 0)
    #expect(code { try notes.open() } == .cannotOpen)
    #expect(chmod(directory, 0o770) == 0)
    try notes.deleteStore()
    #expect(!FileManager.default.fileExists(atPath: directory))
  }
}
