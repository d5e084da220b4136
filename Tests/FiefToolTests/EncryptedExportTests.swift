import Fief
import FiefEncryption
import FiefToolKit
import Foundation
import TestEffort
import Testing

/// Exports that are encrypted with the key of the store.
@Suite("Encrypted exports") struct EncryptedExportTests {
  final class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    @Persisted var next: Note?
  }

  private struct NoteRepository: DatabaseConfigurable {
    let realmMemoryType = RealmMemoryType.inStorage
    let schemaName: String?
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Note.self]
    let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
    let directory: String?
    let encryption: StoreEncryption?

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.encryption = encryption
      return options
    }
  }

  private let marker = "marker-8d1f"
  private let padding = String(repeating: "-", count: 100)

  /// A store `old` with notes that link the next one, an empty one `new`, both with the key in `key`, and an empty one in clear.
  private func withStores(notes: Int, _ body: (_ directory: String, _ key: String) throws -> Void) throws {
    try ToolStores.withDirectory { directory in
      let key = directory + "/key"
      try StoreEncryption.makeKeyFile(at: key)
      for (name, encryption) in [
        ("old", StoreEncryption.keyFile(key)), ("new", .keyFile(key)), ("clear", nil),
      ] {
        let repository = NoteRepository(schemaName: name, directory: directory, encryption: encryption)
        try repository.write { transaction in
          guard name == "old" else { return }
          for id in 0..<notes {
            try transaction.add(Note(value: ["id": id, "text": "\(marker) \(id) \(padding)"]))
          }
          for id in 0..<(notes - 1) {
            let note = try transaction.object(ofType: Note.self, forPrimaryKey: id)
            note?.next = try transaction.object(ofType: Note.self, forPrimaryKey: id + 1)
          }
        }
        repository.store().close()
      }
      try body(directory, key)
    }
  }

  private func texts(_ store: String, _ key: String?) throws -> [String] {
    let dynamic = try DynamicStore(directory: store, encryption: key.map { .keyFile($0) })
    defer { dynamic.close() }
    var texts: [String] = []
    try dynamic.read { snapshot in
      try snapshot.forEach(ofType: "Note") { note in
        texts.append("\(note["text"] ?? "") -> \(note["next"].map { "\($0)" } ?? "none")")
      }
    }
    return texts
  }

  @Test(
    "are read with the key into an encrypted store and one in clear, from a file and standard input",
    arguments: ["jsonl", "csv"]
  )
  func roundTrip(format: String) throws {
    // Several pieces, and links that wait in a temporary file.
    let count = TestEffort.count(1_200, more: 3_000)
    try withStores(notes: count) { directory, key in
      let file = directory + "/notes.\(format)"
      let exported = ToolRun(
        "export",
        directory + "/old",
        "Note",
        "-o",
        file,
        "--encrypt",
        "--key-file",
        key
      )
      #expect(exported.status == .done, "\(exported.errors)")
      let bytes = try Data(contentsOf: URL(filePath: file))
      #expect(bytes.count > count * marker.utf8.count && bytes.range(of: Data(marker.utf8)) == nil)
      let expected = try texts(directory + "/old", key)
      #expect(expected.count == count)
      for (store, own) in [("new", key), ("clear", nil)] as [(String, String?)] {
        let imported = ToolRun("import", "\(directory)/\(store)", "Note", "-i", file, "--key-file", key)
        #expect(imported.status == .done, "\(imported.errors)")
        #expect(try texts("\(directory)/\(store)", own) == expected)
      }
      let piped = ToolRun(
        [
          "import", directory + "/clear", "Note", "--format", format, "--on-conflict", "replace",
          "--key-file", key,
        ],
        inputData: bytes
      )
      #expect(
        piped.status == .done && piped.output.contains(TestEffort.isLong ? "3,000" : "1,200"),
        "\(piped.errors)"
      )
    }
  }

  @Test("are refused without the key and with another one, and where they were changed or cut off")
  func misfits() throws {
    // The pieces before the last one have more than an import commits at once.
    try withStores(notes: TestEffort.count(1_500, more: 2_000)) { directory, key in
      let file = directory + "/notes.jsonl"
      #expect(
        ToolRun("export", directory + "/old", "Note", "-o", file, "--encrypt", "--key-file", key).status
          == .done
      )
      let (clear, other) = (directory + "/clear", directory + "/other")
      try StoreEncryption.makeKeyFile(at: other)
      let without = ToolRun("import", clear, "Note", "-i", file)
      #expect(without.status == .refused && without.errors.contains("--key-file"))
      let wrong = ToolRun("import", clear, "Note", "-i", file, "--key-file", other)
      #expect(wrong.status == .refused && wrong.errors.contains("different key"))
      #expect(try texts(clear, nil) == [])
      let whole = try Data(contentsOf: URL(filePath: file))
      let seed = UInt64.random(in: 0..<1 << 32)
      var random = ToolRandom(seed)
      for round in 0..<TestEffort.count(6, more: 40) {
        var damaged = whole
        if round % 2 == 0 {
          damaged = Data(damaged.prefix(Int(random.next() % UInt64(whole.count))))
        } else {
          damaged[Int(random.next() % UInt64(whole.count))] ^= 1 << UInt8(random.next() % 8)
        }
        try damaged.write(to: URL(filePath: directory + "/damaged.jsonl"))
        let run = ToolRun(
          "import",
          clear,
          "Note",
          "-i",
          directory + "/damaged.jsonl",
          "--dry-run",
          "--key-file",
          key
        )
        // What does not begin as an encrypted file is lines that are wrong, or nothing at all.
        if damaged.starts(with: Data("FIEFFILE".utf8)) {
          #expect([.damaged, .refused].contains(run.status), "seed \(seed), round \(round): \(run.output)")
        } else {
          #expect(run.status != .done || damaged.count < 8, "seed \(seed), round \(round): \(run.output)")
        }
        #expect(try texts(clear, nil) == [], "seed \(seed), round \(round)")
      }
      // The last byte is in the last piece: what was committed before stays, and another copy of the file goes on.
      var last = whole
      last[last.endIndex - 1] ^= 1
      try last.write(to: URL(filePath: directory + "/cut.jsonl"))
      let cut = ToolRun("import", clear, "Note", "-i", directory + "/cut.jsonl", "--key-file", key)
      #expect(cut.status == .damaged && cut.errors.contains("--resume"), "\(cut.errors)")
      try whole.write(to: URL(filePath: directory + "/cut.jsonl"))
      let resumed = ToolRun(
        "import",
        clear,
        "Note",
        "-i",
        directory + "/cut.jsonl",
        "--resume",
        "--key-file",
        key
      )
      #expect(resumed.status == .done, "\(resumed.errors)")
      #expect(try texts(clear, nil) == (try texts(directory + "/old", key)))
      // A file that has more than its last piece is none either.
      try (whole + whole).write(to: URL(filePath: directory + "/damaged.jsonl"))
      let longer = ToolRun(
        "import",
        clear,
        "Note",
        "-i",
        directory + "/damaged.jsonl",
        "--dry-run",
        "--key-file",
        key
      )
      #expect(longer.status == .damaged, "\(longer.errors)")
    }
  }

  @Test("need a key, and are not resumed; the key of a store in clear is that of the export")
  func options() throws {
    try withStores(notes: 10) { directory, key in
      let file = directory + "/notes.jsonl"
      try Data("kept".utf8).write(to: URL(filePath: file + ".partial"))
      let without = ToolRun("export", directory + "/clear", "Note", "-o", file, "--encrypt")
      #expect(without.status == .usage && without.errors.contains("--key-file"))
      let unusable = ToolRun(
        "export",
        directory + "/clear",
        "Note",
        "-o",
        file,
        "--encrypt",
        "--key-file",
        directory
      )
      #expect(unusable.status == .refused && !unusable.errors.contains("store: export"), "\(unusable.errors)")
      #expect(try Data(contentsOf: URL(filePath: file + ".partial")) == Data("kept".utf8))
      let resumed = ToolRun(
        "export",
        directory + "/old",
        "-o",
        file,
        "--encrypt",
        "--resume",
        "--key-file",
        key
      )
      #expect(resumed.status == .usage && !FileManager.default.fileExists(atPath: file))
      let clear = ToolRun("export", directory + "/clear", "Note", "-o", file, "--encrypt", "--key-file", key)
      #expect(clear.status == .done, "\(clear.errors)")
      let bytes = try Data(contentsOf: URL(filePath: file))
      #expect(bytes.starts(with: Data("FIEFFILE".utf8)))
      #expect(ToolRun("export", directory + "/clear", "Note", "--key-file", key).status == .refused)
    }
  }
}

