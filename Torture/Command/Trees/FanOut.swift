import Fief
import FiefTree

/// A message that goes to the inbox of every member: the values of all places follow from its number.
struct FanOut: Sendable {
  /// The number of places of one message.
  let count: Int
  /// The writer of the message.
  let group: Int

  /// Some names are so long that their places have segments of their own.
  private static func name(_ member: Int) -> String {
    member % 25 == 0 ? String(repeating: "n", count: 180 + member % 600) + "\(member)" : "member-\(member)"
  }

  private func path(_ member: Int) -> String { "inbox/\(Self.name(member))/g\(group)" }

  /// What a member has after a message; nothing after each fifth one.
  private func value(_ member: Int, _ number: Int) -> JSON {
    if number == 0 || (member + number) % 5 == 0 { return .null }
    let text = String(repeating: "t", count: (member + number) % 40)
    return ["n": .int(Int64(number)), "text": .string(text)]
  }

  /// The values of a message by their paths.
  func values(_ number: Int, of members: Range<Int>) -> FiefTree.JSONObject {
    FiefTree.JSONObject(members.map { (path($0), value($0, number)) })
  }

  /// The number of places that are not as a message has left them.
  func differences(_ number: Int, in inbox: JSON) -> Int {
    (0..<count).count { inbox[Self.name($0)]["g\(group)"] != value($0, number) }
  }
}

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
