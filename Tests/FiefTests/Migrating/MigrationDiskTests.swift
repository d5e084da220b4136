#if canImport(Glibc)
  import Fief
  import FiefStress
  import Foundation
  import Glibc
  import TestEffort
  import Testing

  @testable import FiefCore

  /// A file system of a given size in memory; nil where mounting is not permitted.
  private final class SmallFileSystem {
    let path: String
    private let scratch: TemporaryDirectory

    init?(kilobytes: Int) {
      guard let scratch = try? TemporaryDirectory() else { return nil }
      self.scratch = scratch
      path = scratch["disk"]
      guard mkdir(path, 0o700) == 0,
        mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0
      else { return nil }
    }

    deinit { umount2(path, 2 /* MNT_DETACH */) }

    static let isPossible = SmallFileSystem(kilobytes: 64) != nil

    /// Fills the file system but for some kilobytes.
    func fill(leaving kilobytes: Int) throws {
      var info = statvfs()
      guard statvfs(path, &info) == 0 else { throw FiefError(.inputOutput, "statvfs failed.") }
      let free = Int(info.f_bavail) * Int(info.f_frsize)
      try Data(count: max(0, free - kilobytes << 10)).write(to: URL(fileURLWithPath: path + "/filler"))
    }

    /// Gives the space back. A removed file would keep it while a process that is being started has the file open.
    func empty() { #expect(truncate(path + "/filler", 0) == 0) }
  }

  @Suite(.enabled(if: SmallFileSystem.isPossible, "mounting a file system is not permitted"))
  struct MigrationDiskTests {
    @Test(arguments: TestEffort.first(2, of: [0, 64, 16, 32]))
    func aFullDiskLeavesTheOldVersion(kilobytes: Int) throws {
      let disk = try #require(SmallFileSystem(kilobytes: 8 << 10))
      // The space kept for deleting would be enough.
      var old = StressMigrationRepository(version: 1, directory: disk.path)
      old.storeOptions.reservedBytes = 0
      try old.fill()
      old.close()
      try disk.fill(leaving: kilobytes)
      var new = StressMigrationRepository(version: 2, directory: disk.path)
      new.storeOptions.reservedBytes = 0
      let error = try #require(new.store().openingError)
      #expect(error.code == .storeFull, "\(error)")
      #expect(try Store.schemaVersion(at: disk.path + "/animals") == 1)
      #expect(try old.problems() == [])
      old.close()
      disk.empty()
      defer { new.close() }
      #expect(try new.problems() == [])
    }
  }
#endif
