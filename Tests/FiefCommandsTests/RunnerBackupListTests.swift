import FiefCommands
import Foundation
import Testing

@Suite("Backups that cannot be read or removed") struct RunnerBackupListTests {
  @Test("A directory of backups that cannot be read is not an empty one")
  func unreadable() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 1)
    #expect(fixture.run([repository], "status").text.contains("none"))
    try FileManager.default.createDirectory(
      atPath: fixture.path(".backups"),
      withIntermediateDirectories: false
    )
    try Data("no directory".utf8).write(to: URL(fileURLWithPath: fixture.path(".backups", "a")))
    let status = fixture.run([repository], "status")
    #expect(status.outcome == .done)
    #expect(status.text.contains("The backups cannot be read:"), "\(status.text)")
    #expect(status.text.contains("unknown") && !status.text.contains("none"), "\(status.text)")
    let back = fixture.run([repository], "rollback", "--yes", "--json")
    #expect(back.outcome == .failed || back.outcome == .refused)
    let error = try #require(try back.stores()["a"]?["error"] as? [String: Any])
    #expect(error["message"] as? String == "The directory of the backups cannot be read.")
    let restored = fixture.run([repository], "restore", "20261121T163000.123Z-v1", "--yes")
    #expect(restored.text.contains("The backups of a cannot be read"), "\(restored.text)")
  }

  @Test("An old backup that cannot be removed is named")
  func unremoved() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    let repository = fixture.repository("a", version: 1)
    #expect(fixture.run([repository], "backup").outcome == .done)
    let old = try #require(fixture.backups("a").first)
    // Backups have no directories in them, and none is removed with them.
    let inside = fixture.path(".backups", "a", old, "inside")
    try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: false)
    let result = fixture.run([repository], "backup", "--keep", "1")
    #expect(result.outcome == .done)
    #expect(result.text.contains("Old backups could not be removed:"), "\(result.text)")
    #expect(result.text.contains(old))
    try FileManager.default.removeItem(atPath: inside)
    let last = fixture.run([repository], "backup", "--keep", "1")
    #expect(!last.text.contains("could not be removed"))
    #expect(fixture.backups("a").filter { $0 != old }.count == 1)
  }
}
