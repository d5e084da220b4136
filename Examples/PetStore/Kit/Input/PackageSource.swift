import ChildProcesses
import Foundation

/// The source of packages: the package index of this machine, or the list of those installed on it.
struct PackageSource: Sendable, Equatable {
  /// The input that is read.
  enum Origin: Sendable, Equatable {
    /// Files one after the other.
    case files([String])
    /// The output of a command.
    case command(String, arguments: [String])
  }

  /// The input that is read.
  var origin: Origin
  /// The name for people: `apt-cache dumpavail`.
  var name: String
  /// The approximate number of packages; nil where it is not known.
  var expectedCount: Int?
  /// Whether these are only the installed packages, for want of an index.
  var isInstalledOnly = false

  /// One file in the format of a package index, not compressed.
  static func file(_ path: String) throws(InputError) -> PackageSource {
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw .unreadable(name: path, reason: "the file does not exist or is not readable")
    }
    return PackageSource(origin: .files([path]), name: path)
  }

  /// The best source of this machine: the index as plain files, through `apt-cache` where apt keeps it
  /// compressed, and else the installed packages.
  ///
  /// - Throws: ``InputError/noPackageIndex`` on a machine that has none of them.
  static func find(on machine: Machine = .this) throws(InputError) -> PackageSource {
    let lists = machine.indexFiles()
    let plain = lists.filter { $0.hasSuffix("_Packages") }
    if !lists.isEmpty, plain.count == lists.count {
      return PackageSource(origin: .files(plain.sorted()), name: "apt's list files")
    }
    if !lists.isEmpty, let tool = machine.path(of: "apt-cache") {
      return PackageSource(
        origin: .command(tool, arguments: ["dumpavail"]),
        name: "apt-cache dumpavail",
        expectedCount: machine.output(tool, ["stats"]).flatMap(packageCount)
      )
    }
    if let tool = machine.path(of: "dpkg-query"), let names = machine.output(tool, ["-W", "-f", "x"]) {
      return PackageSource(
        origin: .command(tool, arguments: ["-W", "-f", installedFormat]),
        name: "dpkg-query",
        expectedCount: names.utf8.count,
        isInstalledOnly: true
      )
    }
    if FileManager.default.isReadableFile(atPath: machine.statusFile) {
      return PackageSource(
        origin: .files([machine.statusFile]),
        name: "dpkg's status file",
        isInstalledOnly: true
      )
    }
    throw .noPackageIndex
  }

  /// The number of packages with a version of their own, from the report of `apt-cache stats`.
  static func packageCount(inStatistics text: String) -> Int? {
    var sum = 0
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":")
      guard parts.count == 2 else { continue }
      let label = parts[0].trimmingCharacters(in: .whitespaces)
      guard label == "Normal packages" || label == "Mixed virtual packages" else { continue }
      sum += Int(parts[1].trimmingCharacters(in: .whitespaces)) ?? 0
    }
    return sum > 0 ? sum : nil
  }

  private static let installedFormat =
    [
      "Package", "Status", "Version", "Architecture", "Maintainer", "Section", "Priority", "Source",
      "Homepage", "Description", "Installed-Size", "Essential", "Depends", "Pre-Depends", "Recommends",
      "Provides", "Tag",
    ].map { "\($0): ${\($0)}\n" }.joined() + "\n"
}

/// The parts of a machine that ``PackageSource/find(on:)`` uses.
struct Machine: Sendable {
  /// The directory of apt's list files.
  var listDirectory: String
  /// The file in which dpkg keeps what is installed.
  var statusFile: String
  /// The directories in which commands are searched.
  var searchPath: [String]

  /// The machine this runs on.
  static var this: Machine {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return Machine(
      listDirectory: "/var/lib/apt/lists",
      statusFile: "/var/lib/dpkg/status",
      searchPath: path.split(separator: ":").map(String.init)
    )
  }

  /// Apt's package lists, compressed or not.
  func indexFiles() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: listDirectory)) ?? []
    let endings = ["", ".lz4", ".xz", ".gz", ".zst", ".bz2"].map { "_Packages" + $0 }
    return names.filter { name in endings.contains { name.hasSuffix($0) } }
      .map { listDirectory + "/" + $0 }
  }

  /// The names, numbers, sizes and times of the files that ``PackageSource/find(on:)`` leads to. apt and dpkg replace them.
  func indexState() -> [String] {
    (indexFiles() + [statusFile]).sorted().map { path in
      let found = (try? FileManager.default.attributesOfItem(atPath: path)) ?? [:]
      let parts = [FileAttributeKey.systemFileNumber, .size, .modificationDate].map { "\(found[$0] ?? "")" }
      return "\(path) \(parts.joined(separator: " "))"
    }
  }

  /// The place of a command.
  func path(of command: String) -> String? {
    searchPath.map { $0 + "/" + command }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The output of a command that ends well; its messages come in English.
  func output(_ path: String, _ arguments: [String]) -> String? {
    let english = ChildProcess.Environment.inherited(adding: ["LC_ALL": "C"])
    let outcome = try? ChildProcess.run(path, arguments, environment: english, errors: .null)
    return outcome?.end == .exited(0) ? outcome?.output : nil
  }
}
