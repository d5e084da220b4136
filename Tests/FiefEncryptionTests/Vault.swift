import Fief
import FiefEncryption
import Foundation

/// A class with a property of each kind, none of which is in a key but the number.
final class Secret: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var optionalText: String?
  @Persisted var bytes = Data()
  @Persisted var link: Secret?
  @Persisted var part: SecretPart?
  @Persisted var parts: List<SecretPart>
  @Persisted var texts: List<String>
  @Persisted var words: MutableSet<String>
  @Persisted var map: Map<String, String>
  @Persisted var any: AnyRealmValue
  @Persisted(indexed: true) var rank = 0

  convenience init(_ id: Int, _ text: String) {
    self.init()
    self.id = id
    self.text = text
    rank = id % 7
  }

  /// An object that has a text in each place that takes one.
  static func full(_ id: Int, _ text: String) -> Secret {
    let secret = Secret(id, text)
    secret.optionalText = text
    secret.bytes = Data(text.utf8)
    secret.part = SecretPart(value: ["text": text])
    secret.parts.append(SecretPart(value: ["text": text]))
    for number in 0..<3 { secret.texts.append("\(text) \(number)") }
    secret.words.insert(text)
    secret.map["key"] = text
    secret.any = .string(text)
    return secret
  }
}

final class SecretPart: EmbeddedObject {
  @Persisted var text = ""
}

/// A repository whose store is in a directory of the test's.
struct Vault: DatabaseConfigurable, Sendable {
  var parent: String
  var name = "vault"
  var encryption: StoreEncryption?
  var version: UInt64 = 1
  var options = StoreOptions()
  var isInMemory = false

  var realmMemoryType: RealmMemoryType { isInMemory ? .inMemory(identifier: parent + name) : .inStorage }
  var schemaName: String? { name }
  var schemaVersion: UInt64? { version }
  var objectTypes: [Object.Type]? { [Secret.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [SecretPart.self] }
  var migrationBlock: MigrationBlock? { nil }
  var directory: String? { parent }
  var storeOptions: StoreOptions {
    var options = options
    options.encryption = encryption
    return options
  }

  func with(_ encryption: StoreEncryption?) -> Vault {
    var vault = self
    vault.encryption = encryption
    return vault
  }

  /// The texts of all objects by their ids, after an opening.
  func texts() throws -> [Int: String] {
    defer { close() }
    return try read { snapshot in
      snapshot.objects(Secret.self).reduce(into: [:]) { $0[$1.id] = $1.text }
    }
  }
}

/// A directory that goes with the test.
final class Scratch {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("fief-vault-\(UUID())").path
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where bytes are in the files below the directory, free pages included.
  func files(with marker: String) throws -> [String] {
    let wanted = Data(marker.utf8)
    var found: [String] = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let file = URL(fileURLWithPath: path).appendingPathComponent(name)
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory),
        !isDirectory.boolValue
      else {
        continue
      }
      if try Data(contentsOf: file).range(of: wanted) != nil { found.append(name) }
    }
    return found
  }
}

/// The code of the error that `body` throws; nil where it throws none or another one.
func code(_ body: () throws -> Void) -> FiefError.Code? {
  do {
    try body()
    return nil
  } catch { return (error as? FiefError)?.code }
}

extension StoreEncryption {
  /// Keys of tests: 32 bytes that are all the same.
  static func test(_ byte: UInt8) -> StoreEncryption { .key(Data(repeating: byte, count: 32)) }
}
