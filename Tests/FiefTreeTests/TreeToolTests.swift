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
    try expect(.done, "[]\n") { try run("tree", "keys", "STORE", "a/b", "--json") }
    try expect(.notFound) { try run("tree", "keys", "STORE", "a/d") }
    try expect(.done, "The tree of chat is intact.\n") { try run("tree", "check", "STORE") }
    try expect(.failed) { try run("tree", "set", "STORE", "a$", "1", "--write") }
    try expect(.failed) { try run("tree", "set", "STORE", "a", "{", "--write") }
    try expect(.usage) { try run("tree", "set", "STORE", "a", "--write") }
    try expect(.usage) { try run("tree", "get", "STORE", "a", "1") }
    try expect(.done) { try run("tree", "rm", "STORE", "a", "--write") }
    try expect(.notFound) { try run("tree", "keys", "STORE") }
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
    try expect(.done, "[{\"key\":\"10\",\"value\":true}]\n") {
      try run("tree", "query", "STORE", "q", "--by", ".key", "--end", "10", "--json")
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
    try expect(.done, "[{\"complete\":true,\"group\":\"q\",\"order\":\".value\"}]\n") {
      try run("tree", "index", "list", "STORE", "--json")
    }
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
