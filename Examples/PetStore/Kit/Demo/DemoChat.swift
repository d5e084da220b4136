import Fief
import FiefConsole
import Foundation

/// The rooms and members of the chat.
enum DemoChat {
  static let rooms = 4
  static let members = 24

  static func member(_ number: Int) -> String { "member-\(number % members)" }
}

extension Demo {
  /// Posts messages that are fanned out to the inboxes of their rooms, and kills a process that does so.
  mutating func chat() async throws {
    let (messages, tasks, kills) = (1_000, 8, 3)
    console.heading("15. A chat in a tree")
    let chat = store.chat
    for room in 0..<DemoChat.rooms {
      // Each member is in two rooms.
      let members = (0..<DemoChat.members).filter { $0 % 4 == room || $0 % 3 == room % 3 }
      try await chat.open(room: "room-\(room)", titled: "Room \(room)", for: members.map(DemoChat.member))
    }
    let clock = ContinuousClock()
    let time = try await clock.measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            for number in stride(from: task, to: messages, by: tasks) {
              let room = "room-\(number % DemoChat.rooms)"
              try await chat.post("Message \(number)", from: DemoChat.member(number), in: room)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    var audit = try chat.audit()
    console.say(
      "\(tasks) tasks posted \(Format.count(messages)) messages in \(Format.duration(time)). Each is one commit: the message in "
        + "its room, its copies in the inboxes of all members of the room (\(Format.count(audit.copies)) in all), their counts of unread "
        + "messages, which are incremented, and a property of the member who wrote it, an object beside the tree."
    )
    let acknowledged = try await killChat(chat, kills)
    audit = try chat.audit()
    facts.chatText =
      "\(Format.count(audit.messages)) messages have \(Format.count(audit.copies)) copies in a tree of JSON values, and "
      + "\(Format.count(audit.halves)) are incomplete, although a process was killed \(kills) times while it wrote them"
    console.say(
      "Then a process of its own posted messages, while this one had the store open, and was killed \(kills) times. It had reported "
        + "\(Format.count(acknowledged)) messages as stored, and all of them are there. \(facts.chatText)."
    )
    guard audit.halves == 0, try chat.check().isConsistent else { throw DemoFailure.halfMessage }
    // Listeners, transactions and access rules of trees are not shown yet.
  }

  /// - Returns: the number of messages that killed processes had reported as stored.
  private func killChat(_ chat: ChatRepository, _ kills: Int) async throws -> Int {
    guard let executable = Bundle.main.executableURL?.path(percentEncoded: false) else {
      console.say("The program cannot find its own path here, so no process is killed.")
      return 0
    }
    var count = 0
    for round in 1...kills {
      let keys = try await ChatWriterProcess()
        .run(executable, directory: directory, killedAfter: 40 * round + round)
      guard try chat.messageKeys().isSuperset(of: keys) else { throw DemoFailure.halfMessage }
      count += keys.count
    }
    return count
  }
}
