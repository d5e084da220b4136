import Foundation
import LMDB
import Testing

/// Stores that are opened where no place for a reader is left, or no space for the lock table.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReadOnlyOpeningTests {
  let scratch = Scratch()

  private func make(_ directory: String, entries: Int = 1) throws {
    let environment = try Environment.open(directory: directory, options: .small(16 << 20))
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for index in 0..<entries { try transaction.put(items, "\(index)", String(repeating: "v", count: 500)) }
    }
  }

  private func readOnly(_ directory: String, _ readers: Int, _ places: Int) throws -> [String] {
    let child = try Child("read-only", directory, "\(readers)", "\(places)")
    let lines = child.finish()
    #expect(child.end == .exited(0))
    return lines
  }

  @Test func theSlotsOfAKilledProcessAreFree() throws {
    let path = scratch["store"]
    try make(path)
    unlink(path + "/lock.mdb")
    // The one that lives keeps the table from being made again.
    let living = try Child("hold-slots", path, "1", "4")
    #expect(living.line() == "holding 1")
    let killed = try Child("hold-slots", path, "3", "4")
    #expect(killed.line() == "holding 3")
    killed.killNow()
    #expect(try readOnly(path, 3, 4) == ["read 3"])
    living.killNow()
  }

  @Test func withoutAFreeSlotOpeningFails() throws {
    let path = scratch["store"]
    try make(path)
    unlink(path + "/lock.mdb")
    let living = try Child("hold-slots", path, "4", "4")
    #expect(living.line() == "holding 4")
    #expect(try readOnly(path, 1, 4) == ["opening readersFull"])
    let options = EnvironmentOptions.small()
    #expect(code { try Environment.open(directory: path, options: options).close() } == .readersFull)
    living.killNow()
    #expect(try readOnly(path, 4, 4) == ["read 4"])
  }

  @Test func aDirectoryThatCannotBeWrittenToIsRead() throws {
    #expect(chmod(scratch.path, 0o755) == 0)
    let child = try Child("read-only-directory", scratch["store"])
    #expect(child.finish() == ["writing permissionDenied", "reading a true"])
    #expect(child.end == .exited(0))
  }

  @Test(.enabled(if: !SmallDisk.Kind.possible.isEmpty, "mounting a file system is not permitted"))
  func readersOnAFullDiskHaveRoomInTheLockTable() throws {
    for kind in SmallDisk.Kind.possible {
      let disk = try #require(SmallDisk(kind, kilobytes: 4096))
      let path = disk.path + "/store"
      try make(path, entries: 1000)
      _ = disk.fill(leaving: 0)
      #expect(try readOnly(path, 300, 510) == ["read 300"], "\(kind)")
      // A store without its table needs space for one.
      disk.remove(["store/lock.mdb"])
      _ = disk.fill(leaving: 0)
      #expect(try readOnly(path, 300, 510) == ["opening diskFull"], "\(kind)")
      // The table is as other programs leave it: long, and without reserved space for its content.
      let table = open(path + "/lock.mdb", O_RDWR | O_CREAT, 0o600)
      #expect(table >= 0 && ftruncate(table, 32768) == 0)
      close(table)
      #expect(try readOnly(path, 300, 510) == ["opening diskFull"], "\(kind)")
      disk.removeFillers()
      #expect(try readOnly(path, 300, 510) == ["read 300"], "\(kind)")
      _ = try StoreVerifier.verify(directory: path)
    }
  }
}
