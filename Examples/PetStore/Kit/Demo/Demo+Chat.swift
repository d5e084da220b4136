import Fief
import FiefConsole
import FiefTree
import Foundation

/// The rooms and members of the chat.
enum DemoChat {
  static let rooms = 4
  static let members = 24

  static func room(_ number: Int) -> String { "room-\(number % rooms)" }
  static func member(_ number: Int) -> String { "member-\(number % members)" }

  /// Whether a member is in a room: each one is in two of them, at least.
  static func isMember(_ member: Int, of room: Int) -> Bool { member % 4 == room || member % 3 == room % 3 }

  /// Returns the text about the stored messages, without a full stop.
  ///
  /// - Parameter kills: the number of processes that were killed while they wrote messages.
  static func summary(of audit: ChatRepository.Audit, kills: Int) -> String {
    let stored =
      "\(Format.count(audit.messages)) messages have \(Format.count(audit.copies)) copies in a tree of JSON values, and "
      + "\(Format.count(audit.halves)) are incomplete"
    return kills == 0 ? stored : stored + ", although a process was killed \(kills) times while it wrote them"
  }
}

extension Demo {
  private static let tasks = 8

  /// Posts messages that are fanned out to the inboxes of their rooms, shows who sees them, and kills a process that
  /// posts.
  mutating func chat() async throws {
    console.heading("15. A chat in a tree")
    let chat = store.chat
    for room in 0..<DemoChat.rooms {
      let members = (0..<DemoChat.members).filter { DemoChat.isMember($0, of: room) }
      try await chat.open(
        room: DemoChat.room(room),
        titled: "Room \(room)",
        for: members.map(DemoChat.member)
      )
    }
    let executable = Bundle.main.executableURL?.path(percentEncoded: false)
    if executable == nil {
      console.say("The program cannot find its own path here, so it starts no other process.")
    }
    try await post(1_000, in: chat, followedBy: executable)
    try await toggleStars(in: chat)
    try await refuseClients(of: chat)
    let kills = executable == nil ? 0 : 3
    if let executable {
      let acknowledged = try await kill(executable, posting: chat, times: kills)
      console.say(
        "Then another process posted messages, while this one had the store open, and was killed \(kills) times. It had reported "
          + "\(Format.count(acknowledged)) messages as stored, and all of them are there."
      )
    }
    let audit = try chat.audit()
    facts.chatText = DemoChat.summary(of: audit, kills: kills)
    console.say(facts.chatText + ".")
    guard audit.halves == 0, try chat.check().isConsistent else { throw DemoFailure.halfMessage }
  }

  // MARK: Listeners

