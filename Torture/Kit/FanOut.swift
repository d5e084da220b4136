import Fief
import FiefTree

/// A message that goes to the inbox of every member: the values of all places follow from its number.
package struct FanOut: Sendable {
  /// The number of places of one message.
  package let count: Int
  /// The writer of the message.
  package let group: Int

  package init(count: Int, group: Int) {
    self.count = count
    self.group = group
  }

  /// Some names are so long that their places have segments of their own.
  private static func name(_ member: Int) -> String {
    member % 25 == 0 ? String(repeating: "n", count: 180 + member % 600) + "\(member)" : "member-\(member)"
  }

  private func path(_ member: Int) -> String { "inbox/\(Self.name(member))/g\(group)" }

  /// Returns the value that a message leaves for a member: null for every fifth one.
  private func value(_ member: Int, _ number: Int) -> JSON {
    if number == 0 || (member + number) % 5 == 0 { return .null }
    let text = String(repeating: "t", count: (member + number) % 40)
    return ["n": .int(Int64(number)), "text": .string(text)]
  }

  /// The values of a message by their paths.
  ///
  /// - Parameter members: the members that get the message, or `nil` for all.
  package func values(_ number: Int, of members: Range<Int>? = nil) -> FiefTree.JSONObject {
    FiefTree.JSONObject((members ?? 0..<count).map { (path($0), value($0, number)) })
  }

  /// Returns the number of places whose value differs from the value that a message leaves there.
  package func differences(_ number: Int, in inbox: JSON) -> Int {
    (0..<count).count { inbox[Self.name($0)]["g\(group)"] != value($0, number) }
  }

  /// Returns the groups whose message is not in all of its places, as lines.
  package static func problems(in inbox: JSON, of count: Int) -> [String] {
    var numbers: [Int: Int] = [:]
    for (_, groups) in inbox.object ?? [:] {
      for (name, message) in groups.object ?? [:] {
        if let group = Int(name.dropFirst()) { numbers[group] = Int(message["n"].int ?? 0) }
      }
    }
    return numbers.compactMap { group, number in
      let differences = FanOut(count: count, group: group).differences(number, in: inbox)
      if differences == 0 { return nil }
      return "\(differences) of \(count) places lack message \(number) of group \(group)"
    }
  }
}
