import Foundation

/// The machine and the time of a measurement.
struct Machine: Encodable {
  let processor: String
  let cores: Int
  let memoryMiB: UInt64
  let system: String
  let kernel: String
  let swift: String
  /// The versions of the peers' libraries, by peer.
  let peers: [String: String]
  let fief: String
  let date: String
  let command: String

  init(options: Options) throws {
    let information = ProcessInfo.processInfo
    processor = Self.value(of: "model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown"
    cores = information.processorCount
    memoryMiB = information.physicalMemory >> 20
    system = Self.value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "unknown"
    kernel = Self.answer("uname", "-sr")
    swift = Self.answer("swift", "--version").split(separator: "\n").first.map(String.init) ?? "unknown"
    var versions: [String: String] = [:]
    for peer in options.peers where peer != .fief {
      versions[peer.name] = try peer.output(["version"]).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    peers = versions
    fief = Self.answer("git", "describe", "--always", "--dirty", "--tags")
    date = Date().formatted(.iso8601)
    command = "Benchmarks/run " + options.arguments.joined(separator: " ")
  }

  /// The lines above a table of results.
  var markdown: [String] {
    [
      "| | |",
      "|---|---|",
      "| Date | \(date) |",
      "| Command | `\(command)` |",
      "| Fief | \(fief) |",
      "| Swift | \(swift) |",
      "| Peers | \(peers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")) |",
      "| Processor | \(processor), \(cores) cores, \(memoryMiB) MiB |",
      "| System | \(system), \(kernel) |",
    ]
  }

  private static func answer(_ program: String, _ arguments: String...) -> String {
    let text = try? PeerProcess.output(program, arguments)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
  }

  private static func value(of key: String, in file: String, separator: Character) -> String? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
    let value = line?.split(separator: separator, maxSplits: 1).last
    return value?.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "\"")))
  }
}
