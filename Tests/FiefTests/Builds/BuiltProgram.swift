import ChildProcesses
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A small program that a test compiles and links with static archives of the library, as other build systems do.
struct BuiltProgram {
  /// The output of a run of a tool or of the program.
  struct Output {
    var lines: [Substring]
    var status: Int32?
  }

  /// The objects of the library's archive that the linker took, by their file names.
  let linkedObjects: Set<String>
  private let path: String
  private let directory: TemporaryDirectory

  /// Compiles one file.
  ///
  /// - Parameters:
  ///   - library: the objects of the library.
  ///   - flags: further flags of the compiler's frontend.
  init(_ source: String, library: LibraryObjects = .ofTests, flags: [String] = []) throws {
    directory = try TemporaryDirectory()
    path = directory["program"]
    try source.write(toFile: directory["main.swift"], atomically: true, encoding: .utf8)
    let products = try library.products
    let modules = [
      "Fief", "FiefInspection", "FiefMultiStore", "FiefObserving", "FiefOperations", "FiefViews", "FiefCore",
      "LMDB",
    ]
    for module in modules {
      // A thin archive has the places of the objects only, so that it takes no time.
      let archive = ["ar", "rcsT", directory["lib\(module).a"]] + (try Self.objects(of: module, library))
      try Self.expectSuccess(try Self.run(archive))
    }
    var command = ["swiftc", "-swift-version", "6", directory["main.swift"], "-o", path]
    command += [
      "-I", products + "/Modules", "-I", Self.sources + "/CLMDB", "-I", Self.sources + "/CFiefRuntime",
    ]
    command += ["-L", directory.path] + modules.map { "-l\($0)" } + ["-llmdb", "-Xlinker", "--trace"]
    command += flags.flatMap { ["-Xfrontend", $0] }
    if library == .ofTests { command += Self.sanitizers }
    let output = try Self.run(command)
    try Self.expectSuccess(output)
    let objects = output.lines.flatMap { $0.split { "/() ".contains($0) } }.filter {
      $0.hasSuffix(".swift.o")
    }
    linkedObjects = Set(objects.map(String.init))
  }

  /// An error or a warning of the compiler.
  struct Diagnostic: Equatable {
    let line: Int
    let message: String
  }

  /// The errors and warnings that the compiler reports for the files of a module that imports the library.
  ///
  /// - Parameters:
  ///   - files: the text of each file by its name.
  ///   - mode: the language mode, `5` or `6`.
  static func diagnostics(in files: [String: String], mode: String = "6") throws -> [Diagnostic] {
    let directory = try TemporaryDirectory()
    for (name, text) in files { try text.write(toFile: directory[name], atomically: true, encoding: .utf8) }
    var command = [
      "swiftc", "-emit-sil", "-wmo", "-o", "/dev/null", "-swift-version", mode, "-diagnostic-style", "llvm",
    ]
    if files["main.swift"] == nil { command.append("-parse-as-library") }
    command += ["-I", try products + "/Modules", "-I", sources + "/CLMDB", "-I", sources + "/CFiefRuntime"]
    command += ["-I", sources + "/CSodium"]
    let output = try run(command + files.keys.sorted().map { directory[$0] })
    // An error without a place, such as a missing module, has the line 0.
    let pattern = /^(?:.*?:(?:(\d+):\d+:|0:) )?(?:error|warning): (.*)$/
    return output.lines.compactMap { line in
      guard let match = line.wholeMatch(of: pattern) else { return nil }
      return Diagnostic(line: match.1.flatMap { Int($0) } ?? 0, message: String(match.2))
    }
  }

  /// Removes the program.
  func remove() { try? FileManager.default.removeItem(atPath: directory.path) }

  /// Runs the program.
  func run(_ arguments: String...) throws -> Output { try Self.run([path] + arguments) }

  /// The directory of the build's objects and modules: beside the test bundle, or around it.
  static var products: String {
    get throws {
      URL(filePath: try ChildProcess.built("fief-crash-child")).deletingLastPathComponent().path
    }
  }

  static let sources =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../../Sources"

  /// The object files of a module, without those of sources that were renamed or removed, which a build leaves.
  static func objects(of module: String, _ library: LibraryObjects) throws -> [String] {
    let directory = try library.products + "/\(module).build"
    let present = try Set(
      FileManager.default.subpathsOfDirectory(atPath: sources + "/\(module)").map { name(of: $0) + ".o" }
    )
    return try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasSuffix(".swift.o") && present.contains($0) }
      .sorted()
      .map { directory + "/" + $0 }
  }

  /// The last part of a path.
  static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The sanitizers that the objects were built with, which the linker needs.
  private static var sanitizers: [String] {
    guard let program = dlopen(nil, RTLD_LAZY) else { return [] }
    defer { dlclose(program) }
    if dlsym(program, "__tsan_init") != nil { return ["-sanitize=thread"] }
    return dlsym(program, "__asan_init") != nil ? ["-sanitize=address"] : []
  }

  private struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  static func expectSuccess(_ output: Output) throws {
    if output.status != 0 { throw Failure(description: output.lines.suffix(40).joined(separator: "\n")) }
  }

  /// Runs a command to its end, and gives all that it wrote.
  static func run(_ command: [String]) throws -> Output {
    let outcome = try ChildProcess.run(command[0], Array(command.dropFirst()), errors: .output)
    return Output(lines: outcome.output.split(separator: "\n"), status: outcome.status)
  }
}
