import ChildProcesses
import Fief
import FiefConsole
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import TestEffort
import Testing

/// The commands `fief tree import`, `export` and `lint`.
@Suite(.freshStores(.onDisk)) struct TreeTransferToolTests {
  private let repository = ChatRepository()
  private let files: TransferFiles
  private var tree: JSONTree { JSONTree(in: repository) }

  init() throws { files = try TransferFiles() }

  private func store() throws -> String { try #require(repository.store().directory) }

  private func run(_ arguments: String...) throws -> TreeTool.Result {
    try TreeTool.run(["tree"] + arguments, in: store())
  }

  private func expect(
    _ status: FiefConsole.ExitStatus,
    _ output: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ run: () throws -> TreeTool.Result
  ) throws {
    try TreeTool.expect(status, output, sourceLocation: sourceLocation, run)
  }

  /// Expects a failure whose text has all of these parts, and that the tree is as it was.
  private func expectFailure(
    _ status: FiefConsole.ExitStatus,
    _ parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ run: () throws -> TreeTool.Result
  ) throws {
    let before = try tree.root.snapshot().json
    let result = try run()
    #expect(result.status == status, "\(result.output)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(result.output.contains(part), "\(result.output)", sourceLocation: sourceLocation)
    }
    #expect(try tree.root.snapshot().json == before, sourceLocation: sourceLocation)
  }

  @Test func filesAreImported() throws {
    try tree.reference("other").setValueAndWait(1)
    let file = try files.file(
      #"{"r1": {".value": {"n": 12345678901234567890}, ".priority": 3}, "r2": {".priority": "x", "t": [true]}}"#
    )
    try expect(.refused) { try run("import", "STORE", file, "--at", "rooms") }
    #expect(try !tree.reference("rooms").exists())
    try expect(.done, "2 leaves imported\n1 integer rounded\n2 priorities dropped\n") {
      try run("import", "STORE", file, "--at", "rooms", "--write")
    }
    let rooms: JSON = ["r1": ["n": 1.2345678901234567e19], "r2": ["t": ["0": true]]]
    #expect(try tree.root.snapshot().json == ["other": 1, "rooms": rooms])
    let result = try run(
      "import",
      "STORE",
      try files.file("[1]"),
      "--at",
      "/",
      "--write",
      "--json"
    )
    let report = try JSON(parsing: Data(result.output.utf8))
    #expect(result.status == .done)
    #expect(
      report == ["path": "", "changed": true, "leaves": 1, "roundedIntegers": 0, "droppedPriorities": 0]
    )
    #expect(try tree.root.snapshot().json == ["0": 1])
    try expect(.nothingToDo, "The tree has this value already.\n") {
      try run("import", "STORE", try files.file("[1]"), "--at", "/", "--write")
    }
    let missing = try run("export", "STORE", "--at", "b", "--json")
    #expect(missing.status == .notFound && missing.output.hasPrefix("{\"error\":{"), "\(missing.output)")
  }

  @Test func standardInputIsImported() throws {
    try tree.root.setValueAndWait(["a": 1])
    let child = try ChildProcess(
      ChildProcess.built("fief"),
      ["tree", "import", store(), "-", "--at", "b", "--write"],
      input: .pipe,
      output: .null
    )
    try child.input.write("[true]")
    child.input.close()
    #expect(child.wait() == .exited(0))
    #expect(try tree.root.snapshot().json == ["a": 1, "b": ["0": true]])
  }

  @Test func filesThatAreWrongAreRefused() throws {
    try tree.root.setValueAndWait(["a": 1])
    for (text, parts) in [
      ("{\"a\": 1,\n \"b\" 2}", ["malformedJSON", "line 2, column 6"]),
      ("{\"b\": 1,\n \"b\": 2}", ["malformedJSON", "line 2, column 2", "two members of one name"]),
      ("{\"x\": {\n\"a.b\": 1}}", ["invalidTreeKey", "line 2, column 1", "x/a.b"]),
      ("[\n1e999]", ["invalidValue", "line 2, column 1"]),
      (
        String(repeating: "[", count: 33) + "1" + String(repeating: "]", count: 33),
        ["treeTooDeep", "column"]
      ),
    ] {
      let file = try files.file(text)
      let result = try run("import", "STORE", file, "--at", "/", "--write", "--json")
      #expect(result.status == .failed, "\(result.output)")
      for part in parts { #expect(result.output.contains(part), "\(part): \(result.output)") }
      // One message for people, with the position.
      let lines = try run("import", "STORE", file, "--at", "/", "--write").output.split(separator: "\n")
      #expect(lines.count { $0.hasPrefix("fief: ") } == 1 && lines.contains { $0.contains("line ") })
    }
    try expectFailure(.notFound, "missing.json", "Check the path") {
      try run("import", "STORE", files.path("missing.json"), "--at", "/", "--write")
    }
    #expect(try tree.root.snapshot().json == ["a": 1] && tree.check() == [])
  }

  @Test func misuseOfTheCommandsIsRefused() throws {
    try tree.root.setValueAndWait(["a": 1])
    let file = try files.file("1")
    try expectFailure(.usage, "FILE is missing") { try run("import", "STORE", "--at", "/", "--write") }
    try expectFailure(.usage, "--at is missing") { try run("import", "STORE", file, "--write") }
    try expectFailure(.usage, "unexpected") { try run("import", "STORE", file, "b", "--at", "/", "--write") }
    try expectFailure(.failed, "invalidTreeKey") {
      try run("import", "STORE", file, "--at", "a$", "--write", "--json")
    }
    // A place without --at is not ignored.
    try expectFailure(.usage, "unexpected") { try run("export", "STORE", "a") }
    try expectFailure(.usage, "unexpected") { try run("lint", "STORE", "a", "--firebase") }
    try expectFailure(.usage, "unexpected") { try run("check", "STORE", "a") }
    try expectFailure(.usage, "--firebase is missing") { try run("lint", "STORE") }
    try expectFailure(.notFound, "'/b'") { try run("export", "STORE", "--at", "b") }
    try expectFailure(.failed, "inputOutput") {
      try run("export", "STORE", "-o", files.path("missing/out.json"), "--json")
    }
    // The advice concerns the file, and not the store.
    let failures = [
      try run("export", "STORE", "-o", files.path("missing/out.json"), "--json"),
      try run("export", "STORE", "-o", files.directory, "--json"),
    ]
    for failure in failures {
      #expect(failure.status == .failed && failure.output.contains("Check the path, then try again."))
      #expect(!failure.output.contains("disk failures"), "\(failure.output)")
    }
    // The store and the file in the wrong order.
    try expectFailure(.usage, "FILE is a directory", "STORE comes before FILE.") {
      try run("import", file, "STORE", "--at", "/", "--write")
    }
    // A directory and a pipe are not replaced.
    let pipe = files.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [files.directory, pipe] {
      try expectFailure(.failed, "not a regular file") { try run("export", "STORE", "-o", path) }
    }
    var status = stat()
    #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    let circle = files.path("circle")
    try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: "circle")
    try expectFailure(.failed, "in a circle") { try run("export", "STORE", "-o", circle) }
    #expect(try files.names == ["circle", "in.json", "pipe"])
  }

  @Test func placesAreExported() throws {
    try tree.root.setValueAndWait(["a": ["list": ["x", nil, "z"], "f": 0.1, "i": 1], "b": "\u{1F600}"])
    let a = #"{"f":0.1,"i":1,"list":{"0":"x","2":"z"}}"#
    try expect(.done, "{\"a\":\(a),\"b\":\"\u{1F600}\"}\n") { try run("export", "STORE") }
    try expect(.done, #"["x",null,"z"]"# + "\n") {
      try run("export", "STORE", "--at", "a/list", "--arrays")
    }
    let out = files.path("out.json")
    try expect(.done, "") { try run("export", "STORE", "--at", "a", "-o", out) }
    #expect(try files.text("out.json") == a + "\n")
    // An existing file is replaced, also by its link.
    let link = files.path("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: out)
    try expect(.done, "") { try run("export", "STORE", "--at", "b", "-o", link) }
    #expect(try files.text("out.json") == "\"\u{1F600}\"\n" && files.names == ["link.json", "out.json"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == out)
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.json")
    try expect(.done, "") { try run("export", "STORE", "--at", "b", "-o", link) }
    #expect(try files.text("new.json") == "\"\u{1F600}\"\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "new.json")
    // An import restores the exported value.
    let whole = try tree.root.snapshot().json
    try expect(.done) { try run("export", "STORE", "-o", out) }
    try tree.root.removeValueAndWait()
    try expect(.done, "5 leaves imported\n") { try run("import", "STORE", out, "--at", "/", "--write") }
    #expect(try tree.root.snapshot().json == whole)
  }

  @Test func theOriginalsLimitsAreListed() throws {
    try tree.root.setValueAndWait(["ok": .int(1 << 53), "n": .int(-(1 << 53))])
    try expect(.done, "The Realtime Database accepts the tree of chat.\n") {
      try run("lint", "STORE", "--firebase")
    }
    let long = Array(repeating: String(repeating: "n", count: 768), count: 2).joined(separator: "/")
    let deep = (0..<32).map { "l\($0)" }.joined(separator: "/")
    try tree.root.updateChildValuesAndWait([long: true, deep: 2, "big": .int((1 << 53) + 1)])
    let problems = [
      ("big", "the integer is beyond 2^53"), (deep, "the path has 32 levels"),
      (long, "the path has 1537 bytes, which is more than 768"),
    ]
    try expect(.failed, problems.map { "/\($0.0): \($0.1)\n" }.joined()) {
      try run("lint", "STORE", "--firebase")
    }
    let result = try run("lint", "STORE", "--firebase", "--json")
    let listed: [JSON] = problems.map { ["path": .string($0.0), "problem": .string($0.1)] }
    #expect(result.status == .failed)
    #expect(try JSON(parsing: Data(result.output.utf8)) == ["problems": .array(listed)])
  }

  @Test func theHelpTeachesTheCommands() throws {
    let help = try run("--help")
    for example in [
      "fief tree import data/chat rooms.json --at rooms --write",
      "fief tree export data/chat --at rooms -o rooms.json", "fief tree lint data/chat --firebase",
    ] {
      #expect(help.output.contains(example))
    }
  }

  @Test func argumentsThatAreNotUTF8AreRefused() throws {
    let command = "exec \"$1\" tree set \"$2\" \"$(printf 'bad\\377')\" 1 --write"
    let result = try ChildProcess.run("sh", ["-c", command, "sh", ChildProcess.built("fief"), store()])
    #expect(
      result.status == 64 && result.errors.hasPrefix("fief: Argument 4 is not UTF-8."),
      "\(result.errors)"
    )
    #expect(try !tree.root.exists())
  }

  @Test func theExampleForADirectoryOfStoresCanBeTyped() throws {
    try tree.root.setValueAndWait(1)
    let command = "cd \"$2/..\" && exec \"$1\" tree get \"\""
    let result = try ChildProcess.run("sh", ["-c", command, "sh", ChildProcess.built("fief"), store()])
    #expect(result.status == 6 && result.errors.contains("'./chat'"), "\(result.errors)")
  }

  @Test func storesWithoutATreeAreNotFound() throws {
    let members = ChatRepository(schemaName: "members", objectTypes: [Member.self])
    try members.write { _ = try $0.create(Member.self, value: ["id": "ada"]) }
    let path = try #require(members.store().directory)
    for words in [
      ["import", path, try files.file("1"), "--at", "/", "--write"], ["export", path],
      ["lint", path, "--firebase"],
    ] {
      try expect(.notFound) { TreeTool.run(["tree"] + words, in: path) }
    }
  }

  /// The number of bytes of a text, so that the entries of an import do not fit into memory.
  private static let length = 12_000

  private func names(_ directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  /// Starts an import that has read a part of its file and has entries on the disk, and waits for the rest.
  private func beginImport() throws -> ChildProcess {
    let child = try ChildProcess(
      ChildProcess.built("fief"),
      ["tree", "import", store(), "/dev/stdin", "--at", "a", "--write"],
      input: .pipe,
      output: .null,
      errors: .null
    )
    let text = String(repeating: "x", count: Self.length)
    try child.input.write("{")
    for index in 0..<3000 { try child.input.write("\"m\(index * 7919 % 3000)\":\"\(text)\",") }
    return child
  }

  @Test(arguments: [SIGKILL, SIGINT, SIGTERM]) func aKilledImportLeavesNothing(_ signal: Int32) throws {
    try tree.root.setValueAndWait(["a": ["b": 1]])
    let directory = try store()
    repository.close()
    let before = try names(directory)
    let child = try beginImport()
    // The temporary file has no name.
    #expect(try names(directory) == before)
    #expect(child.send(signal) && child.wait() == .signal(signal))
    #expect(try names(directory) == before)
    #expect(try tree.root.snapshot().json == ["a": ["b": 1]] && tree.check() == [])
    #expect(try repository.check().isConsistent && names(directory) == before)
  }

  /// The greatest anonymous memory of a process until it ends, in KiB.
  private func peak(of child: ChildProcess) async throws -> Int {
    var most = 0
    while child.isRunning {
      let status = try? String(contentsOfFile: "/proc/\(child.id)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
      most = max(most, line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
      try await Task.sleep(for: .milliseconds(2))
    }
    return most
  }

  /// The limit is 96 MiB above the memory of an open store. The file has 105 MiB, and the index as much.
  /// The short form imports 8 MiB, which shows that an import with an index is whole.
  @Test(.timeLimit(.minutes(10))) func theMemoryOfAnImportIsBounded() async throws {
    let indexed = JSONTree(in: repository, rules: try AccessRules().index("a", on: ".value"))
    try indexed.reference("a/old").setValueAndWait(1)
    while try indexed.indexes().isEmpty || !indexed.indexes().allSatisfy(\.isComplete) {
      try await Task.sleep(for: .milliseconds(5))
    }
    repository.close()
    let count = TestEffort.count(700, more: 9_000)
    for round in 0..<2 {
      let text = String(repeating: "x", count: Self.length)
      let members = (0..<count).map { "\"m\($0 * 7919 % count)\":\"\($0)\(round)\(text)\"" }
      let file = try files.file("{" + members.joined(separator: ",") + "}")
      let child = try ChildProcess(
        ChildProcess.built("fief"),
        ["tree", "import", store(), file, "--at", "a", "--write"],
        output: .null
      )
      let most = try await peak(of: child)
      #expect(child.wait() == .exited(0) && most < 112 << 10, "round \(round): \(most) KiB")
    }
    #expect(try JSONTree(in: repository).reference("a").childCount() == count)
    #expect(try JSONTree(in: repository).check() == [])
  }

  @Test func anImportIsOneCommitAfterTheWholeFile() throws {
    try tree.root.setValueAndWait(["a": ["b": 1]])
    let child = try beginImport()
    // The import does not lock the store while it reads.
    try tree.reference("c").setValueAndWait(2)
    #expect(try tree.root.snapshot().json == ["a": ["b": 1], "c": 2])
    try child.input.write("\"z\":1}")
    child.input.close()
    #expect(child.wait() == .exited(0))
    #expect(try tree.reference("a").childCount() == 3001 && tree.reference("c").value() == 2)
    #expect(try tree.reference("a/m2999").value().string?.utf8.count == Self.length)
    #expect(try tree.check() == [] && repository.check().isConsistent)
  }
}
