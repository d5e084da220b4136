import Fief
import FiefConsole
import FiefToolKit
import Foundation
import TestEffort
import Testing

/// Exports to files, their interruptions, and the verbs that make files.
@Suite("Export, backup and compaction") struct ExportTests {
  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  @Test("A file appears when it is whole, and is not replaced unasked")
  func file() throws {
    try ToolStores.with("pets") { store in
      let file = store + ".jsonl"
      let run = ToolRun("export", store, "-o", file)
      #expect(run.status == .done)
      #expect(run.output == "")
      #expect(run.errors == "Exported 16 objects to \(file).\n")
      let whole = ToolRun("export", store).output
      let written = try text(file)
      #expect(written == whole)
      #expect(!FileManager.default.fileExists(atPath: file + ".partial"))
      let twice = ToolRun("export", store, "-o", file)
      #expect(twice.status == .refused)
      #expect(
        // Where its lines end depends on the path.
        twice.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
          .hasSuffix("exists. Nothing was changed. Choose another name, or add --force to replace it.")
      )
      #expect(ToolRun("export", store, "Dog", "-o", file, "--force").status == .done)
      let dogs = ToolRun("export", store, "Dog").output
      let replaced = try text(file)
      #expect(replaced == dogs)
    }
  }

  @Test("Types come after those that they link, and each line says its type where there are several")
  func order() throws {
    try ToolStores.with("pets") { store in
      let lines = ToolRun("export", store).lines
      let types = lines.compactMap { $0.firstMatch(of: /^\{"\$type":"([A-Za-z]+)"/).map { String($0.1) } }
      #expect(types.count == 16)
      #expect(
        types.reduce(into: []) { if $0.last != $1 { $0.append($1) } } == [
          "DogToy", "Dog", "Person", "DogClub",
        ]
      )
      #expect(ToolRun("export", store, "Dog").lines.allSatisfy { $0.hasPrefix(#"{"id":"#) })
      #expect(ToolRun("export", store, "--format", "csv").status == .usage)
    }
  }

  @Test("A partial file goes on after its last whole line, wherever it was cut", arguments: ["jsonl", "csv"])
  func resume(format: String) throws {
    try ToolStores.with("payments") { store in
      let types = format == "csv" ? ["Product"] : []
      let whole = ToolRun(["export", store] + types + ["--format", format]).output
      let bytes = Array(whole.utf8)
      for cut in stride(from: 0, through: bytes.count, by: TestEffort.count(397, more: 61)) {
        let file = "\(store)-\(cut).\(format)"
        try Data(bytes[..<cut]).write(to: URL(filePath: file + ".partial"))
        let run = ToolRun(["export", store] + types + ["-o", file, "--resume"])
        #expect(run.status == .done, "cut at \(cut): \(run.errors)")
        let written = try text(file)
        #expect(written == whole, "cut at \(cut)")
      }
      let file = store + "-foreign.jsonl"
      try Data("{\"x\":1}\n".utf8).write(to: URL(filePath: file + ".partial"))
      let foreign = ToolRun("export", store, "-o", file, "--resume")
      #expect(foreign.status == .refused)
      #expect(foreign.errors.contains("The partial file does not belong to this export"))
      #expect(ToolRun("export", store, "--resume").status == .usage)
    }
  }

  @Test("backup makes a whole copy while the store is open, and replaces nothing")
  func backup() throws {
    try ToolStores.with("pets") { store in
      let open = try DynamicStore(directory: store, isReadOnly: false)
      defer { open.close() }
      let copy = store + "-copy"
      let run = ToolRun("backup", store, copy)
      #expect(run.output == "pets was copied to \(copy): 60.0 KiB.\n")
      #expect(ToolRun("export", copy).output == ToolRun("export", store).output)
      #expect(ToolRun("check", copy).status == .done)
      for place in ["/proc/copy", store + "/data.mdb/copy"] {
        let run = ToolRun("backup", store, place)
        #expect(run.errors.contains("The directory cannot be created."), "\(run.errors)")
        #expect(run.errors.contains("path: \(place)"), "\(run.errors)")
        #expect(!run.errors.contains("chmod"))
      }
      let twice = ToolRun("backup", store, copy)
      #expect(twice.status == .refused)
      #expect(twice.errors.contains("The destination exists."))
    }
  }

  @Test("compact gives pages back, and is refused while others have the store open")
  func compact() throws {
    try ToolStores.with("pets") { store in
      let filling = try DynamicStore(directory: store, isReadOnly: false)
      try filling.write { transaction in
        for number in 0..<3000 { try transaction.put("DogClub", ["name": "Club \(number)"]) }
      }
      try filling.write { transaction in
        for number in 0..<3000 { try transaction.delete("DogClub", forKey: "Club \(number)") }
      }
      let refused = ToolRun("compact", store, "--write")
      #expect(refused.status != .done)
      #expect(refused.errors.contains("open elsewhere in this process"))
      filling.close()
      let before = ToolRun("export", store).output
      let run = ToolRun("compact", store, "--write")
      #expect(run.status == .done, "\(run.errors)")
      let shown = run.output.masking(/[0-9.]+ [KM]iB/, with: "SIZE")
      #expect(shown == "pets now has SIZE; before it had SIZE.\n")
      #expect(ToolRun("export", store).output == before)
      let statistics = try ToolRun("stats", store, "--json").json()
      #expect(statistics["freePages"] as? Int == 0)
    }
  }

  @Test("A file that cannot be written is said with the system's reason")
  func unwritable() throws {
    try ToolStores.with("pets") { store in
      let missing = ToolRun("export", store, "-o", store + "-none/pets.jsonl")
      #expect(missing.status == .failed)
      let text = missing.errors.replacing(/\s+/, with: " ")
      #expect(
        text.contains("-none/pets.jsonl' cannot be used: No such file or directory."),
        "\(text)"
      )
    }
  }

  @Test("A full disk is said to be full", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDisk() throws {
    try ToolStores.with("pets") { store in
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let errors = Lock("")
      let io = CommandIO(
        output: Console(terminal: .plain) { _ in },
        error: Console(terminal: .plain) { text in errors.withLock { $0 += text } }
      )
      let streams = ToolStreams(io: io, writeOutput: { try full.write(contentsOf: $0) })
      #expect(FiefTool.run(["export", store], streams) == .failed)
      let text = errors.withLock { $0 }.replacing(/\s+/, with: " ")
      #expect(text.contains("No space is left for the file: No space left on device."), "\(text)")
    }
  }
}
