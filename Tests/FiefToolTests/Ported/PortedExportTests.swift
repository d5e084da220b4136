import FiefConsole
import FiefRealm
import Foundation
import Testing

/// Exports written by hand, as the exporter of *Coming from Realm* and as MongoDB's tools write them.
@Suite("Exports of every type of property, by hand") struct PortedExportTests {
  private static let exports = ["exporter", "mongodb"]
  private static let key = Data((0..<64).map { UInt8($0) })

  private func fixture(_ name: String) -> URL {
    URL(filePath: #filePath).appending(path: "../../../Fixtures/RealmExports/\(name).jsonl")
      .standardizedFileURL
  }

  private func configuration(in directory: String, key: Data? = nil) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: URL(filePath: directory).appending(path: "ported.realm"),
      encryptionKey: key,
      objectTypes: Ported.types
    )
  }

  /// Compares every value of a store with the expectations, and closes it.
  private func check(_ configuration: Realm.Configuration, in directory: String) throws {
    let realm = try Realm(configuration: configuration)
    try PortedExpectations(realm).check()
    realm.close()
    let encryption = configuration.encryptionKey.map { StoreEncryption.key($0) }
    let store = try DynamicStore(directory: directory + "/ported", encryption: encryption)
    #expect(try store.check().problems == [])
    store.close()
  }

  @Test("Realm.importObjects reads every value", arguments: exports, [nil, key])
  func importer(export: String, key: Data?) throws {
    try ToolStores.withDirectory { directory in
      let configuration = configuration(in: directory, key: key)
      #expect(try Realm.importObjects(from: fixture(export), configuration: configuration))
      try check(configuration, in: directory)
    }
  }

  @Test("fief import reads every value, and fief export writes every value back", arguments: exports)
  func tool(export: String) throws {
    try ToolStores.withDirectory { directory in
      let configuration = configuration(in: directory)
      try Realm(configuration: configuration).close()
      let path = directory + "/ported"
      let run = ToolRun("import", path, "-i", fixture(export).path)
      #expect(run.status == .done, "\(run.errors)")
      try check(configuration, in: directory)
      let lines = ToolRun("export", path).lines

      try ToolStores.withDirectory { other in
        let second = self.configuration(in: other)
        try Realm(configuration: second).close()
        let again = ToolRun(["import", other + "/ported"], input: lines.joined(separator: "\n"))
        #expect(again.status == .done, "\(again.errors)")
        try check(second, in: other)
        #expect(ToolRun("export", other + "/ported").lines == lines)
      }
    }
  }

  @Test("Both exports fill stores that are exported to the same lines")
  func equalStores() throws {
    let lines = try Self.exports.map { export in
      try ToolStores.withDirectory { directory throws -> [String] in
        let configuration = configuration(in: directory)
        #expect(try Realm.importObjects(from: fixture(export), configuration: configuration))
        return ToolRun("export", directory + "/ported").lines
      }
    }
    #expect(lines[0] == lines[1])
    #expect(lines[0].count == 31)
  }
}
