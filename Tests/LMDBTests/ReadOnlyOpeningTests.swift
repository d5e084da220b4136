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
      unlink(path + "/lock.mdb")
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

extension SmallDisk {
  /// Writes files until no more than so many bytes are left.
  ///
  /// - Returns: the number of bytes that it has taken.
  func fill(leaving free: Int) -> Int {
    var info = statvfs()
    guard statvfs(path, &info) == 0 else { return 0 }
    var wanted = Int(info.f_bavail) * Int(info.f_frsize) - free
    var written = 0
    let page = [UInt8](repeating: 0, count: 1024)
    let file = open("\(path)/filler\(UInt32.random(in: 0...UInt32.max))", O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    while wanted > 0 || free == 0 {
      let count = write(file, page, 1024)
      if count <= 0 { break }
      written += count
      wanted -= count
    }
    fsync(file)
    return written
  }

  func removeFillers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    where name.hasPrefix("filler") {
      unlink(path + "/" + name)
    }
    // A file system with a journal has the space again when its commit has ended, which may be after the first
    // synchronisation returns. The second is of a commit that begins when the first has ended.
    let directory = open(path, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(open(path + "/settled", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    unlink(path + "/settled")
    fsync(directory)
    close(directory)
    // On a busy machine blocks were seen to be free later still; this waits for all that the file systems have to do.
    sync()
  }
}
