import Fief
import FiefConsole
import FiefToolKit
import FiefTree
import Foundation
import Testing

/// The commands `fief tree rules …`.
struct RuleToolTests {
  private struct Files {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rules-" + UUID().uuidString)

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try write(
        "rules.json",
        """
        // Who may do what.
        {"rules": {"users": {"$u": {".read": "auth.uid == $u", ".write": "data.val() < newData.val()", "n": {".validate": true}}}},
         "groups": {"users": {".read": true, ".indexOn": "n"}}}
        """
      )
      try write("tree.json", #"{"users": {"ada": 1, "bo": "text", "list": [1, 2]}}"#)
    }

    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  private func run(_ arguments: [String]) -> (status: FiefConsole.ExitStatus, output: String) {
    let output = Lock("")
    let console = Console(terminal: Terminal(isTerminal: false, columns: 120, environment: [:])) { text in
      output.withLock { $0 += text }
    }
    let io = CommandIO(
      output: console,
      error: console,
      isInteractive: false,
      readSecret: { _ in nil },
      environment: [:]
    )
    let streams = ToolStreams(
      io: io,
      writeOutput: { data in output.withLock { $0 += String(decoding: data, as: UTF8.self) } },
      readInput: { Data() }
    )
    return (FiefTool.run(["tree", "rules"] + arguments, streams), output.withLock { $0 })
  }

  @Test func aFileIsChecked() throws {
    let files = try Files()
    defer { files.remove() }
    let checked = run(["check", files.path("rules.json")])
    #expect(checked.status == .done)
    #expect(checked.output.contains("users/$u/.read") && checked.output.contains("groups/users/.read"))
    try files.write("wrong.json", "{\"rules\": {\n  \".read\": \"auth.uid == $u\"}}")
    let wrong = run(["check", files.path("wrong.json")])
    #expect(wrong.status == .failed && wrong.output.contains("line 2, column 25"), "\(wrong.output)")
    #expect(wrong.output.contains("file: ") && wrong.output.contains("wrong.json"))
    // Indexes are listed, and a wrong one is named.
    #expect(checked.output.hasSuffix("  group 'users' on 'n'\n"), "\(checked.output)")
    try files.write("index.json", "{\"rules\": {\"a\": {\"$b\": {\".indexOn\": \"at\"}}}}")
    #expect(
      run(["check", files.path("index.json")]).output.hasSuffix("formed.\n  index of 'a/$b' on 'at'\n")
    )
    let document = try JSON(parsing: Data(run(["check", files.path("index.json"), "--json"]).output.utf8))
    #expect(document == ["rules": [], "indexes": ["index of 'a/$b' on 'at'"]])
    try files.write("index.json", "{\"rules\": {\".indexOn\": \".priority\"}}")
    let index = run(["check", files.path("index.json")])
    #expect(index.status == .failed && index.output.contains("name: .priority"), "\(index.output)")
    #expect(run(["check", files.path("none.json")]).status == .notFound)
    #expect(run([]).output.hasPrefix("fief: ACTION is missing: one of check, test.\n"))
    for arguments in [
      [], ["check"], ["look", "a"], ["check", "a", "b"], ["test", "a"], ["test", "a", "--data", "b", "read"],
      ["check", "a", "--data", "b"], ["test", "a", "--data", "b", "read", "c", "--by", "d"],
    ] {
      #expect(run(arguments).status == .usage, "\(arguments)")
    }
  }

  @Test func textsThatAreWrongAreNamed() throws {
    let files = try Files()
    defer { files.remove() }
    let (rules, data) = (files.path("rules.json"), files.path("tree.json"))
    for (auth, part) in [
      ("ada", "--auth is not a JSON value"), ("1", "the text 'uid'"), (#"{"uid": 1}"#, "the text 'uid'"),
      (#"{"uid": "a", "tokn": {}}"#, "no member 'tokn'. Did you mean 'token'?"),
      (#"{"uid": "a", "provider": 5}"#, "The 'provider' of --auth is not a text."),
      (#"{"uid": "a", "token": "x"}"#, "The 'token' of --auth is not an object."),
    ] {
      let result = run(["test", rules, "--data", data, "--auth", auth, "read", "users"])
      #expect(result.status == .usage && result.output.contains(part), "\(result.output)")
    }
    let value = run(["test", rules, "--data", data, "write", "users", "from"])
    #expect(
      value.status == .usage && value.output.contains("fief: JSON is not a JSON value"),
      "\(value.output)"
    )
    try files.write("wrong.json", "{")
    let wrong = run(["test", rules, "--data", files.path("wrong.json"), "read", "users"])
    #expect(wrong.status == .failed && wrong.output.contains("wrong.json"), "\(wrong.output)")
    let missing = run(["test", rules, "--data", files.path("none.json"), "read", "users"])
    #expect(missing.status == .notFound && missing.output.contains("none.json"), "\(missing.output)")
  }

  @Test func eachRuleIsShownWithItsReason() throws {
    let files = try Files()
    defer { files.remove() }
    let (rules, data) = (files.path("rules.json"), files.path("tree.json"))
    let ada = #"{"uid": "ada", "token": {"admin": true}}"#
    let allowed = run(["test", rules, "--data", data, "--auth", ada, "read", "users/ada/x"])
    #expect(
      allowed.status == .done && allowed.output.hasPrefix("The rules allow the read.\n"),
      "\(allowed.output)"
    )
    #expect(allowed.output.contains("users/$u/.read") && allowed.output.contains("true"))
    let refused = run(["test", rules, "--data", data, "--auth", ada, "read", "users/bo"])
    #expect(
      refused.status == .refused && refused.output.contains("'users/$u/.read' is false for '/users/bo'"),
      "\(refused.output)"
    )
    #expect(run(["test", rules, "--data", data, "read", "users/ada"]).status == .refused)
    #expect(run(["test", rules, "--data", data, "--auth", "null", "read", "users/ada"]).status == .refused)
    #expect(
      run(["test", rules, "--data", data, "read", "users"]).output.contains("no .read rule is at '/users'")
    )
    #expect(run(["test", rules, "--data", data, "write", "users/ada", "2"]).status == .done)
    #expect(run(["test", rules, "--data", data, "write", "users/ada", "1"]).status == .refused)
    let failed = run(["test", rules, "--data", data, "write", "users/bo", "2"])
    #expect(
      failed.status == .refused && failed.output.contains("A comparison needs two numbers or two texts."),
      "\(failed.output)"
    )
    let document = run(["test", rules, "--data", data, "--json", "write", "users/list/0", "2"])
    #expect(
      document.status == .refused && document.output.contains("\"allowed\": false"),
      "\(document.output)"
    )
    #expect(document.output.contains("\"reason\": \"A comparison needs two numbers or two texts.\""))
    for arguments in [["write", "users/ada"], ["read", "users/ada", "1"], ["set", "a"]] {
      #expect(run(["test", rules, "--data", data] + arguments).status == .usage, "\(arguments)")
    }
    #expect(run(["test", rules, "read", "users/ada"]).status == .usage)
    #expect(run(["test", rules, "--data", data, "--auth", "1", "read", "users/ada"]).status == .usage)
    #expect(run(["test", rules, "--data", data, "--auth", "{", "read", "users/ada"]).status == .usage)
    #expect(run(["test", rules, "--data", data, "read", "users/a$"]).status == .failed)
    #expect(run(["test", rules, "--data", data, "write", "users/a", "{"]).status == .usage)
  }
}
