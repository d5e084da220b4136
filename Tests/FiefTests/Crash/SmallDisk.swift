#if os(Linux)
  import Glibc

  /// A small file system in memory, mounted for a test; nil where mounting is not permitted.
  final class SmallDisk {
    let directory: TemporaryDirectory

    init?(kilobytes: Int) {
      guard let directory = try? TemporaryDirectory() else { return nil }
      self.directory = directory
      guard mount("tmpfs", directory.path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else { return nil }
    }

    /// Remounts the file system for reading only.
    func makeReadOnly() -> Bool {
      mount("tmpfs", directory.path, "tmpfs", 0x21 /* MS_RDONLY, MS_REMOUNT */, nil) == 0
    }

    deinit { umount2(directory.path, 2 /* MNT_DETACH */) }

    static let isPossible = SmallDisk(kilobytes: 64) != nil
  }
#endif
