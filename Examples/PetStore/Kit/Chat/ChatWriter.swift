import Foundation

/// Posts messages until the process is stopped, and reports the key of each once it is stored: the child that the demo
/// kills.
struct ChatWriter {
  let directory: String

  /// Writes without end. A line comes only after the store has said that the message is on disk.
  func run() async throws {
    let chat = try PetStore.encrypted(in: directory).chat
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          while true {
            let room = DemoChat.room(task)
            let key = try await chat.post("From a child", from: DemoChat.member(task), in: room)
            // One short write to a pipe is never divided, so the line arrives whole or not at all.
            try FileHandle.standardOutput.write(contentsOf: Data("\(key)\n".utf8))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

extension ChatWriter {
  /// Runs a writer in a process of its own and kills it in the middle.
  ///
  /// - Returns: the keys of the messages that the child reported as stored, until it died.
  /// - Throws: ``InputError`` when it ends before `count` messages.
  static func keys(from executable: String, directory: String, killedAfter count: Int) async throws
    -> [String]
  {
    try await ReportingProcess(executable, ["chat", "--directory", directory]).lines(killedAfter: count)
  }
}
