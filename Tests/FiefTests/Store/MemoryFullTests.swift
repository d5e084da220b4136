import Fief
import Foundation
import Testing

@testable import FiefCore

/// Stores in memory whose file system is full.
@Suite(.timeLimit(.minutes(20))) struct MemoryFullTests {
  /// A file system in memory ends a write early, which looks like a device that failed.
  @Test func aStoreThatOutgrowsItsFileSystemKeepsWhatItHas() throws {
    let (lines, end) = try CrashChild("memory-full", UUID().uuidString).finish()
    #expect(end == .exited(0))
    #expect(
      lines.map { String($0) } == [
        "opened none", "full storeFull", "crossed storeFull", "queued storeFull", "limited true",
        "kept true true", "again storeFull", "checked none", "room none", "kept true true", "checked none",
        "end 1",
      ]
    )
  }

  #if os(Linux)
    /// Containers often have 64 MiB there: a store would have no space to grow.
    @Test func aSmallSharedMemoryIsNotUsed() {
      #expect(MemoryDirectories.leastFreeBytes == 256 << 20)
    }
  #endif
}
