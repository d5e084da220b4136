import Fief
import FiefTesting
import FiefTree
import Testing

@testable import PetStoreKit

@Suite("The chat", .freshStores) struct ChatTests {
  private func rooms() async throws -> ChatRepository {
    let chat = ChatRepository(directory: nil)
    try await chat.open(room: "r1", titled: "First", for: ["ada", "bo", "cy"])
    try await chat.open(room: "r2", titled: "Second", for: ["bo"])
    return chat
  }

  @Test("A message is in its room, in every inbox and in a count")
  func fanOut() async throws {
    let chat = try await rooms()
    let first = try await chat.post("Hello", from: "ada", in: "r1")
    let second = try await chat.post("Me too", from: "bo", in: "r1")
    try await chat.post("Alone", from: "bo", in: "r2")
    let tree = chat.tree
    #expect(try tree.reference("messages/r1").keys() == [first, second])
    #expect(try tree.reference("rooms/r1/last/text").value() == "Me too")
    #expect(try tree.reference("inbox/ada").value() == ["unread": 2, "new": [first: "r1", second: "r1"]])
    #expect(try tree.reference("inbox/bo/unread").value() == 3)
    let written = try chat.read {
      Dictionary(uniqueKeysWithValues: $0.objects(Member.self).map { ($0.id, $0.written) })
    }
    #expect(written == ["ada": 1, "bo": 2, "cy": 0])
    let audit = try chat.audit()
    #expect(audit.messages == 3 && audit.copies == 7 && audit.halves == 0)
  }

  /// The control of the audit.
  @Test("The audit finds missing messages")
  func halves() async throws {
    let chat = try await rooms()
    let key = try await chat.post("Hello", from: "ada", in: "r1")
    try await chat.tree.reference("inbox/bo/new/\(key)").removeValue()
    // The copy, and the count of unread messages.
    #expect(try chat.audit().halves == 2)
    try await chat.tree.reference("messages/r1").removeValue()
    #expect(try chat.audit().halves == 4)
  }

  @Test("The demonstration's text mentions kills only if there were any")
  func demonstration() {
    let audit = ChatRepository.Audit(messages: 3, copies: 7, halves: 0)
    let stored = "3 messages have 7 copies in a tree of JSON values, and 0 are incomplete"
    #expect(DemoChat.summary(of: audit, kills: 0) == stored)
    let killed = DemoChat.summary(of: audit, kills: 3)
    #expect(killed == stored + ", although a process was killed 3 times while it wrote them")
  }

  @Test("Eight tasks toggle stars, and each message counts its own")
  func stars() async throws {
    let chat = try await rooms()
    let keys = [
      try await chat.post("One", from: "ada", in: "r1"), try await chat.post("Two", from: "bo", in: "r1"),
    ]
    let messages = try keys.map { try chat.tree.reference("messages/r1/\($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<25 {
            try await chat.toggleStar(of: messages[(task + round) % 2], by: "member-\(task)")
          }
        }
      }
      try await group.waitForAll()
    }
    // Each task has toggled one message 13 times and the other one 12 times.
    for message in messages { #expect(try chat.stars(of: message) == (4, 4)) }
    #expect(try await !chat.toggleStar(of: chat.tree.reference("messages/r1/none"), by: "ada"))
    #expect(try chat.audit().halves == 0)
  }

  @Test("A follower's window has the messages that the store has")
  func following() async throws {
    let chat = try await rooms()
    for number in 0..<30 { try await chat.post("Before \(number)", from: "ada", in: "r1") }
    let (begins, begin) = AsyncStream.makeStream(of: Int.self)
    let follower = Task {
      try await chat.follow(room: "r1") {
        begin.yield($0.messages.count)
        begin.finish()
      }
    }
    for await count in begins { #expect(count == ChatWindow.size) }
    for number in 0..<50 { try await chat.post("Message \(number)", from: "bo", in: "r1") }
    try await chat.post(ChatWindow.goodbye, from: "cy", in: "r1")
    let window = try await follower.value
    #expect(try window.keys == chat.lastMessages(of: "r1").snapshot().children.map(\.key))
    #expect(window.added - window.removed == ChatWindow.size && window.added > ChatWindow.size)
  }

  @Test("Clients read their rooms and post in their own name")
  func clients() async throws {
    let chat = try await rooms()
    let client = try chat.client("ada")
    let message: JSON = ["from": "ada", "text": "Hello", "at": .serverTimestamp]
    let room = try client.reference("messages/r1")
    let own = room.childByAutoId()
    try await own.setValue(message)
    #expect(try own.value()["text"] == "Hello" && room.queryLimited(toLast: 5).count() == 1)
    #expect(try client.reference("rooms/r1/title").value() == "First")
    try await refused { _ = try client.reference("rooms/r2").value() }
    try await refused { _ = try client.reference("messages/r2").queryLimited(toLast: 1).snapshot() }
    try await refused { _ = try client.reference("inbox/bo").exists() }
    try await refused { try await client.reference("messages/r2").childByAutoId().setValue(message) }
    try await refused { try await own.child("text").setValue("Changed") }
    try await refused { try await own.removeValue() }
    for (name, value) in [("from", "bo"), ("at", 1), ("text", 7), ("more", true)] as [(String, JSON)] {
      var wrong = message
      wrong[name] = value
      try await refused { try await room.childByAutoId().setValue(wrong) }
    }
    #expect(try chat.messageKeys().count == 1)
  }

  private func refused(_ body: () async throws -> Void) async throws {
    do {
      try await body()
      Issue.record("A client was not refused.")
    } catch let error as FiefError where error.code == .permissionDenied {}
  }
}
