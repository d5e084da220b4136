import ChildProcesses
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
            let room = "room-\(task % DemoChat.rooms)"
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

/// Runs ``ChatWriter`` in a process of its own and kills it in the middle.
///
/// An actor on a thread of its own, since it waits for a pipe.
actor ChatWriterProcess {
  private let executor = QueueExecutor(label: "petstore.chat-writer")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Starts the program `executable`, waits for `count` acknowledged messages, and sends SIGKILL.
  ///
  /// - Returns: the keys of the messages that the child reported as stored, until it died.
  /// - Throws: ``InputError`` when it ends before it is killed.
  func run(_ executable: String, directory: String, killedAfter count: Int) throws -> [String] {
    let child = try ChildProcess(executable, ["chat", "--directory", directory], output: .pipe)
    var text: [UInt8] = []
    var lines = 0
    while let piece = try child.output.read() {
      text += piece
      lines += piece.count { $0 == UInt8(ascii: "\n") }
      if lines >= count { child.kill() }
    }
    let end = child.wait()
    guard lines >= count, let last = text.lastIndex(of: UInt8(ascii: "\n")) else {
      throw InputError.commandFailed(
        name: "petstore chat",
        status: end.status ?? -1,
        message: "it ended unexpectedly"
      )
    }
    return String(decoding: text[..<last], as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
