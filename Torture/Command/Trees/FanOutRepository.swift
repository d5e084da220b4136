import Fief
import FiefTorture
import FiefTree

/// The number of the last message of a group.
final class FanOutCounter: Object {
  @Persisted(primaryKey: true) var group = 0
  @Persisted var count = 0
}

/// The store of the messages.
struct FanOutRepository: DatabaseConfigurable, Sendable {
  let directory: String?

  var schemaName: String? { "chat" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { JSONTree.objectTypes + [FanOutCounter.self] }
  var migrationBlock: MigrationBlock? { nil }

  /// Reads the last message of each group from one snapshot and lists the errors in it.
  func state(of count: Int) throws -> (numbers: [Int: Int], problems: [String]) {
    let tree = JSONTree(in: self)
    return try read { snapshot in
      let reader = try tree.in(snapshot)
      let inbox = try reader.snapshot(at: tree.reference("inbox")).json
      var numbers: [Int: Int] = [:]
      var problems: [String] = []
      try snapshot.objects(FanOutCounter.self).forEachObject { counter in
        numbers[counter.group] = counter.count
        let differences = FanOut(count: count, group: counter.group).differences(counter.count, in: inbox)
        if differences > 0 {
          problems.append("half: \(differences) of \(count) places lack message \(counter.count)")
        }
      }
      let total = try reader.value(at: tree.reference("total")).int ?? 0
      if Int(total) != numbers.values.reduce(0, +) {
        problems.append("the total is \(total), not of \(numbers)")
      }
      return (numbers, problems)
    }
  }
}
