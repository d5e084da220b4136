import Fief
import FiefRules
import Foundation

@testable import FiefTree

extension FuzzTarget {
  /// Access rules of trees: a file that is loaded decides every read and write, and an error has a place. An expression and
  /// its negation have opposite results.
  ///
  /// The first byte says whether the rest is a file or an expression.
  static let treeRules = FuzzTarget(
    name: "tree-rules",
    longest: 4096,
    seeds: {
      [
        "e$k == 'a' && data.child('n').val() + 1 < 3 || auth.token.list.length > 0",
        "eroot.child('t').val().replace('a', 'b').matches(/^[a-c]+$/i) ? now > 5 : query.limitToFirst <= 10",
        "enewData.parent().hasChildren(['n', 't']) || !data.isString()",
        #"f{"rules": {"$a": {".read": "auth != null", "b": {".validate": "newData.isNumber()", ".indexOn": ["c"]}}}}"#,
        "f// rules\n{\"rules\": {\".write\": true}, \"groups\": {\"g\": {\".read\": \"auth.uid == 'u'\"}}}",
      ].map { Array($0.utf8) }
    },
    run: { input, defect in
      guard let first = input.first else { return }
      let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst())
      if first & 1 == 0 { return try RuleChecks.checkFile(rest) }
      try RuleChecks.checkExpression(String(decoding: rest, as: UTF8.self), defect)
    }
  )
}

private enum RuleChecks {
  private static let data: JSON = [
    "a": ["n": 1, "t": "abca", "b": true, "d": 0.5, "o": ["k": 1]], "n": 7, "t": "text", "u": ["u": ["x": 1]],
  ]
  private static let values: FiefTree.JSONObject = [
    "a/n": 2, "a/t": nil, "a/list": ["x", "y"], "b/c": .increment(2), "t": .serverTimestamp, "u/u/x": nil,
  ]

  private static let identity = RuleAuth(uid: "u", provider: "p", token: ["list": [1, "x"], "ok": true])
    .identity

  private static func operation() -> RuleOperation {
    RuleOperation(
      identity: identity,
      now: 1000,
      root: StoredData(JSONRules(data)),
      query: RuleQuery(order: .child("n"), startAt: .int(1), limitToFirst: 10)
    )
  }

  /// Loads a file, or returns `nil` if it is refused.
  private static func load(_ bytes: UnsafeRawBufferPointer) throws -> RuleFile? {
    do { return try RuleFile(bytes) } catch let error as FiefError {
      try require(
        error.code == .malformedRules && error.details.first?.hasPrefix("line ") == true,
        "no place: \(error)"
      )
      return nil
    }
  }

  static func checkFile(_ bytes: UnsafeRawBufferPointer) throws {
    guard let file = try load(bytes) else { return }
    for names in [[], ["a"], ["a", "n"], ["a", "o", "k"], ["u", "u", "x"], ["none"]] {
      do { try RuleCheck(file.root, operation()).checkRead(of: names) } catch is RuleCheck.Refusal {}
    }
    for rule in file.groups.values {
      do { try RuleCheck(file.root, operation()).checkRead(ofGroup: rule) } catch is RuleCheck.Refusal {}
    }
    let changes = try TreeChanges(values, below: TreePath()).changes
    let operation = operation()
    let written = WrittenData(before: StoredData(JSONRules(data)), ChangedPlace(changes), now: 1000)
    defer { written.end() }
    do { try RuleCheck(file.root, operation).checkWrite(written) } catch is RuleCheck.Refusal {}
  }

  static func checkExpression(_ text: String, _ defect: PlantedDefect) throws {
    for kind in [".read", ".validate"] {
      guard let outcome = try outcome(text, kind) else { continue }
      // The negation may exceed the limits of an expression.
      guard let negation = try self.outcome("!(" + text + ")", kind) else { continue }
      if defect.isPlanted, outcome.failure?.reason == "A number is divided by zero." {
        throw FuzzFinding("planted: \(text)")
      }
      let isOpposite = outcome.failure == nil ? negation.isTrue == !outcome.isTrue : !negation.isTrue
      let isLimit = negation.failure?.reason.contains("steps") == true
      try require(
        isOpposite && (outcome.failure == nil) == (negation.failure == nil) || isLimit,
        "\(kind): \(text)"
      )
    }
  }

  /// Evaluates an expression twice.
  private static func outcome(_ text: String, _ kind: String) throws -> Rule.Outcome? {
    let document = JSON.object(["rules": ["$k": [kind: .string(text)]]]).text()
    guard let file = try Array(document.utf8).withUnsafeBytes({ try load($0) }),
      let node = file.root.child("a"),
      let rule = kind == ".read" ? node.read : node.validate
    else { return nil }
    let changes = try TreeChanges(values, below: TreePath()).changes
    let outcomes = try (0..<2).map { _ in
      let operation = operation()
      let stored = StoredData(JSONRules(data))
      let written = WrittenData(before: stored, ChangedPlace(changes), now: 1000)
      defer { written.end() }
      var state = RulePlace.State.stored(stored.child("a"))
      if kind != ".read" {
        written.forEachChangedChild { child in if child.name == "a" { state = .written(child) } }
      }
      return try rule.evaluate(operation, at: RulePlace(names: ["a"], state))
    }
    let isSame =
      outcomes[0].isTrue == outcomes[1].isTrue && outcomes[0].failure?.reason == outcomes[1].failure?.reason
    try require(isSame, "\(kind) has two results: \(text)")
    return outcomes[0]
  }
}
