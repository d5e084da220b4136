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
}
