import ChildProcesses
import Fief
import FiefTesting
import FiefTreeTestKit
import Foundation
import Testing

@testable import FiefTree

/// The memory that the rules of clients use.
struct RuleMemoryTests {
  // SAFETY: a test uses it on one thread only.
  private final class Kept: @unchecked Sendable {
    weak var nodes: TreeNodes?
    var contexts: [RuleContext] = []
  }

  private static let data: JSON = ["docs": ["a": ["owner": ["id": "ada"], "old": ["x": 1, "y": 2]]]]

  private func expectNothingIsKept(_ client: TreeClient, _ probe: RuleProbe, _ kept: Kept = Kept()) throws {
    let changes = try TreeChanges(
      ["docs/a/text": "new", "docs/a/old/x": nil, "docs/b": ["owner": ["id": "ada"]]],
      below: TreePath()
    ).changes
    try probe.chat.store.write { transaction in
      let nodes = try TreeNodes(in: transaction)
      kept.nodes = nodes
      try client.checkWrite(of: changes, in: nodes, at: 1)
      for path in ["docs", "docs/a/owner/id"] { try client.checkRead(of: TreePath(path), in: nodes) }
    }
    for context in kept.contexts {
      for place in [context.root, context.data, context.newData] { _ = place.child("a/owner").child("id") }
    }
    kept.contexts = []
    #expect(kept.nodes == nil)
  }

  @Test func aCheckKeepsNoPlaces() throws {
    let probe = try RuleProbe(Self.data)
    let write =
      "!data.exists() || data.child('owner/id').val() == auth.uid && data.child('owner').hasChildren(['id'])"
    let rules: JSON = [
      "rules": [
        "docs": [
          ".read": "root.child('docs').child('a/owner').child('id').val() == auth.uid",
          "$d": [
            ".write": .string(write + " && newData.child('owner').child('id').parent().parent().exists()"),
            "text": [".validate": "data.parent().child('owner/id').val() == auth.uid"],
            "old": [".validate": "newData.child('y').exists() && data.child('x').val() == 1"],
          ],
        ]
      ]
    ]
    try expectNothingIsKept(try probe.tree(rules).client(as: RuleAuth(uid: "ada")), probe)
  }

  /// A rule in Swift may keep its context, but no places are made after the check.
  @Test func aKeptContextKeepsNoPlaces() throws {
    let probe = try RuleProbe(Self.data)
    let kept = Kept()
    let rules = try AccessRules()
      .write("") { rule in
        kept.contexts.append(rule)
        return rule.root.child("docs/a").exists && rule.newData.child("docs/b/owner").exists
      }
      .read("docs") { rule in
        kept.contexts.append(rule)
        return rule.root.child("docs/a").exists
      }
      .validate("docs/$d/text") { rule in
        kept.contexts.append(rule)
        return rule.data.parent.child("owner/id").exists && rule.newData.parent.child("text").exists
      }
    let client = JSONTree(in: probe.chat.store, rules: rules).client(as: nil)
    try expectNothingIsKept(client, probe, kept)
  }

  /// Data that a rule uses as a path has millions of names.
  @Test func aLongPathTakesNoMemory() throws {
    // A sanitizer needs more than the limit for itself, so it checks the outcome alone.
    let isSanitized = ProcessInfo.processInfo.environment.keys.contains { $0.hasSuffix("SAN_OPTIONS") }
    // The limit is in KiB.
    let command = isSanitized ? "exec \"$@\"" : "ulimit -d 262144 && exec \"$@\""
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rules-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (rules, data) = (
      folder.appendingPathComponent("rules.json"), folder.appendingPathComponent("tree.json")
    )
    let rule = #"{"rules": {"x": {".read": "root.child(root.child('path').val()).exists()"}}}"#
    try Data(rule.utf8).write(to: rules)
    for names in ["a/", "/"] {
      let path = String(repeating: names, count: 8_000_000 / names.utf8.count)
      try Data("{\"path\": \"\(path)\"}".utf8).write(to: data)
      let words = [
        "-c", command, "sh", try ChildProcess.built("fief"), "tree", "rules", "test", rules.path, "--data",
        data.path, "read", "x",
      ]
      let outcome = try ChildProcess.run("/bin/sh", words)
      #expect(outcome.output.contains("A path is invalid."), "\(outcome.end): \(outcome.errors)")
    }
  }
}
