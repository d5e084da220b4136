import Fief
import FiefConsole
import FiefTesting
import FiefTreeTestKit
import Foundation
import Testing

@testable import FiefTree

/// The commands `fief tree …`.
@Suite(.freshStores(.onDisk)) struct TreeToolTests {
  private let tree = JSONTree(in: ChatRepository())

  private func run(_ arguments: String..., input: String = "") throws -> TreeTool.Result {
    try run(arguments, input: input)
  }

  private func run(_ arguments: [String], input: String = "") throws -> TreeTool.Result {
    try TreeTool.run(arguments, in: #require(ChatRepository().store().directory), input: input)
  }

  private func expect(
    _ status: FiefConsole.ExitStatus,
    _ output: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ run: () throws -> TreeTool.Result
  ) throws {
    try TreeTool.expect(status, output, sourceLocation: sourceLocation, run)
  }

  @Test func placesAreReadAndChanged() throws {
    try expect(.notFound) { try run("tree", "get", "STORE") }
    try expect(.refused) { try run("tree", "set", "STORE", "a", "1") }
    let text = "{\"b\": 1, \"c\": [true, \"x\"], \"n\": {\".sv\": {\"increment\": 2}}}"
    try expect(.done, "The tree was changed.\n") { try run("tree", "set", "STORE", "a", text, "--write") }
    #expect(try tree.reference("a").value() == ["b": 1, "c": [true, "x"], "n": 2])
    try expect(.nothingToDo, "The tree has this value already.\n") {
      try run("tree", "set", "STORE", "a/b", "-", "--write", input: "1")
    }
    try expect(.done, "{\"b\":1,\"c\":{\"0\":true,\"1\":\"x\"},\"n\":2}\n") {
      try run("tree", "get", "STORE", "a", "--json")
    }
    try expect(.done, "{\n  \"b\": 1,\n  \"c\": [\n    true,\n    \"x\"\n  ],\n  \"n\": 2\n}\n") {
      try run("tree", "get", "STORE", "a", "--arrays")
    }
    try expect(.done, "{\"a\":true}\n") { try run("tree", "get", "STORE", "--depth", "1", "--json") }
    try expect(.done, "b\nc\n") { try run("tree", "keys", "STORE", "a", "--limit", "2") }
    // A value has no names, and a place without a value is missing.
    try expect(.done, "") { try run("tree", "keys", "STORE", "a/b") }
    try expect(.done, "") { try run("tree", "keys", "STORE", "a/b", "--json") }
    try expect(.done, "\"b\"\n\"c\"\n\"n\"\n") { try run("tree", "keys", "STORE", "a", "--json") }
    try expect(.notFound) { try run("tree", "keys", "STORE", "a/d") }
    try expect(.done, "The tree of chat is intact.\n") { try run("tree", "check", "STORE") }
    try expect(.failed) { try run("tree", "set", "STORE", "a$", "1", "--write") }
    try expect(.usage) { try run("tree", "set", "STORE", "a", "{", "--write") }
    try expect(.usage) { try run("tree", "set", "STORE", "a", "--write") }
    try expect(.usage) { try run("tree", "get", "STORE", "a", "1") }
    try expect(.done) { try run("tree", "rm", "STORE", "a", "--write") }
    try expect(.notFound) { try run("tree", "keys", "STORE") }
  }

  /// Expects a wrong command line whose error has all of these parts, and that the tree is as it was.
  private func expectUsage(
    _ arguments: [String],
    _ parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try tree.root.snapshot().json
    let result = try run(["tree"] + arguments)
    #expect(result.status == .usage, "\(result.output)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(result.output.contains(part), "\(result.output)", sourceLocation: sourceLocation)
    }
    #expect(try tree.root.snapshot().json == before, sourceLocation: sourceLocation)
  }

  @Test func theWholeTreeIsRemovedOnlyByItsPath() throws {
    try tree.root.setValueAndWait(["a": 1])
    try expectUsage(["rm", "STORE", "--write"], "PATH is missing")
    try expectUsage(["rm", "STORE", "", "--write"], "PATH is empty", "fief tree rm --help")
    try expectUsage(["set", "STORE", "", "null", "--write"], "PATH is empty")
    try expectUsage(
      ["rm", "STORE", "--at", "a", "--write"],
      "--at is an option of fief tree",
      "not of fief tree rm."
    )
    try expect(.done) { try run("tree", "rm", "STORE", "/", "--write") }
    #expect(try !tree.root.exists())
  }

  @Test func optionsAndWordsOfOtherActionsAreRefused() throws {
    let actions: [(words: [String], options: [String])] = [
      (["get", "STORE", "a"], ["--limit", "--at", "--by", "--write"]),
      (["keys", "STORE", "a"], ["--depth", "--arrays"]),
      (["query", "STORE", "a", "--by", "n"], ["--limit", "--count"]),
      (["set", "STORE", "a", "1"], ["--at", "--depth"]), (["rm", "STORE", "a"], ["--at", "--group"]),
      (["watch", "STORE", "a"], ["--limit", "--write"]),
      (["import", "STORE", "in.json", "--at", "a"], ["--arrays", "--output"]),
      (["export", "STORE"], ["--depth", "--limit", "--by", "--write"]), (["check", "STORE"], ["--firebase"]),
      (["lint", "STORE", "--firebase"], ["--at"]), (["index", "list", "STORE"], ["--by", "--group"]),
      (["index", "drop", "STORE", "a", "--by", "n"], ["--data"]), (["rules", "check", "r.json"], ["--auth"]),
      (["rules", "test", "r.json", "read", "a", "--data", "d.json"], ["--by", "--write"]),
    ]
    for (words, options) in actions {
      let isNested = ["index", "rules"].contains(words[0])
      let name = "fief tree " + words.prefix(isNested ? 2 : 1).joined(separator: " ")
      for option in options {
        try expectUsage(words + [option, "1"], option + " is an option of fief", "not of \(name).")
      }
      if words[1] != "test" { try expectUsage(words + ["surplus"], "'surplus' is an unexpected argument.") }
      try expectUsage(words + ["--nothing"], "\(name) has no option --nothing.")
      // Each action has its own help.
      let help = try run(["tree"] + words + ["--help"])
      #expect(help.status == .done && help.output.contains("Usage\n  \(name) "), "\(help.output)")
      let examples = help.output.split(separator: "\n").filter { $0.hasPrefix("  fief ") }.dropFirst()
      #expect(!examples.isEmpty && examples.allSatisfy { $0.hasPrefix("  \(name) ") }, "\(help.output)")
      let whole = try run("tree", "--help").output
      #expect(examples.allSatisfy { whole.contains($0) })
    }
    try expectUsage([], "ACTION is missing: one of get, keys, query,")
    try expectUsage(["gte", "STORE"], "'gte' is not an action of fief tree. Did you mean 'get'?")
    try expectUsage(["index"], "ACTION is missing: one of list, drop.")
    try expectUsage(["index", "list"], "STORE is missing")
    try expectUsage(["index", "drop", "STORE", "a"], "--by is missing")
    let help = TreeTool.run(["help", "tree", "index", "drop"], in: "").output
    #expect(try run("tree", "index", "drop", "--help").output == help && help.contains("[--group]"))
  }

  @Test func mistakesAreExplained() throws {
    try expectUsage(["set", "STORE", "a", "Fief", "--write"], "JSON is not a JSON value", "'\"Fief\"'")
    try expectUsage(
      ["set", "STORE", "a", "-5", "--write"],
      "has no option -5. Put -- before a negative number."
    )
    try expect(.done) { try run("tree", "set", "STORE", "a", "--write", "--", "-5") }
    try expectUsage(["query", "STORE", "/", "--by", ".foo"], "--by takes", "not '.foo'")
    try expectUsage(["watch", "STORE", "/", "--by", ".foo"], "--by takes", "not '.foo'")
    try expectUsage(["index", "drop", "STORE", "a", "--by", ".key", "--write"], "or .value, not '.key'")
    let input = try run("tree", "set", "STORE", "a", "-", "--write", input: "{\"k\":1e999}")
    #expect(input.status == .failed, "\(input.output)")
    #expect(input.output.contains("file: standard input") && input.output.contains("line 1, column 6"))
  }

  @Test func pathsAreShownWithoutEmptyNames() throws {
    try tree.reference("q").setValueAndWait(["a": 1])
    let missing = try run("tree", "get", "STORE", "//no//thing/")
    #expect(missing.output.contains("nothing at '/no/thing'"), "\(missing.output)")
    let set = try run("tree", "set", "STORE", "/q//b/", "2", "--write", "--json")
    #expect(try JSON(parsing: Data(set.output.utf8)) == ["path": "q/b", "changed": true])
    for (path, child) in [("/q/", "q/a"), ("/", "q")] {
      let watched = try run(
        "tree",
        "watch",
        "STORE",
        path,
        "--by",
        ".key",
        "--first",
        "1",
        "--for",
        "0",
        "--json"
      )
      #expect(watched.output.contains("\"path\":\"\(child)\","), "\(watched.output)")
    }
  }

  @Test func textsDoNotControlTheTerminal() throws {
    let value: JSON = ["a\u{9B}": "\u{9B}31m\u{202E}\u{7F}"]
    try tree.root.setValueAndWait(value)
    for output in [try run("tree", "get", "STORE").output, try run("tree", "get", "STORE", "--json").output] {
      #expect(!output.unicodeScalars.contains { ["\u{9B}", "\u{202E}", "\u{7F}"].contains($0) })
      #expect(try JSON(parsing: Data(output.utf8)) == value)
    }
  }

  @Test func queriesShowChildrenInTheirOrder() throws {
    try tree.reference("q").setValueAndWait(["a": ["n": 2], "b": ["n": "2"], "c": ["n": 1], "10": true])
    try expect(.done, "10: true\nc: {\"n\":1}\na: {\"n\":2}\nb: {\"n\":\"2\"}\n") {
      try run("tree", "query", "STORE", "q", "--by", "n")
    }
    try expect(.done, "a: {\"n\":2}\n") {
      try run("tree", "query", "STORE", "q", "--by", "n", "--equal", "2")
    }
    try expect(.done, "b: {\"n\":\"2\"}\n") {
      try run("tree", "query", "STORE", "q", "--by", "n", "--equal", "\"2\"")
    }
    try expect(.done, "b: {\"n\":\"2\"}\n") {
      try run("tree", "query", "STORE", "q", "--by", "n", "--start", "1.5", "--last", "1")
    }
    try expect(.done, "{\"key\":\"10\",\"value\":true}\n{\"key\":\"a\",\"value\":{\"n\":2}}\n") {
      try run("tree", "query", "STORE", "q", "--by", ".key", "--end", "a", "--json")
    }
    try expect(.done, "10: true\n") {
      try run("tree", "query", "STORE", "q", "--by", ".value", "--first", "1")
    }
    try expect(.done, "") { try run("tree", "query", "STORE", "q/10", "--by", ".value") }
    try expect(.notFound) { try run("tree", "query", "STORE", "p", "--by", "n") }
    try expect(.usage) { try run("tree", "query", "STORE", "q") }
    for option in ["--start", "--end", "--equal", "--first", "--last"] {
      try expect(.usage) { try run("tree", "watch", "STORE", "q", option, "1") }
      try expect(.usage) { try run("tree", "query", "STORE", "q", option, "1") }
    }
    for other in ["--start", "--end"] {
      try expect(.usage) { try run("tree", "query", "STORE", "q", "--by", "n", "--equal", "1", other, "1") }
    }
    try expect(.usage) { try run("tree", "query", "STORE", "q", "--by", "n", "--first", "1", "--last", "1") }
    try expect(.usage) { try run("tree", "query", "STORE", "q", "--by", "n", "--first", "0") }
    try expect(.failed) { try run("tree", "query", "STORE", "q", "--by", "n", "--equal", "[1]") }
    try expect(.failed) { try run("tree", "query", "STORE", "q", "--by", "a.b") }
  }

  @Test func placesAreWatched() throws {
    try tree.reference("q").setValueAndWait(["a": ["n": 2], "b": ["n": 1]])
    func watch(_ arguments: String...) throws -> [Substring] {
      let result = try run(["tree", "watch", "STORE"] + arguments + ["--for", "0"])
      #expect(result.status == .done, "\(result.output)")
      // The heading has the time.
      return result.output.split(separator: "\n").filter { !$0.hasPrefix("Watching") }.dropFirst().map { $0 }
    }
    #expect(try watch("q/a/n") == ["2"])
    #expect(try watch("q/nothing") == ["null"])
    #expect(try watch("q", "--by", "n") == ["+ b  {\"n\":1}", "+ a  {\"n\":2}"])
    #expect(try watch("q", "--by", ".key", "--last", "1") == ["+ b  {\"n\":1}"])
    #expect(try watch("q", "--by", ".value", "--equal", "1") == [])
    try expect(.usage) { try run("tree", "watch", "STORE", "q", "1") }
    try expect(.usage) { try run("tree", "watch", "STORE", "q", "--count", "0") }
    try expect(.failed) { try run("tree", "watch", "STORE", "a$", "--for", "0") }
    try expect(.failed) { try run("tree", "watch", "STORE", "q", "--by", "a.b", "--for", "0") }
    try expect(.notFound) { try run("tree", "watch", "STORE/none", "q", "--for", "0") }
  }

  @Test func indexesAreListedAndDropped() async throws {
    try expect(.done, "The tree of chat has no indexes.\n") { try run("tree", "index", "list", "STORE") }
    let rules = try AccessRules().index("q/$x", on: "n").group("q", on: ".value")
    try await JSONTree(in: ChatRepository(), rules: rules).origin.waitForIndexes()
    try expect(.done, "index of 'q/$x' on 'n'\ngroup 'q' on '.value'\n") {
      try run("tree", "index", "list", "STORE")
    }
    try expect(.refused) { try run("tree", "index", "drop", "STORE", "q/$y", "--by", "n") }
    try expect(.done, "The index was removed.\n") {
      try run("tree", "index", "drop", "STORE", "q/$y", "--by", "n", "--write")
    }
    try expect(.nothingToDo) { try run("tree", "index", "drop", "STORE", "q", "--by", ".value", "--write") }
    let list = try run("tree", "index", "list", "STORE", "--json")
    let index: JSON = ["complete": true, "group": "q", "order": ".value", "pattern": nil]
    #expect(try JSON(parsing: Data(list.output.utf8)) == [index])
    // A report is one document; data has a line for each value.
    #expect(list.output.hasPrefix("[\n") && list.status == .done)
    try expect(.done) {
      try run("tree", "index", "drop", "STORE", "q", "--by", ".value", "--group", "--write")
    }
    try expect(.usage) { try run("tree", "index", "drop", "STORE", "q", "--write") }
    try expect(.usage) { try run("tree", "index", "list", "STORE", "q") }
    try expect(.usage) { try run("tree", "index", "build", "STORE") }
  }

  @Test func otherCommandsRefuseTheObjects() throws {
    try tree.reference("a/b").setValueAndWait(1)
    let object = "{\"segment\": 0, \"place\": \"x\", \"value\": 2}"
    try expect(.refused) { try run("put", "STORE", "JSONTreeNode", object, "--write") }
    let key = "[0,\"\\u0005a\\u0002\\u0005b\\u0002\"]"
    try expect(.refused) { try run("delete", "STORE", "JSONTreeNode", key, "--write") }
    #expect(try tree.reference("a").value() == ["b": 1])
    try expect(.done) { try run("check", "STORE") }
  }

  @Test func theHelpTeachesByExamples() throws {
    let help = try run("tree", "--help")
    #expect(help.status == .done)
    let examples = ["set data/chat rooms/r1/title", "query data", "watch data", "index list", "index drop"]
    for example in examples {
      #expect(help.output.contains("fief tree " + example))
    }
  }
}