extension EncryptedExportTests {
  @Test("have records longer than many pieces, passphrases of their own, and come through pipes")
  func longRecords() throws {
    try ToolStores.withDirectory { directory in
      let long = String(repeating: "long \(marker) ", count: 40_000)
      for name in ["old", "new"] {
        let repository = NoteRepository(schemaName: name, directory: directory, encryption: nil)
        try repository.write { transaction in
          if name == "old" { try transaction.add(Note(value: ["id": 1, "text": long])) }
        }
        repository.store().close()
      }
      let file = directory + "/notes.jsonl"
      let environment = ["PHRASE": "correct horse"]
      let exported = ToolRun(
        ["export", directory + "/old", "Note", "-o", file, "--encrypt", "--key-env", "PHRASE"],
        environment: environment
      )
      #expect(exported.status == .done, "\(exported.errors)")
      let pipe = directory + "/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      let bytes = try Data(contentsOf: URL(filePath: file))
      for isTrial in [true, false] {
        let feeding = Thread {
          guard let handle = FileHandle(forWritingAtPath: pipe) else { return }
          try? handle.write(contentsOf: bytes)
          try? handle.close()
        }
        feeding.start()
        let imported = ToolRun(
          ["import", directory + "/new", "Note", "-i", pipe, "--key-env", "PHRASE"]
            + (isTrial ? ["--dry-run"] : []),
          environment: environment
        )
        #expect(imported.status == .done && imported.output.contains("1"), "\(imported.errors)")
      }
      #expect(try texts(directory + "/new", nil) == (try texts(directory + "/old", nil)))
    }
  }
}

/// Numbers from a seed.
private struct ToolRandom {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
