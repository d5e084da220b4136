import Fief
import Foundation
import Testing

/// The program `fief watch`, with others that write.
@Suite("The program fief watch", .timeLimit(.minutes(20))) struct WatchProgramTests {
  private static let executable: URL? = {
    let folders = [
      Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    return folders.map { $0.appending(path: "fief") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
  }()

  private func run(_ arguments: String...) throws -> Int32 {
    let process = try start(arguments, output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func start(_ arguments: [String], output: Any, errors: Any) throws -> Process {
    let process = Process()
    let executable: URL = try #require(Self.executable)
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return process
  }

  /// Reads until a text has come; nil at the end.
  private func read(_ pipe: Pipe, until text: String) -> String? {
    var all = ""
    while !all.contains(text) {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      all += String(decoding: data, as: UTF8.self)
    }
    return all
  }

  /// The store has no lock table at first: the first writer makes one, and the reader has to notice.
  @Test("Changes of other processes are printed as they come, until Ctrl-C") func followsOthers() throws {
    try ToolStores.with("pets") { store in
      let (output, errors) = (Pipe(), Pipe())
      let process = try start(["watch", store, "DogClub", "-c", "name"], output: output, errors: errors)
      #expect(read(errors, until: "Ctrl-C ends it.") != nil)
      for name in ["Barks", "Woofs", "Yelps"] {
        #expect(try run("put", store, "DogClub", #"{"name":"\#(name)"}"#, "--write") == 0)
        #expect(read(output, until: "+ DogClub \(name)") != nil)
      }
      #expect(try run("delete", store, "DogClub", "Woofs", "--write") == 0)
      #expect(read(output, until: "- DogClub Woofs\n") != nil)
      process.interrupt()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 0)
    }
  }

  @Test("A script waits for the next change") func waitsForOne() throws {
    try ToolStores.with("pets") { store in
      #expect(try run("put", store, "DogClub", #"{"name":"Barks"}"#, "--write") == 0)
      let (output, errors) = (Pipe(), Pipe())
      let process = try start(["watch", store, "--json", "--count=1"], output: output, errors: errors)
      #expect(read(errors, until: "Ctrl-C ends it.") != nil)
      #expect(try run("delete", store, "DogClub", "Barks", "--write") == 0)
      let line = try #require(read(output, until: "\n"))
      #expect(line.contains(#""change":"deleted","type":"DogClub","key":"Barks"}"#))
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }
}
