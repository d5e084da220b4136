import Fief
import FiefConsole
import Foundation
import TestEffort
import Testing

/// Reported changes are applied to a dictionary, which must become what the store has.
@Suite("Watching a store: random writers", .timeLimit(.minutes(20))) struct WatchModelTests {
  @Test(arguments: [[], ["age > 40"], ["SORT(age, name) LIMIT(7)"], ["friend.age > 50"]])
  func changesLeadToTheStore(query: [String]) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededRandom(state: seed)
    try WatchedStore.with { store, path in
      for number in 0..<30 { try store.put("a\(number)", ["age": Int.random(in: 0..<100, using: &random)]) }
      let text = query.first ?? ""
      let run =
        query.isEmpty
        ? WatchRun(path, "Animal", "--json", "--initial")
        : WatchRun(path, "Animal", text, "--json", "--initial")
      for _ in 0..<TestEffort.count(12, more: 60) {
        try store.write { transaction in
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            let name = "a\(Int.random(in: 0..<60, using: &random))"
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try transaction.delete("Animal", forKey: name)
            case 1:
              let friend = "a\(Int.random(in: 0..<60, using: &random))"
              guard try transaction.object(ofType: "Animal", forKey: friend) != nil else { continue }
              _ = try transaction.put("Animal", ["name": name, "friend": friend], onConflict: .merge)
            default:
              let age = Int.random(in: 0..<100, using: &random)
              _ = try transaction.put("Animal", ["name": name, "age": age], onConflict: .merge)
            }
          }
        }
        if Int.random(in: 0..<10, using: &random) == 0 { usleep(3000) }
      }
      var expected: [String: NSDictionary] = [:]
      for line in ToolRun("query", path, "Animal", text, "--json").lines {
        let object = try #require(try Self.parse(line) as? NSDictionary)
        expected[try #require(object["name"] as? String)] = object
      }
      var model: [String: NSDictionary] = [:]
      for _ in 0..<60_000 {
        model = try Self.apply(run.output)
        if model == expected { break }
        usleep(10_000)
      }
      #expect(model == expected, "seed \(seed)")
      #expect(run.interrupt() == .done)
    }
  }

  private static func parse(_ line: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(line.utf8))
  }

  /// The objects that are there after all changes, which must each fit what was there before.
  private static func apply(_ output: String) throws -> [String: NSDictionary] {
    var objects: [String: NSDictionary] = [:]
    var last = 0
    // The last line may be incomplete.
    let whole = output.lastIndex(of: "\n").map { output[..<$0] } ?? ""
    for line in whole.split(separator: "\n") {
      let change = try #require(try parse(String(line)) as? [String: Any])
      let key = try #require(change["key"] as? String)
      let commit = try #require(change["commit"] as? Int)
      #expect(commit >= last)
      last = commit
      let object = change["object"] as? NSDictionary
      switch change["change"] as? String {
      case "present", "inserted":
        #expect(objects[key] == nil)
        objects[key] = object
      case "modified":
        let before = try #require(objects[key])
        for (name, value) in try #require(change["old"] as? [String: Any]) {
          #expect(before[name] as? NSObject == value as? NSObject)
          #expect(object?[name] as? NSObject != value as? NSObject)
        }
        objects[key] = object
      case "deleted":
        #expect(objects.removeValue(forKey: key) != nil)
      default: Issue.record("an unknown change: \(line)")
      }
    }
    return objects
  }
}
