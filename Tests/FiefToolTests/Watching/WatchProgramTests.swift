import ChildProcesses
import Fief
import Foundation
import Testing

/// The program `fief watch`, with others that write.
@Suite("The program fief watch", .timeLimit(.minutes(20))) struct WatchProgramTests {
  private func run(_ arguments: String...) throws -> Int32? {
    try ChildProcess.run(ChildProcess.built("fief"), arguments, output: .null, errors: .null).status
  }

  private func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(ChildProcess.built("fief"), arguments, output: .pipe, errors: .pipe)
  }

  /// The store has no lock table at first: the first writer makes one, and the reader has to notice.
  @Test("Changes of other processes are printed as they come, until Ctrl-C") func followsOthers() throws {
    try ToolStores.with("pets") { store in
      let child = try start("watch", store, "DogClub", "-c", "name")
      #expect(try child.errors.read(through: "Ctrl-C ends it.") != nil)
      for name in ["Barks", "Woofs", "Yelps"] {
        #expect(try run("put", store, "DogClub", #"{"name":"\#(name)"}"#, "--write") == 0)
        #expect(try child.output.read(through: "+ DogClub \(name)") != nil)
      }
      #expect(try run("delete", store, "DogClub", "Woofs", "--write") == 0)
      #expect(try child.output.read(through: "- DogClub Woofs\n") != nil)
      child.send(SIGINT)
      #expect(child.wait() == .exited(0))
    }
  }

  @Test("A script waits for the next change") func waitsForOne() throws {
    try ToolStores.with("pets") { store in
      #expect(try run("put", store, "DogClub", #"{"name":"Barks"}"#, "--write") == 0)
      let child = try start("watch", store, "--json", "--count=1")
      #expect(try child.errors.read(through: "Ctrl-C ends it.") != nil)
      #expect(try run("delete", store, "DogClub", "Barks", "--write") == 0)
      let line = try #require(try child.output.line())
      #expect(line.contains(#""change":"deleted","type":"DogClub","key":"Barks"}"#))
      #expect(child.wait() == .exited(0))
    }
  }
}
