import Fief
import FiefConsole
import FiefTree

/// The last messages of a room as a screen keeps them: it starts empty and applies the events of a listener.
struct ChatWindow {
  static let size = 20
  /// The text of the message after which a follower ends.
  static let goodbye = "Goodbye"

  private(set) var messages: [TreeSnapshot] = []
  private(set) var added = 0
  private(set) var removed = 0
  private(set) var changed = 0

  var keys: [String] { messages.compactMap(\.key) }

  /// Whether the last message says goodbye.
  var hasEnded: Bool { messages.last?.json["text"].string == Self.goodbye }

  mutating func apply(_ event: TreeEvent) {
    switch event {
    case .childAdded(let message, let after):
      added += 1
      insert(message, after: after)
    case .childRemoved(let message):
      removed += 1
      remove(message)
    case .childMoved(let message, let after):
      remove(message)
      insert(message, after: after)
    case .childChanged(let message, _):
      changed += 1
      if let index = keys.firstIndex(of: message.key ?? "") { messages[index] = message }
    case .value: break
    }
  }

  private mutating func insert(_ message: TreeSnapshot, after key: String?) {
    let index = key.flatMap { keys.firstIndex(of: $0) }
    messages.insert(message, at: index.map { $0 + 1 } ?? 0)
  }

  private mutating func remove(_ message: TreeSnapshot) {
    if let index = keys.firstIndex(of: message.key ?? "") { messages.remove(at: index) }
  }
}

extension ChatRepository {
  /// The query of the last messages of a room.
  func lastMessages(of room: String) throws -> TreeQuery {
    try tree.reference("messages/\(room)").queryLimited(toLast: ChatWindow.size)
  }

  /// Follows the last messages of a room until a message says goodbye.
  ///
  /// - Parameter didBegin: called with the first window.
  func follow(room: String, _ didBegin: (ChatWindow) -> Void) async throws -> ChatWindow {
    var window = ChatWindow()
    var hasBegun = false
    for try await event in try lastMessages(of: room).events([.children, .value]) {
      window.apply(event)
      // A delivery ends with the value.
      guard case .value = event else { continue }
      if !hasBegun { didBegin(window) }
      hasBegun = true
      if window.hasEnded { break }
    }
    return window
  }
}

extension PetStoreCommand {
  /// Prints a line when it has begun to follow a room, then a line with figures, and the keys of the last window.
  static func follow(room: String, in directory: String, on console: Console) async throws {
    let store = try PetStore.encrypted(in: directory)
    defer { store.manager.close() }
    let window = try await store.chat.follow(room: room) { window in
      console.line(
        "Following \(room), which has \(Format.count(window.messages.count)) messages on the screen."
      )
    }
    console.line(
      "\(Format.count(window.added)) messages came, \(Format.count(window.removed)) went, "
        + "\(Format.count(window.changed)) changed."
    )
    for key in window.keys { console.line(key) }
  }
}
