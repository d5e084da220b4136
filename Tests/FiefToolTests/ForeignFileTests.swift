import Fief
import FiefConsole
import Foundation
import Testing

/// Files that are no store, or cannot be read: a sentence that says what they are and what to do.
@Suite("Files that are no store") struct ForeignFileTests {
  private static let verbs = [["info"], ["check"], ["export"], ["list", "Dog"], ["stats"], ["schema"]]

  private func expect(
    _ path: String,
    _ status: FiefConsole.ExitStatus,
    _ sentences: String...,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for verb in Self.verbs {
      let run = ToolRun([verb[0], path] + verb.dropFirst())
      #expect(run.status == status, "\(verb): \(run.errors)", sourceLocation: location)
      #expect(run.output == "", sourceLocation: location)
      let text = run.errors.replacing("\n  ", with: " ")
      for sentence in sentences {
        #expect(text.contains(sentence), "\(verb): \(text)", sourceLocation: location)
      }
    }
    let document = try ToolRun("info", path, "--json").json()
    #expect(document["status"] as? Int == Int(status.rawValue), sourceLocation: location)
  }

  private func make(_ directory: String, _ name: String, _ contents: [UInt8]) throws -> String {
    let store = directory + "/" + name
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: store)
    try Data(contents).write(to: URL(filePath: store + "/data.mdb"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/data.mdb")
    return store
  }

  @Test("Nothing there, an empty directory, a directory of stores")
  func missing() throws {
    try ToolStores.withDirectory { directory in
      try expect(directory + "/nothing", .notFound, "nothing' does not exist.", "Check the path")
      try expect(directory, .notFound, "is not a store: the directory has no file data.mdb")
      try ToolStores.copy("pets", to: directory)
      try ToolStores.copy("auth", to: directory)
      try expect(directory, .notFound, "contains stores: auth, pets. Give the directory of a store")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["auth", "pets"])
    }
  }

  @Test("Other files: SQLite, text, empty, binary")
  func others() throws {
    try ToolStores.withDirectory { directory in
      let sqlite = try make(
        directory,
        "sqlite",
        Array("SQLite format 3\0".utf8) + [UInt8](repeating: 1, count: 4096)
      )
      try expect(sqlite, .damaged, "is an SQLite database, not a store.")
      try expect(sqlite + "/data.mdb", .damaged, "is an SQLite database, not a store.")
      let text = try make(directory, "text", Array("Dear diary,\n".utf8))
      try expect(text, .damaged, "is a text file, not a store.", "restore a backup")
      let binary = try make(directory, "binary", [UInt8](repeating: 0xA5, count: 9000))
      try expect(binary, .damaged, "is a binary file, not a store.")
      let empty = try make(directory, "empty", [])
      try expect(empty, .notFound, "There is no store at this path.")
      try Data("x".utf8).write(to: URL(filePath: directory + "/notes.txt"))
      try expect(
        directory + "/notes.txt",
        .refused,
        "is a text file, not a store",
        "Give the store's directory"
      )
    }
  }

  @Test("A store that has lost its data, or its end")
  func lost() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.copy("pets", to: directory)
      let data = URL(filePath: store + "/data.mdb")
      let whole = try Data(contentsOf: data)
      try whole.prefix(20_000).write(to: data)
      try expect(store, .damaged, "The store is damaged", "Keep a copy of the directory as it is")
      // Only the other commands advise to run the check.
      for verb in Self.verbs {
        let run = ToolRun([verb[0], store] + verb.dropFirst())
        #expect(run.errors.contains("fief check") == (verb != ["check"]), "\(run.errors)")
      }
      try Data().write(to: data)
      try expect(store, .damaged, "The store is damaged")
      try FileManager.default.removeItem(at: data)
      try expect(store, .damaged, "The store is damaged")
    }
  }

  @Test("An LMDB file of another program")
  func foreign() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.copy("pets", to: directory)
      let file = URL(filePath: store + "/data.mdb")
      var data = try Data(contentsOf: file)
      // Another name in the same order: LMDB's own structure is as it was.
      while let range = data.range(of: Data("fief:catalogue".utf8)) {
        data.replaceSubrange(range, with: Data("fieg:catalogue".utf8))
      }
      try data.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/data.mdb")
      try expect(store, .damaged, "This is an LMDB file, but not a store of Fief: it has no catalogue.")
    }
  }

  @Test("A store that others may write to, and one behind a link")
  func unsafe() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.copy("pets", to: directory)
      try FileManager.default.createSymbolicLink(atPath: directory + "/link", withDestinationPath: store)
      try expect(directory + "/link", .refused, "The path is not safe for a store")
      try FileManager.default.setAttributes([.posixPermissions: 0o722], ofItemAtPath: store)
      try expect(store, .refused, "(writable by all users)", "chmod -R go-w")
    }
  }

  @Test("A store of a newer format")
  func newer() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.copy("pets", to: directory)
      let file = URL(filePath: store + "/data.mdb")
      var data = try Data(contentsOf: file)
      // The catalogue begins with its format and the version of the schema, 2 and 1.
      let head: [UInt8] = [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
      let range = try #require(data.range(of: Data(head)))
      data[range.lowerBound] = 99
      try data.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/data.mdb")
      try expect(
        store,
        .refused,
        "The store was written by a newer release of Fief",
        "the store's format: 99"
      )
    }
  }
}
