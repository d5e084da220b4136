import ChildProcesses
import Fief
import FiefConsole
import Foundation
import TestEffort
import Testing

/// Imports that were interrupted, and what going on with them does: every line counts once.
@Suite("Imports that go on", .timeLimit(.minutes(20))) struct ImportResumptionTests {
  /// Toys, which have no keys of their own, and clubs with presidents of later lines.
  private static func lines(_ count: Int) -> [String] {
    (0..<count).map { number in
      switch number % 3 {
      case 0: #"{"$type":"DogToy","kind":"kind \#(number)"}"#
      case 1:
        #"{"$type":"DogClub","name":"club \#(number)","president":"\#(id(number / 3))"}"#
      default: #"{"$type":"Person","id":"\#(id((count - number) / 3))","name":"P\#(number)"}"#
      }
    }
  }

  private static func id(_ number: Int) -> String {
    let digits = String(number)
    return "F1EF0000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Whether each line's object is there once, with its link, and nothing else is.
  private func expectWhole(_ store: String, lines count: Int) throws {
    let toys = ToolRun("export", store, "DogToy").lines
    #expect(toys.count == count / 3)
    #expect(Set(toys.map { $0.masking(/"\$key":[0-9]+/, with: "") }).count == count / 3)
    let clubs = ToolRun("export", store, "DogClub").lines
    #expect(clubs.count == count / 3)
    #expect(clubs.allSatisfy { !$0.contains("\"president\":null") })
    let opened = try DynamicStore(directory: store)
    #expect(try opened.check().problems == [])
    // Nothing is left of the notes: the catalogue, and the counter of the numbers of toys.
    let rows = try opened.statistics().trees.first { $0.purpose == .catalogue }?.entries
    #expect(rows == 2)
  }

  @Test(
    "Killed at random moments, an import brings every line once",
    arguments: 0..<UInt64(TestEffort.count(1, more: 3))
  )
  func kills(seed: UInt64) throws {
    let executable = try ChildProcess.built("fief")
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.emptied("pets", in: directory)
      let file = directory + "/objects.jsonl"
      let count = TestEffort.count(4_500, more: 6_000)
      try Data(Self.lines(count).joined(separator: "\n").utf8).write(to: URL(filePath: file))
      var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
      var kills = 0
      while true {
        let isBegun = FileManager.default.fileExists(atPath: file + ".import")
        // One that was killed when it was done has left no notes to go on with.
        if kills > 0, !isBegun, !ToolRun("export", store, "DogToy").lines.isEmpty { break }
        let arguments = ["import", store, "-i", file] + (isBegun ? ["--resume"] : [])
        let child = try ChildProcess(executable, arguments, output: .null, errors: .null)
        if kills < TestEffort.count(4, more: 8) {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          usleep(20_000 + UInt32(state >> 40) % 200_000)
          child.kill()
        }
        let end = child.wait()
        if end != .signal(SIGKILL) {
          #expect(end == .exited(0), "seed \(seed), after \(kills) kills")
          break
        }
        kills += 1
      }
      try expectWhole(store, lines: count)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["objects.jsonl", "pets"]
      )
    }
  }

  @Test("The links that wait are in a file that a killed import does not leave")
  func waitingLinks() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.emptied("pets", in: directory)
      let temporary = directory + "/temporary"
      try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
      let child = try ChildProcess(
        ChildProcess.built("fief"),
        ["import", store],
        environment: .inherited(adding: ["TMPDIR": temporary]),
        input: .pipe,
        output: .null,
        errors: .null
      )
      // Some batches are committed, with links that lead to nothing yet, and it waits for more.
      let clubs = (0..<9000).map { #"{"$type":"DogClub","name":"\#($0)","president":"\#(Self.id($0))"}"# }
      try child.input.write(clubs.joined(separator: "\n") + "\n")
      let opened = try DynamicStore(directory: store)
      while try opened.count(of: "DogClub") < 2000, child.isRunning { usleep(10_000) }
      #expect(child.isRunning)
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
      child.kill()
      #expect(child.wait() == .signal(SIGKILL))
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
      opened.close()
    }
  }

  @Test(
    "Objects that an import has skipped or refused get no links when it continues",
    arguments: ["skip", "error"]
  )
  func foreignLinks(conflict: String) throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.emptied("pets", in: directory)
      let own = #"{"name":"Old","members":[]}"#
      #expect(ToolRun("put", store, "DogClub", own, "--write").status == .done)
      let file = directory + "/clubs.jsonl"
      let first = #"{"$type":"DogClub","name":"Old","president":"\#(Self.id(1))"}"#
      let rest = (0..<1500).map { #"{"$type":"DogClub","name":"\#($0)"}"# }
      let last = #"{"$type":"Person","id":"\#(Self.id(1))","name":"P"}"#
      try Data(([first] + rest + [last]).joined(separator: "\n").utf8).write(to: URL(filePath: file))
      let arguments = ["import", store, "-i", file, "--on-conflict", conflict]
      #expect(
        ToolRun(arguments, isInterrupted: { true }).errors.hasSuffix(
          "continue with --resume --on-conflict \(conflict).\n"
        )
      )
      #expect(ToolRun(arguments + ["--resume"]).status == .done)
      #expect(ToolRun("get", store, "DogClub", "Old", "--json").output.contains("\"president\":null"))
    }
  }

  @Test("An import goes on with the options that it began with")
  func options() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.emptied("pets", in: directory)
      let file = directory + "/clubs.jsonl"
      let lines = (0..<1500).map { #"{"$type":"DogClub","name":"\#($0)"}"# }
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
      let begun = ["--on-conflict", "skip", "--dates", "since-2001"]
      let first = ToolRun(["import", store, "-i", file] + begun, isInterrupted: { true })
      let advice = "--resume --on-conflict skip --dates since-2001"
      #expect(first.errors.hasSuffix("continue with \(advice).\n"))
      let forgotten = ToolRun("import", store, "-i", file).errors.replacing(/\s+/, with: " ")
      #expect(forgotten.contains("Use \(advice) to continue it"), "\(forgotten)")
      let others: [(options: [String], words: String)] = [
        (options: [], words: "no --format, --on-conflict or --dates"),
        (
          options: ["--dates", "since-1970", "--on-conflict", "skip"],
          words: "--on-conflict skip --dates since-1970"
        ),
        (
          options: ["--format", "jsonl"] + begun,
          words: "--format jsonl --on-conflict skip --dates since-2001"
        ),
      ]
      for other in others {
        let run = ToolRun(["import", store, "-i", file, "--resume"] + other.options)
        #expect(run.status == .usage)
        let errors = run.errors.replacing(/\s+/, with: " ")
        #expect(
          errors.contains(
            "began with --on-conflict skip --dates since-2001, and cannot continue with \(other.words): "
          )
        )
      }
      #expect(ToolRun(["import", store, "-i", file, "--resume"] + begun).status == .done)
      #expect(ToolRun("export", store, "DogClub").lines.count == 1500)
      let opened = try DynamicStore(directory: store)
      #expect(try opened.check().problems == [])
      opened.close()
    }
  }

  @Test("A journal of an import that has committed nothing, or everything, is no obstacle")
  func emptyJournals() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.emptied("pets", in: directory)
      let file = directory + "/objects.jsonl"
      try Data(Self.lines(300).joined(separator: "\n").utf8).write(to: URL(filePath: file))
      let id = try DynamicStore(directory: store).storeID
      for isDone in [false, true] {
        let journal =
          #"{"id":"\#(UUID())","store":"\#(id)","first":1,"isDone":\#(isDone)}"#
        try Data(journal.utf8).write(to: URL(filePath: file + ".import"))
        if isDone {
          #expect(ToolRun("import", store, "-i", file, "--resume", "--dry-run").status == .done)
          #expect(FileManager.default.fileExists(atPath: file + ".import"))
          #expect(ToolRun("import", store, "-i", file, "--resume").output.contains("already complete"))
          try expectWhole(store, lines: 300)
          #expect(ToolRun("import", store, "-i", file, "--resume").status == .refused)
        } else {
          #expect(ToolRun("import", store, "-i", file, "--resume").status == .done)
          try expectWhole(store, lines: 300)
        }
        #expect(!FileManager.default.fileExists(atPath: file + ".import"))
      }
      try Data("{}".utf8).write(to: URL(filePath: file + ".import"))
      #expect(ToolRun("import", store, "-i", file).status == .refused)
    }
  }

  @Test("A failure in the middle says what was imported")
  func failure() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.emptied("pets", in: directory)
      let input = Self.lines(3000).joined(separator: "\n") + "\n"
      let run = ToolRun(["import", store], input: input, failsAfterInput: true)
      #expect(run.status == .failed)
      let text = run.errors.replacing(/\s+/, with: " ")
      #expect(
        text.contains("The lines before 2001 were imported."),
        "\(text)"
      )
      #expect(text.contains("Continue with --resume-from 2001."))
      #expect(!text.contains("Nothing was changed"))
    }
  }
}
