import Fief
import Foundation
import Testing

/// A store that was replaced, where the disk has not confirmed it.
@Suite struct UnsynchronisedRestoreTests {
  @Test func itIsSaidAndNothingIsRemoved() throws {
    let directory = try TemporaryDirectory()
    let (lines, end) = try CrashChild("restore-unsynchronised", directory.path).finish()
    #expect(end == .exited(0))
    #expect(lines.first == "error unknownOutcome" && lines.last == "accounts 1")
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: directory.path).first { $0.hasPrefix(".restoring-") }
    )
    #expect(lines.contains { $0.hasPrefix("detail ") && $0.hasSuffix(directory[name]) }, "\(lines)")
    let replaced = try DynamicStore(directory: directory[name])
    #expect(try replaced.count(of: "StressAccount") == 2)
    replaced.close()
  }
}
