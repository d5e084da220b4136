import Fief
import Foundation
import Testing

/// Stores for the tests of the tool: the example's, with fixed keys and dates.
enum ToolStores {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/Stores")

  /// Calls a closure with a directory of its own, which is removed then.
  static func withDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appending(path: "fief-tool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory.path(percentEncoded: false))
  }

  /// Copies a store of the example into a directory, as its own user would have it.
  ///
  /// - Returns: the copy's directory, with the name of the domain.
  @discardableResult
  static func copy(_ domain: String, version: Int = 1, to directory: String) throws -> String {
    let source = fixtures.appending(path: "\(domain)/version-\(version)")
    let target = URL(filePath: directory).appending(path: domain)
    try FileManager.default.createDirectory(
      at: target,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    for name in ["data.mdb", "store.manifest"] {
      let file = target.appending(path: name)
      try Data(contentsOf: source.appending(path: name)).write(to: file)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: file.path(percentEncoded: false)
      )
    }
    return target.path(percentEncoded: false)
  }

  /// Calls a closure with a copy of a store of the example; afterwards the copy must be whole.
  static func with(_ domain: String, version: Int = 1, _ body: (String) throws -> Void) throws {
    try withDirectory { directory in
      let store = try copy(domain, version: version, to: directory)
      try body(store)
      let opened = try DynamicStore(directory: store)
      #expect(try opened.check().problems == [])
      opened.close()
    }
  }

  /// An empty store with the schema of another.
  static func emptied(_ domain: String, version: Int = 1, in directory: String) throws -> String {
    let path = try copy(domain, version: version, to: directory)
    let store = try DynamicStore(directory: path, isReadOnly: false)
    defer { store.close() }
    try store.write { transaction in
      for type in transaction.types where !type.isEmbedded {
        var keys: [ObjectKey] = []
        try transaction.forEach(ofType: type.name) { object in
          if let key = object.key { keys.append(key) }
        }
        for key in keys { try transaction.delete(type.name, forKey: key) }
      }
    }
    return path
  }
}

extension String {
  /// The text with whatever matches replaced.
  func masking(_ pattern: some RegexComponent, with mask: String) -> String { replacing(pattern, with: mask) }
}
