import Foundation
import Testing

@testable import PetStoreKit

/// The program follows a domain that another process of it writes to.
@Suite("The program, watching", .timeLimit(.minutes(20))) struct WatchCommandTests {
  private static let executable: URL? = {
    let folders = [
      Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    return folders.map { $0.appending(path: "petstore") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
  }()

  private func start(_ arguments: [String], output: Any) throws -> Process {
    let process = Process()
    let executable: URL = try #require(Self.executable)
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    return process
  }

  /// Reads until a text has come; what was read so far at the end.
  private func read(_ pipe: Pipe, until text: String) -> String {
    var all = ""
    while !all.contains(text) {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { return all }
      all += String(decoding: data, as: UTF8.self)
    }
    return all
  }

  @Test("What one process imports is told by another one, which an interrupt ends")
  func followsAnImport() async throws {
    try await Fixtures.withDirectory { directory in
      let index = directory.appending(path: "index")
      let stores = ["--directory", directory.appending(path: "stores").path(percentEncoded: false)]
      func load(_ text: String) throws {
        try Data(text.utf8).write(to: index)
        let arguments = ["import", "--index", index.path(percentEncoded: false)] + stores
        let process = try start(arguments, output: FileHandle.nullDevice)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      try load("Package: app\nVersion: 1\n")
      let output = Pipe()
      let watch = try start(["watch"] + stores, output: output)
      #expect(read(output, until: "Ctrl-C").contains("Following 1 packages."))
      try load("Package: app\nVersion: 2\n\nPackage: lib\nVersion: 7\n")
      let text = read(output, until: "app 2")
      #expect(text.contains("packages changed: app 2") || text.contains("app 2"), "\(text)")
      watch.interrupt()
      watch.waitUntilExit()
      #expect(watch.terminationReason == .exit && watch.terminationStatus == 0)
    }
  }
}
