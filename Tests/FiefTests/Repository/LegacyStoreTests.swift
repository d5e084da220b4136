import ChildProcesses
import Foundation
import Testing

@Suite struct LegacyStoreTests {
  @Test func withoutObjectTypesTheStoreHasEveryClassOfTheProcess() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())")
    defer { try? FileManager.default.removeItem(at: directory) }
    let outcome = try ChildProcess.run(
      ChildProcess.built("fief-legacy-child"),
      [directory.path],
      errors: .inherited
    )
    #expect(
      outcome.output == """
        store: default version 0
        types: Animal 0, Cat 1, Secret 1, Visit 1
        cat: 7 Tom 3
        problems: 0

        """
    )
    #expect(outcome.end == .exited(0))
  }
}