  private func post(_ count: Int, in chat: ChatRepository, followedBy executable: String?) async throws {
    let follower = try executable.map {
      try ReportingProcess($0, ["chat", "follow", DemoChat.room(0), "--directory", directory])
    }
    try await follower?.wait(for: 1)
    let unread = try chat.tree.reference("inbox/\(DemoChat.member(0))/unread")
    let (values, continuation) = AsyncStream.makeStream(of: JSON.self)
    let token = unread.observe { event in
      if case .value(let snapshot) = event { continuation.yield(snapshot.json) }
    }
    defer { token.invalidate() }
    let tasks = Self.tasks
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            for number in stride(from: task, to: count, by: tasks) {
              try await chat.post(
                "Message \(number)",
                from: DemoChat.member(number),
                in: DemoChat.room(number)
              )
            }
          }
        }
        try await group.waitForAll()
      }
      try await chat.post(ChatWindow.goodbye, from: DemoChat.member(0), in: DemoChat.room(0))
    }
    let audit = try chat.audit()
    console.say(
      "\(tasks) tasks posted \(Format.count(audit.messages)) messages in \(Format.duration(time)). Each is one commit: the message in "
        + "its room, its copies in the inboxes of all members of the room (\(Format.count(audit.copies)) in all), their counts of unread "
        + "messages, which are incremented, and a property of the member who wrote it, an object beside the tree."
    )
    guard audit.halves == 0 else { throw DemoFailure.halfMessage }
    let stored = try unread.value()
    let calls = try await Self.calls(until: stored, in: values)
    console.say(
      "Meanwhile a listener of one count of unread messages was called \(Format.count(calls)) times: commits that were made "
        + "while it ran were delivered together. Its last value is the stored one, "
        + "\(Format.count(Int(stored.int ?? 0)))."
    )
    guard let lines = try await follower?.linesUntilEnd() else { return }
    let last = try chat.lastMessages(of: DemoChat.room(0)).snapshot().children.compactMap(\.key)
    guard lines.count > 2, Array(lines.dropFirst(2)) == last else { throw DemoFailure.otherMessages }
    console.say(
      "A second process followed the last \(ChatWindow.size) messages of one room and applied the events to its copy: "
        + "\(lines[1]) In the end its copy has just the \(Format.count(last.count)) messages that the store has."
    )
  }

  /// Waits until a listener receives a value.
  ///
  /// - Returns: the number of its calls.
  /// - Throws: `DemoFailure.otherMessages` if the value does not come within a minute.
  private static func calls(until last: JSON, in values: AsyncStream<JSON>) async throws -> Int {
    try await withThrowingTaskGroup(of: Int?.self) { group in
      group.addTask {
        var count = 0
        for await value in values {
          count += 1
          if value == last { return count }
        }
        return nil
      }
      group.addTask {
        try await Task.sleep(for: .seconds(60))
        return nil
      }
      defer { group.cancelAll() }
      guard let calls = try await group.next() ?? nil else { throw DemoFailure.otherMessages }
      return calls
    }
  }

  // MARK: Transactions

  private func toggleStars(in chat: ChatRepository) async throws {
    let (toggles, tasks) = (50, Self.tasks)
    let messages = try chat.lastMessages(of: DemoChat.room(0)).snapshot().children.suffix(5).map(\.reference)
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            var random = SeededGenerator(seed: UInt64(task))
            for _ in 0..<toggles {
              guard let message = messages.randomElement(using: &random) else { return }
              try await chat.toggleStar(of: message, by: DemoChat.member(task))
            }
          }
        }
        try await group.waitForAll()
      }
    }
    let counts = try messages.map { try chat.stars(of: $0) }
    guard counts.allSatisfy({ $0.stars == $0.counted }) else { throw DemoFailure.otherStars }
    console.say(
      "\(tasks) tasks gave and took stars, \(Format.count(tasks * toggles)) times in all, of the same \(messages.count) messages: a "
        + "transaction changes the star and its count together. It took \(Format.duration(time)). In the end "
        + "\(Format.count(counts.reduce(0) { $0 + $1.stars })) stars are there, and each message has counted its own."
    )
  }

  // MARK: Clients

  private func refuseClients(of chat: ChatRepository) async throws {
    // Member 1 is in room 1 and not in room 0.
    let client = try chat.client(DemoChat.member(1))
    let own = try client.reference("messages/\(DemoChat.room(1))")
    let other = try client.reference("messages/\(DemoChat.room(0))")
    let message: JSON = [
      "from": .string(DemoChat.member(1)), "text": "From a client", "at": .serverTimestamp,
    ]
    let before = try chat.messageKeys()
    _ = try own.queryLimited(toLast: 1).snapshot()
    let attempts: [(String, () async throws -> Void)] = [
      ("read a room without being a member", { _ = try other.queryLimited(toLast: 1).snapshot() }),
      ("post there", { try await other.childByAutoId().setValue(message) }),
      ("post in the name of somebody else", { try await own.childByAutoId().setValue(message.from("ada")) }),
      (
        "read the inbox of somebody else", { _ = try client.reference("inbox/\(DemoChat.member(0))").value() }
      ),
    ]
    for (_, attempt) in attempts {
      do {
        try await attempt()
        throw DemoFailure.clientWasNotRefused
      } catch let error as FiefError where error.code == .permissionDenied {}
    }
    guard try chat.messageKeys() == before else { throw DemoFailure.clientWasNotRefused }
    console.say(
      "A client reads and writes by the access rules of the chat. It read a room of its own, and was refused \(attempts.count) "
        + "times: it tried to \(attempts.map(\.0).joined(separator: ", ")). Nothing was written."
    )
  }

  // MARK: Kills

  /// - Returns: the number of messages that killed processes had reported as stored.
  private func kill(_ executable: String, posting chat: ChatRepository, times: Int) async throws -> Int {
    var count = 0
    for round in 1...times {
      let keys = try await ChatWriter.keys(
        from: executable,
        directory: directory,
        killedAfter: 40 * round + round
      )
      guard try chat.messageKeys().isSuperset(of: keys) else { throw DemoFailure.halfMessage }
      count += keys.count
    }
    return count
  }
}

extension JSON {
  /// Returns a message with another author.
  fileprivate func from(_ author: String) -> JSON {
    var message = self
    message["from"] = .string(author)
    return message
  }
}
