import Fief
import FiefTree
import Foundation

/// Updates of a tree, by the program and by a client whose rules check each place.
extension FiefRows {
  func treeRulesFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "T_free": try updates(times) { $0.root }
    case "T_rules": try updates(times) { $0.client(as: RuleAuth(uid: "ada")).root }
    default: nil
    }
  }

  /// Three rules for each place.
  private static let rules = Data(
    #"""
    {"rules": {"users": {"$user": {
      ".write": "auth.uid == 'ada'",
      ".validate": "newData.hasChildren(['score'])",
      "score": {".validate": "newData.isNumber() && newData.val() >= data.val()"}
    }}}}
    """#.utf8
  )

  /// Durable updates of 1,000 places, each in one commit.
  private func updates(_ times: Int, _ root: (JSONTree) throws -> TreeReference) throws -> Figure {
    let places = 1000
    let commits = workload.commits(20)
    return try repeated(times, operations: commits) {
      try Files.makeEmpty(work)
      defer { Files.remove(work) }
      var repository = BenchmarkRepository(JSONTree.objectTypes, in: work)
      repository.storeOptions.encryption = encryption
      let tree = JSONTree(in: repository, rules: try AccessRules(json: Self.rules))
      func values(_ round: Int) -> FiefTree.JSONObject {
        JSONObject((0..<places).map { ("users/u\($0)/score", .int(Int64(round))) })
      }
      try tree.root.updateChildValuesAndWait(values(0))
      let reference = try root(tree)
      let seconds = try Clock.time {
        for round in 1...commits { try reference.updateChildValuesAndWait(values(round)) }
      }
      let sum =
        try tree.reference("users").value().object?.reduce(0) { $0 + ($1.value["score"].int ?? 0) } ?? 0
      try check("T_free", Int(sum), places * commits)
      repository.close()
      return seconds
    }
  }
}
