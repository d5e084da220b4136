import ChildProcesses
import Foundation

/// A file system of its own: in a file, where it can lose its power, or in memory.
struct LoopDisk {
  enum Kind: String, Sendable { case ext4, xfs, tmpfs }

  let path: String
  private let image: String
  private let kind: Kind
  private let megabytes: Int

  /// Makes the file system and mounts it.
  /// - Parameters:
  ///   - image: the path of the file that has the file system; `tmpfs` has none.
  ///   - path: where it is mounted.
  ///   - megabytes: its size. XFS refuses less than 300.
  /// - Throws: ``Skipped`` where this machine cannot.
  init(_ kind: Kind, image: String, path: String, megabytes: Int = 320) throws {
    guard getuid() == 0 else { throw Skipped("mounting a file system needs root") }
    self.kind = kind
    self.image = image
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    self.megabytes = megabytes
    if kind != .tmpfs {
      try? FileManager.default.removeItem(atPath: image)
      guard makeImage() else { throw BrokenTest("\(image) cannot be made: errno \(errno)") }
      guard try Self.run("mkfs.\(kind.rawValue)", "-q", image) else {
        throw Skipped("mkfs.\(kind.rawValue) is missing or fails")
      }
    }
    guard try tryToMount() else { throw Skipped("\(kind.rawValue) cannot be mounted") }
  }

  private func makeImage() -> Bool {
    let file = open(image, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(file) }
    return file >= 0 && ftruncate(file, megabytes << 20) == 0
  }

  /// Mounts it again.
  func mount() throws {
    guard try tryToMount() else { throw BrokenTest("\(kind.rawValue) cannot be mounted again on \(path)") }
  }

  /// Mounts the file system.
  /// - Returns: whether that was done.
  private func tryToMount() throws -> Bool {
    let (options, source) = kind == .tmpfs ? ("size=\(megabytes)m", "tmpfs") : ("loop", image)
    return try Self.run("mount", "-t", kind.rawValue, "-o", options, source, path)
  }

  func unmount() throws {
    for _ in 0..<50 {
      if try Self.run("umount", path) { return }
      usleep(100_000)
    }
    throw BrokenTest("\(path) cannot be unmounted")
  }

  /// Ends all writing at once, without the log, as a power cut does: FS_IOC_SHUTDOWN with FS_SHUTDOWN_FLAGS_NOLOGFLUSH.
  func cutPower() throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var flags: UInt32 = 2
    // SAFETY: the request reads four bytes, and the variable lives during the call.
    guard file >= 0, withUnsafeMutablePointer(to: &flags, { ioctl(file, 0x8004_587D, $0) }) == 0 else {
      throw Skipped("the file system \(kind.rawValue) cannot be shut down: errno \(errno)")
    }
  }

  /// - Returns: whether the command is there and succeeds.
  private static func run(_ command: String, _ arguments: String...) throws -> Bool {
    let path = ChildProcess.Environment.only(["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"])
    do {
      return try ChildProcess.run(command, arguments, environment: path).end == .exited(0)
    } catch  where error.number == ENOENT {
      return false
    }
  }
}
