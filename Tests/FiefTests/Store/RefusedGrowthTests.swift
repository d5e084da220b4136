import ChildProcesses
import Foundation
import Testing

@Suite struct RefusedGrowthTests {
  private let scratch = FileManager.default.temporaryDirectory.appending(path: "fief-growth-\(UUID())").path

  @Test("a store that cannot be opened again after a refused growth says so on standard error at once")
  func refusedGrowth() throws {
    try FileManager.default.createDirectory(
      atPath: scratch,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let outcome = try ChildProcess.run(
      ChildProcess.built("fief-crash-child"),
      ["refused-growth", scratch],
      directory: scratch
    )
    #expect(outcome.output == "refused true\nkept true []\n", "\(outcome.output)")
    #expect(outcome.errors.contains("grown: background maintenance failed"), "\(outcome.errors)")
    #expect(outcome.errors.contains("The system refused a larger map"), "\(outcome.errors)")
  }
}
