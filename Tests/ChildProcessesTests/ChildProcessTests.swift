import ChildProcesses
import Foundation
import Testing

@Suite("Child processes", .timeLimit(.minutes(20))) struct ChildProcessTests {
  private let longText = String(repeating: "0123456789abcde\n", count: 200_000)

  @Test("Input and both outputs of megabytes pass at the same time") func largeStreams() throws {
    let outcome = try ChildProcess.run("tee", ["/dev/stderr"], input: longText)
    #expect(outcome.end == .exited(0) && outcome.untakenInput == 0)
    #expect(outcome.output == longText && outcome.errors == longText)
  }

  @Test("Errors can go where the output goes, and both to files and nowhere") func destinations() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "fief-child-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let script = ["-c", "echo out; echo error >&2"]
    let joined = try ChildProcess.run("sh", script, errors: .output)
    #expect(joined.output == "out\nerror\n" && joined.errors == "")
    for _ in 1...2 {
      let path = file.path(percentEncoded: false)
      #expect(try ChildProcess.run("sh", script, output: .file(path), errors: .null).output == "")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "out\nout\n")
    #expect(throws: ChildProcessError.self) { try ChildProcess.run("sh", script, output: .output) }
    #expect(throws: ChildProcessError.self) { try ChildProcess.run("sh", script, output: .file("/no/file")) }
  }

  @Test("A child gets the working directory and the environment of its start") func surroundings() throws {
    let script = ["-c", "pwd; echo ${ADDED-none} ${HOME-none}"]
    let own = try ChildProcess.run("sh", script, directory: "/usr")
    let home = ProcessInfo.processInfo.environment["HOME"] ?? "none"
    #expect(own.output == "/usr\nnone \(home)\n")
    let more = try ChildProcess.run("sh", script, environment: .inherited(adding: ["ADDED": "1 2=3"]))
    #expect(more.output.hasSuffix("\n1 2=3 \(home)\n"))
    let others = try ChildProcess.run(
      "sh",
      script,
      environment: .only(["PATH": "/nowhere:/bin", "ADDED": "x"]),
      directory: "/"
    )
    #expect(others.output == "/\nx none\n")
  }

  @Test("Exit statuses and signals are told apart") func ends() throws {
    #expect(try ChildProcess.run("sh", ["-c", "exit 9"]).end == .exited(9))
    #expect(try ChildProcess.run("sh", ["-c", "kill -9 $$"]).end == .signal(SIGKILL))
    let child = try ChildProcess("sleep", ["600"])
    #expect(child.isRunning && child.send(SIGINT))
    #expect(child.wait() == .signal(SIGINT) && child.wait() == .signal(SIGINT))
    #expect(!child.isRunning && !child.send(SIGKILL))
  }

  @Test("A program that cannot be started is an error with its name") func missingProgram() throws {
    func error(_ program: String, _ arguments: [String] = [], directory: String? = nil) -> ChildProcessError?
    {
      #expect(throws: ChildProcessError.self) {
        try ChildProcess.run(program, arguments, directory: directory)
      }
    }
    for program in ["no-such-program", "/no/such/program"] {
      let missing = try #require(error(program))
      #expect(missing.code == .notStarted && missing.program == program && missing.number == ENOENT)
      #expect("\(missing)".hasPrefix("'\(program)' was not started: "))
    }
    #expect(error("/etc/passwd")?.number == EACCES)
    #expect(error("true", directory: "/no/directory")?.number == ENOENT)
    #expect(error("true", ["a\0b"])?.number == EINVAL)
  }

  @Test("A child that takes too long is killed, also if another process keeps its output open")
  func timeLimits() throws {
    let outcome = try ChildProcess.run("sleep", ["600"], timeLimit: .milliseconds(50))
    #expect(outcome.end == .hung && outcome.status == nil)
    let parent = try ChildProcess.run("sh", ["-c", "sleep 60 &"], timeLimit: .milliseconds(50))
    #expect(parent.end == .hung)
    let child = try ChildProcess("sleep", ["600"])
    #expect(child.wait(timeLimit: .milliseconds(50)) == .hung)
    #expect(!child.isRunning)
    #expect(try ChildProcess.run("sh", ["-c", "exit 3"], timeLimit: .seconds(600)).end == .exited(3))
  }

  @Test("A child that does not read its input does not end this process") func closedInput() throws {
    let outcome = try ChildProcess.run("sh", ["-c", "exec <&-; echo done"], input: longText)
    #expect(outcome.end == .exited(0) && outcome.output == "done\n" && outcome.untakenInput > 1 << 20)
    let child = try ChildProcess("true", input: .pipe)
    child.wait()
    // A process that another test has just forked holds the reading end until it becomes another program.
    let error = #expect(throws: ChildProcessError.self) {
      for _ in 0..<60_000 {
        try child.input.write("m")
        usleep(10_000)
      }
    }
    #expect(error?.code == .notWritten && error?.number == EPIPE)
  }

  @Test("Input and output of a child that runs go line by line") func conversation() throws {
    let child = try ChildProcess("cat", input: .pipe, output: .pipe)
    try child.input.write("one\ntwo\nthr")
    #expect(try child.output.line() == "one")
    #expect(try child.output.read(through: "wo") == "two")
    #expect(try child.output.line() == "")
    try child.input.write("ee\n.")
    #expect(try child.output.line() == "three")
    #expect(try child.output.read() == Array(".".utf8))
    #expect(try child.output.read(until: .now) == [])
    try child.input.write("end")
    child.input.close()
    #expect(try child.output.read(through: "nothing") == nil)
    #expect(try child.output.rest() == "end")
    #expect(try child.output.read() == nil)
    #expect(child.wait() == .exited(0))
    #expect(throws: ChildProcessError.self) { try child.input.write("more") }
    #expect(throws: ChildProcessError.self) { try child.errors.read() }
  }

  @Test("A child is killed and reaped with its last reference") func release() throws {
    var child: ChildProcess? = try ChildProcess("sleep", ["600"])
    let id = try #require(child).id
    #expect(kill(id, 0) == 0)
    child = nil
    #expect(kill(id, 0) == -1 && errno == ESRCH)
  }

  @Test("Several threads wait for the same child") func waitingThreads() throws {
    let child = try ChildProcess("sleep", ["600"])
    let ends = Ends()
    onThreads(8) { number in
      if number == 7 { child.kill() }
      ends.add("\(number % 2 == 0 ? child.wait() : child.wait(timeLimit: .seconds(600)))")
    }
    #expect(ends.all == Array(repeating: "signal(9)", count: 8))
  }
}
