import ChildProcesses
import Foundation

/// Packages in batches from a source, with what was wrong with the others.
struct PackageBatch: Sendable {
  var records: [PackageRecord] = []
  /// The first problems, for people to read; their number is in ``problemCount``.
  var problems: [StanzaProblem] = []
  var problemCount = 0
  /// The bytes of input read for this batch.
  var bytes = 0
}

/// Reads a package source piece by piece: at any time it holds one piece and the records of one batch.
///
/// An actor on a thread of its own, since it waits for a pipe. The caller asks for the next batch while
/// it stores the last one, so that reading and writing go on at the same time, and a slow writer slows
/// the reader down instead of filling the memory.
actor PackageIndexReader {
  private enum Input {
    case file(FileHandle)
    case process(ChildProcess)
  }

  private let executor = QueueExecutor(label: "petstore.package-index")
  private let source: PackageSource
  private var parser = StanzaParser()
  private var files: [String]
  private var input: Input?
  private var hasStarted = false
  private var hasFinished = false
  private var spare = PackageBatch()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes a reader; nothing is opened before the first batch is asked for.
  init(_ source: PackageSource) {
    self.source = source
    if case .files(let paths) = source.origin { files = paths } else { files = [] }
  }

  /// The next packages: at least `limit` of them, and no more than one piece of input beyond; nil at the
  /// end.
  ///
  /// - Throws: ``InputError`` when a file cannot be read or the command fails.
  func next(limit: Int) throws(InputError) -> PackageBatch? {
    while spare.records.count < limit, !hasFinished {
      guard let piece = try read() else {
        parser.finish { Self.collect($0, into: &spare) }
        hasFinished = true
        break
      }
      spare.bytes += piece.count
      parser.consume(piece[...]) { Self.collect($0, into: &spare) }
    }
    if spare.records.isEmpty, spare.problemCount == 0, spare.bytes == 0 { return nil }
    defer { spare = PackageBatch() }
    return spare
  }

  /// Ends the reading, and the command with it.
  func close() {
    if case .process(let process) = input {
      process.send(SIGTERM)
      process.output.close()
      process.wait()
    }
    if case .file(let handle) = input { try? handle.close() }
    input = nil
    files = []
    hasFinished = true
  }

  private static func collect(_ event: StanzaParser.Event, into batch: inout PackageBatch) {
    do throws(StanzaProblem) {
      switch event {
      case .stanza(let stanza):
        if PackageRecord.isInstalled(stanza) { batch.records.append(try PackageRecord(stanza)) }
      case .problem(let problem):
        throw problem
      }
    } catch {
      batch.problemCount += 1
      if batch.problems.count < 5 { batch.problems.append(error) }
    }
  }

  /// The next piece of input, nil at its end.
  private func read() throws(InputError) -> [UInt8]? {
    while true {
      switch input {
      case nil:
        guard try openNext() else { return nil }
      case .file(let handle):
        if let piece = try piece(of: handle) { return piece }
        try? handle.close()
        input = nil
      case .process(let process):
        if let piece = try piece(of: process) { return piece }
        let end = process.wait()
        input = nil
        guard end == .exited(0) else {
          throw .commandFailed(name: source.name, status: end.status ?? -1, message: "")
        }
      }
    }
  }

  private func openNext() throws(InputError) -> Bool {
    if !files.isEmpty {
      let path = files.removeFirst()
      guard let handle = FileHandle(forReadingAtPath: path) else {
        throw .unreadable(name: source.name, reason: "one of its files cannot be opened")
      }
      input = .file(handle)
      return true
    }
    guard !hasStarted, case .command(let path, let arguments) = source.origin else { return false }
    hasStarted = true
    do {
      input = .process(try ChildProcess(path, arguments, output: .pipe, errors: .null))
    } catch {
      throw .commandFailed(name: source.name, status: -1, message: "it cannot be started")
    }
    return true
  }

  private func piece(of process: ChildProcess) throws(InputError) -> [UInt8]? {
    do { return try process.output.read() } catch {
      throw .unreadable(name: source.name, reason: "the input ended unexpectedly")
    }
  }

  private func piece(of handle: FileHandle) throws(InputError) -> [UInt8]? {
    do {
      guard let data = try handle.read(upToCount: 1 << 18), !data.isEmpty else { return nil }
      return Array(data)
    } catch {
      throw .unreadable(name: source.name, reason: "the input ended unexpectedly")
    }
  }
}
