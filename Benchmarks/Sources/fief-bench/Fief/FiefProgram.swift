import Fief
import Foundation

/// Fief as a peer: the modes of `main` in `Peers/driver.hpp`, with its protocol.
enum FiefProgram {
  static func run(_ arguments: [String]) throws {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "serve" where rest.count == 2: try serve(rest[0], count: try number(rest[1]))
    case "expect" where rest.count == 1:
      FileHandle.standardOutput.write(Data(Workload(count: try number(rest[0])).expectation.utf8))
    case "peak" where rest.count == 2:
      let repository = BenchmarkRepository(StoreKind.plain.types, in: rest[0])
      let count = try number(rest[1])
      try repository.write { transaction in
        for id in 1...count { try transaction.add(StoredPerson(Person(id: id))) }
      }
      Files.print("\(Memory.peak)")
      repository.close()
    case "transfer" where rest.count == 2: try FiefTransfer(directory: rest[0], size: number(rest[1])).run()
    case "scale" where rest.count >= 3:
      let batch = rest.count > 3 ? try number(rest[3]) : 1
      try FiefScale(directory: rest[1], count: try number(rest[2]), batch: batch).run(rest[0])
    case "cascade" where rest.count == 4:
      guard let shape = FiefCascade.Shape(rawValue: rest[3]) else {
        throw BenchmarkError("'\(rest[3])' is not one of \(FiefCascade.Shape.allCases.map(\.rawValue))")
      }
      let cascade = FiefCascade(directory: rest[1], count: try number(rest[2]), shape: shape)
      // The steps run in processes of their own, so that the peak is that of the deletion.
      if rest[0] == "fill" { try cascade.fill() } else { try cascade.delete() }
    default: throw BenchmarkError("unknown mode \(arguments)")
    }
  }

  /// The modes `open`, `open_enc` and `open50`, for the rows whose time is that of a new process from its beginning on.
  ///
  /// The arguments are read as the system gives them, and nothing is formatted before the clock has been
  /// read: so do the other peers.
  ///
  /// - Returns: false for any other mode.
  static func open(
    _ count: Int32,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    start: Double
  ) throws -> Bool {
    guard count > 3, let program = arguments[1], strcmp(program, "fief") == 0, let mode = arguments[2],
      let directory = arguments[3]
    else { return false }
    let isEncrypted = strcmp(mode, "open_enc") == 0
    if isEncrypted || strcmp(mode, "open") == 0, count == 5, let key = arguments[4] {
      var repository = BenchmarkRepository(StoreKind.plain.types, in: String(cString: directory))
      if isEncrypted { repository.storeOptions.encryption = .benchmark }
      let person = repository.object(ofType: StoredPerson.self, forPrimaryKey: atol(key))
      let seconds = Clock.now - start
      guard let person else { throw BenchmarkError("no object with the key \(String(cString: key))") }
      Files.print("\(seconds) \(Digest.cheap(person))")
      return true
    }
    if strcmp(mode, "open50") == 0, count == 4 {
      let repository = BenchmarkRepository(ManyTypes.all, in: String(cString: directory))
      let object = repository.object(ofType: Type00.self, forPrimaryKey: 7)
      let seconds = Clock.now - start
      Files.print("\(seconds) \(object?.id ?? 0)")
      return true
    }
    return false
  }

  /// Answers `ROW times` with the figure of one run and its operations.
  private static func serve(_ directory: String, count: Int) throws {
    let rows = try FiefRows(directory: directory, Workload(count: count))
    defer { rows.end() }
    Files.print("READY")
    while let line = readLine() {
      let fields = line.split(separator: " ")
      guard let row = fields.first, row != "quit" else { break }
      let times = fields.count > 1 ? try number(String(fields[1])) : 1
      let figure = try rows.figure(of: String(row), times: times)
      Files.print(figure.map { "\($0.value) \($0.operations)" } ?? "NONE")
    }
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw BenchmarkError("'\(text)' is not a number") }
    return number
  }
}

/// The memory of this process, in KiB.
enum Memory {
  static var peak: Int { value(of: "VmHWM") }
  static var anonymous: Int { value(of: "RssAnon") }

  private static func value(of key: String) -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key + ":") })
    else { return 0 }
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
