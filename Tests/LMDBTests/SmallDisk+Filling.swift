import Foundation
import Testing

extension SmallDisk {
  private var freeBytes: Int {
    var info = statvfs()
    return statvfs(path, &info) == 0 ? Int(info.f_bavail) * Int(info.f_frsize) : 0
  }

  /// Writes a file until no more than so many bytes are left.
  ///
  /// - Returns: the number of bytes that the file has taken.
  func fill(leaving free: Int) -> Int {
    var wanted = freeBytes - free
    var written = 0
    let page = [UInt8](repeating: 0, count: 1024)
    // A process that another test starts meanwhile must not inherit the descriptor: it would keep the blocks of the removed file.
    let name = "\(path)/filler\(UInt32.random(in: 0...UInt32.max))"
    let file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
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

  /// Removes the files that fill the disk, and waits until their space is free.
  func removeFillers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    remove(names.filter { $0.hasPrefix("filler") })
  }

  /// Removes files of the disk, and waits until their space is free.
  func remove(_ names: [String]) {
    var expected = freeBytes
    for name in names {
      let file = path + "/" + name
      var info = stat()
      guard lstat(file, &info) == 0 else { continue }
      expected += Int(info.st_blocks) * 512
      // A removed file keeps its blocks as long as anything refers to it: a process that is just being started, or the system
      // while it writes back. A file without content has none to keep.
      #expect(truncate(file, 0) == 0 && unlink(file) == 0, "\(file)")
    }
    settle()
    #expect(eventually { freeBytes >= expected }, "\(freeBytes) of \(expected) bytes are free")
  }

  /// Waits until the file system may use freed blocks again.
  ///
  /// ext4 releases them after a commit of its journal, and a synchronization may return just before that. The second
  /// commit begins only when the first one has released its blocks.
  private func settle() {
    let directory = open(path, O_RDONLY | O_CLOEXEC)
    #expect(directory >= 0)
    defer { close(directory) }
    fsync(directory)
    close(open(path + "/settled", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    unlink(path + "/settled")
    fsync(directory)
  }
}
