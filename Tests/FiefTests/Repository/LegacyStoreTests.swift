import Foundation
import Testing

@Suite struct LegacyStoreTests {
  @Test func withoutObjectTypesTheStoreHasEveryClassOfTheProcess() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID())")
    defer { try? FileManager.default.removeItem(at: directory) }
    let child = Process()
    child.executableURL = ChildProcess.executable.deletingLastPathComponent()
      .appendingPathComponent("fief-legacy-child")
    child.arguments = [directory.path]
    let output = Pipe()
    child.standardOutput = output
    try child.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitUntilExit()
    #expect(
      text == """
        store: default version 0
        types: Animal 0, Cat 1, Secret 1, Visit 1
        cat: 7 Tom 3
        problems: 0

        """
    )
    #expect(child.terminationStatus == 0)
  }
}
