#if os(Linux)
  import Foundation
  import Testing

  /// A process with a library of LMDB's next generation, which writes another format.
  @Suite(.timeLimit(.minutes(5))) struct NewerLibraryTests {
    @Test func isRefusedBeforeAnythingIsMade() throws {
      let directory = try TemporaryDirectory()
      let (lines, end) = try CrashChild("newer-library", directory["stores"]).finish()
      #expect(end == .exited(0))
      func refusal(_ version: String) -> String {
        "unsupportedLibrary found LMDB \(version), needed LMDB 0.9.x before 0.9.70"
      }
      #expect(
        lines.map { String($0) } == [
          "disk " + refusal("1.0.0"), "memory " + refusal("1.0.0"), "tool " + refusal("1.0.0"),
          "layer " + refusal("1.0.0"), "development " + refusal("0.9.99"),
        ]
      )
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }
  }
#endif
