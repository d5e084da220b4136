import FiefTorture
import Foundation

extension KeyRuns {
  /// The size of the disk in MiB: both stores, and a copy of one.
  private static let megabytes = 32

  /// Changes keys where the disk has no room for the copy, or for a part of it.
  /// - Throws: ``Skipped`` where this machine cannot mount one.
  func runOnSmallDisk(_ changes: [KeyChange], count: Int, _ random: inout TortureRandom) throws -> Outcome {
    var faults: [KeyFault] = []
    for change in changes {
      faults += (0..<count).map { _ in KeyFault(change, .disk(random.next(6_000))) }
    }
    return try onSmallDisk { directory in
      var outcome = Outcome("changes of keys")
      for fault in faults { outcome.add(try run(fault, number: 0, in: directory).outcome) }
      return outcome
    }
  }

  func onSmallDisk<Value>(_ body: (String) throws -> Value) throws -> Value {
    let path = "\(setting.work)/small"
    let disk = try LoopDisk(.tmpfs, image: path + "-image", path: path, megabytes: Self.megabytes)
    do {
      let value = try body(path + "/stores")
      try disk.unmount()
      return value
    } catch {
      try disk.unmount()
      throw error
    }
  }

  /// Makes a file that leaves so many KiB of a disk.
  static func fillDisk(_ path: String, leaving left: Int) throws {
    let file = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    var info = statvfs()
    guard file >= 0, fstatvfs(file, &info) == 0 else { throw BrokenTest("\(path): errno \(errno)") }
    let size = Int(info.f_bavail) * Int(info.f_frsize) - left << 10
    guard size <= 0 || posix_fallocate(file, 0, size) == 0 else {
      throw BrokenTest("\(path) cannot be filled")
    }
  }
}
