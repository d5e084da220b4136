import ChildProcesses
import Foundation
import Testing

@testable import PetStoreKit

/// The program follows a domain that another process of it writes to.
@Suite("The program, watching", .timeLimit(.minutes(20))) struct WatchCommandTests {
  @Test("What one process imports is told by another one, which an interrupt ends")
  func followsAnImport() async throws {
    try await Fixtures.withDirectory { directory in
      let program = try ChildProcess.built("petstore")
      let index = directory.appending(path: "index")
      let stores = ["--directory", directory.appending(path: "stores").path(percentEncoded: false)]
      func load(_ text: String) throws {
        try Data(text.utf8).write(to: index)
        let arguments = ["import", "--index", index.path(percentEncoded: false)] + stores
        #expect(try ChildProcess.run(program, arguments).end == .exited(0))
      }
      try load("Package: app\nVersion: 1\n")
      let watch = try ChildProcess(program, ["watch"] + stores, output: .pipe)
      #expect(try watch.output.read(through: "Ctrl-C")?.contains("Following 1 packages.") == true)
      try load("Package: app\nVersion: 2\n\nPackage: lib\nVersion: 7\n")
      #expect(try watch.output.read(through: "app 2") != nil)
      watch.send(SIGINT)
      #expect(watch.wait() == .exited(0))
    }
  }
}
