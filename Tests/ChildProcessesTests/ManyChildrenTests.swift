import ChildProcesses
import Foundation
import Synchronization
import Testing

/// Runs `body` on threads of its own and waits for them: the tests' tasks share a few threads, which must not wait for children.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread.detachNewThread {
      body(number)
      group.leave()
    }
  }
  group.wait()
}

/// Texts that threads add.
final class Ends: Sendable {
  private let texts = Mutex<[String]>([])
  func add(_ text: String) { texts.withLock { $0.append(text) } }
  var all: [String] { texts.withLock { $0 } }
}

/// Children beside much that they must not inherit.
@Suite("Many child processes", .timeLimit(.minutes(20))) struct ManyChildrenTests {
  /// Descriptors that programs inherit unless something closes them.
  private final class OpenDescriptors {
    let numbers: [Int32]
    init(_ count: Int) { numbers = (0..<count).map { _ in open("/dev/null", O_RDONLY) } }
    deinit { for number in numbers { close(number) } }
  }

  @Test("2,000 children of eight threads, with 500 descriptors open, end as they should")
  func manyDescriptors() throws {
    let descriptors = OpenDescriptors(500)
    #expect(descriptors.numbers.allSatisfy { $0 >= 0 })
    let wrong = Ends()
    onThreads(8) { thread in
      for number in 0..<250 {
        let name = "\(thread)-\(number)"
        let script = "read word; echo out $word; echo error $word >&2; exit \(number % 100)"
        do {
          let outcome = try ChildProcess.run("sh", ["-c", script], input: name + "\n")
          if outcome.end != .exited(Int32(number % 100)) || outcome.output != "out \(name)\n"
            || outcome.errors != "error \(name)\n"
          {
            wrong.add("\(name): \(outcome)")
          }
        } catch {
          wrong.add("\(name): \(error)")
        }
      }
    }
    #expect(wrong.all == [])
    withExtendedLifetime(descriptors) {}
  }

  #if os(Linux)
    @Test("A child has its standard streams and no other descriptor, and no signal is blocked or ignored")
    func inheritance() throws {
      let descriptors = OpenDescriptors(20)
      // A pipe of another child must not stay open in this one.
      let other = try ChildProcess("cat", input: .pipe, output: .pipe)
      let previous = signal(SIGUSR2, SIG_IGN)
      var (blocked, before) = (sigset_t(), sigset_t())
      sigemptyset(&blocked)
      sigaddset(&blocked, SIGUSR1)
      pthread_sigmask(SIG_BLOCK, &blocked, &before)
      defer {
        pthread_sigmask(SIG_SETMASK, &before, nil)
        _ = signal(SIGUSR2, previous)
      }
      // The fourth one is the directory that is listed.
      #expect(try ChildProcess.run("ls", ["/proc/self/fd"], input: "x").output == "0\n1\n2\n3\n")
      let status = try ChildProcess.run("cat", ["/proc/self/status"]).output
      func mask(_ name: String) throws -> UInt64 {
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(
          UInt64(line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces), radix: 16)
        )
      }
      #expect(try mask("SigBlk") == 0)
      // The signals 32 and 33 are glibc's own.
      #expect(try mask("SigIgn") & 0x7FFF_FFFF == 0)
      other.input.close()
      #expect(other.wait() == .exited(0))
      withExtendedLifetime(descriptors) {}
    }
  #endif
}
