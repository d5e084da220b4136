import Fief
import FiefCommands
import FiefConsole
import Foundation
import LMDB
import Testing

/// The output of a run of the runner.
struct RunnerResult {
  var outcome: MigrationRunner.Outcome
  var output: String
  var errors: String

  /// The document on standard output, which has to be one and nothing else.
  func document() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any], "\(output)")
  }

  /// The objects of the stores in the document, by name.
  func stores() throws -> [String: [String: Any]] {
    let list = try #require(try document()["stores"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: list.compactMap { store in (store["name"] as? String).map { ($0, store) } }
    )
  }

  /// All that was written, however it was folded.
  var text: String { (output + "\n" + errors).replacing(/\s+/, with: " ") }

  /// The lines of standard output with one blank for many, and with sizes, times and dates masked.
  var lines: [String] {
    output.split(separator: "\n").map { line in
      var text = String(line).replacing(/\s+/, with: " ").trimmingCharacters(in: .whitespaces)
      text = text.replacing(/[0-9.,]+ (B|KiB|MiB|GiB|TiB)/, with: "SIZE")
      text = text.replacing(/[0-9.]+ (ns|us|ms|s)\b/, with: "TIME")
      text = text.replacing(/[0-9]{8}T[0-9]{6}\.[0-9]{3}Z/, with: "STAMP")
      return text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC/, with: "DATE")
    }
  }
}

/// A temporary directory with stores, and the runner for them.
final class RunnerFixture {
  let directory: String

  init(in parent: String = NSTemporaryDirectory()) throws {
    let name = "fief-runner-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    directory = URL(fileURLWithPath: parent).appendingPathComponent(name).standardizedFileURL.path
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// A repository in the fixture's directory.
  func repository(_ name: String, version: UInt64, isBroken: Bool = false) -> RunnerRepository {
    RunnerRepository(name, in: directory, version: version, isBroken: isBroken)
  }

  /// Makes stores of version 1.
  func fill(_ names: String..., hounds: Int = 20) throws {
    for name in names { try repository(name, version: 1).fill(hounds: hounds) }
  }

  /// Runs a command for repositories.
  func run(
    _ repositories: [any DatabaseConfigurable],
    _ arguments: String...,
    terminal: Terminal = .plain,
    answer: String? = nil,
    passphrase: String? = nil,
    environment: [String: String] = [:]
  ) -> RunnerResult {
    run(
      repositories,
      arguments,
      terminal: terminal,
      answer: answer,
      passphrase: passphrase,
      environment: environment
    )
  }

  /// Runs a command line for repositories.
  func run(
    _ repositories: [any DatabaseConfigurable],
    _ arguments: [String],
    terminal: Terminal = .plain,
    answer: String? = nil,
    passphrase: String? = nil,
    environment: [String: String] = [:]
  ) -> RunnerResult {
    let output = OwnedLock("")
    let errors = OwnedLock("")
    let runner = MigrationRunner(repositories: repositories, name: "keeper")
    let io = CommandIO(
      output: Console(terminal: terminal) { text in output.withLock { $0 += text } },
      error: Console(terminal: terminal) { text in errors.withLock { $0 += text } },
      isInteractive: answer != nil || passphrase != nil,
      readLine: { answer },
      readSecret: { question in
        errors.withLock { $0 += question }
        return passphrase
      },
      environment: environment
    )
    let outcome = runner.run(arguments, on: io)
    return RunnerResult(outcome: outcome, output: output.withLock { $0 }, errors: errors.withLock { $0 })
  }

  func path(_ parts: String...) -> String { ([directory] + parts).joined(separator: "/") }

  /// The names of the backups of a store, the oldest first.
  func backups(_ store: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(".backups", store))) ?? []
    return names.sorted()
  }

  /// The names of the files in the directory, hidden ones included.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }

  /// Changes bytes of a store's data file.
  func damage(_ store: String, at offset: Int, count: Int = 64) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path(store, "data.mdb")))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(repeating: 0xA5, count: count))
    try file.close()
  }
}

/// The lock that another process would have on a store that it has open.
///
/// A lock of an open file conflicts with those of processes, that of its own one included, so that no second
/// process is needed.
final class RunnerForeignLock {
  private let descriptor: Int32

  init(_ directory: String) throws {
    descriptor = open(directory + "/lock.mdb", O_RDWR | O_CLOEXEC)
    var range = flock()
    range.l_type = Int16(F_RDLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_len = 1
    let setLock: Int32 = 37  // F_OFD_SETLK of Linux
    try #require(descriptor >= 0 && fcntl(descriptor, setLock, &range) == 0)
  }

  deinit { close(descriptor) }
}
