import Fief
import FiefTree

extension ChatRepository {
  /// Opens a room for members, who are added if they are new.
  func open(room: String, titled title: String, for members: [String]) async throws {
    try await write { [tree] tx in
      let editor = try tree.in(tx)
      for id in members where try tx.object(ofType: Member.self, forPrimaryKey: id) == nil {
        _ = try tx.create(Member.self, value: ["id": id, "name": id.capitalized])
      }
      let present = FiefTree.JSONObject(members.map { ($0, true) })
      try editor.updateChildValues(
        ["rooms/\(room)/title": .string(title), "members/\(room)": .object(present)],
        at: tree.root
      )
    }
  }

  /// Writes a message to its room and to the inbox of each member, and counts it for the member who wrote it, in one
  /// commit.
  ///
  /// - Returns: the key of the message.
  @discardableResult func post(_ text: String, from author: String, in room: String) async throws -> String {
    let message = try tree.reference("messages/\(room)").childByAutoId()
    let key = message.key ?? ""
    try await write { [tree] tx in
      let editor = try tree.in(tx)
      let body: JSON = ["from": .string(author), "text": .string(text), "at": .serverTimestamp]
      var values: FiefTree.JSONObject = [message.path: body, "rooms/\(room)/last": body]
      for member in try editor.keys(at: tree.reference("members/\(room)")) {
        values["inbox/\(member)/new/\(key)"] = .string(room)
        values["inbox/\(member)/unread"] = .increment(1)
      }
      try editor.updateChildValues(values, at: tree.root)
      try tx.object(ofType: Member.self, forPrimaryKey: author)?.written += 1
    }
    return key
  }

  /// The keys of all messages.
  func messageKeys() throws -> Set<String> {
    let messages = try tree.reference("messages")
    return Set(try messages.keys().flatMap { try messages.child($0).keys() })
  }

  /// Messages, their copies, and the traces of messages that are not complete.
  struct Audit {
    var messages = 0
    var copies = 0
    /// Messages without copies, copies without messages, and wrong counters.
    var halves = 0
  }

  /// Compares all messages with the inboxes and the counters, in one state of the store.
  func audit() throws -> Audit {
    let tree = tree
    return try read { snapshot in
      let reader = try tree.in(snapshot)
      var audit = Audit()
      var written: [String: Int] = [:]
      var expected: [String: Set<String>] = [:]
      for room in try reader.keys(at: tree.reference("rooms")) {
        let members = try reader.keys(at: tree.reference("members/\(room)"))
        let messages = try reader.snapshot(at: tree.reference("messages/\(room)"))
        audit.messages += messages.childCount
        for message in messages.children {
          written[message.json["from"].string ?? "", default: 0] += 1
          for member in members { expected[member, default: []].insert(message.key ?? "") }
        }
      }
      for member in snapshot.objects(Member.self) {
        let inbox = try reader.snapshot(at: tree.reference("inbox/\(member.id)"))
        let new = Set((inbox.json["new"].object ?? [:]).map(\.name))
        audit.copies += new.count
        audit.halves += new.symmetricDifference(expected[member.id] ?? []).count
        if inbox.json["unread"].int ?? 0 != Int64(new.count) { audit.halves += 1 }
        if member.written != written[member.id] ?? 0 { audit.halves += 1 }
      }
      return audit
    }
  }
}
