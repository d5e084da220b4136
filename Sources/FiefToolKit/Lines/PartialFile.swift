import FiefImport
import Foundation

/// A file that has the name `FILE.partial` until it is complete.
final class PartialFile {
  let path: String
  private let handle: FileHandle

  /// Opens the partial file.
  ///
  /// - Parameters:
  ///   - path: the name of the complete file.
  ///   - keeping: the number of bytes of an existing partial file to keep.
  init(path: String, keeping: UInt64) throws {
    self.path = path
    let partial = Self.partialPath(path)
    let descriptor = open(partial, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let code = POSIXErrorCode(rawValue: errno) ?? .EIO
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: POSIXError(code)]
      )
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.truncate(atOffset: keeping)
    try handle.seekToEnd()
  }

  static func partialPath(_ path: String) -> String { path + ".partial" }

  func write(_ data: Data) throws { try handle.write(contentsOf: data) }

  /// Renames the file, which is on disk when this returns.
  func finish() throws {
    try handle.synchronize()
    try handle.close()
    guard rename(Self.partialPath(path), path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    let parent = (path as NSString).deletingLastPathComponent
    let directory = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    // Some file systems do not support this. The name then reaches the disk a little later.
    fsync(directory)
    close(directory)
  }

  /// The last complete record of a partial file.
  struct End {
    /// The number of bytes of all complete records.
    var size: UInt64 = 0
    /// The last complete record.
    var last: [UInt8]?
    /// The number of complete records, including the heading of CSV.
    var count = 0
  }

  /// Finds the last complete record of a partial file. The result is empty if there is no such file.
  static func end(of path: String, isCSV: Bool) throws -> End {
    guard let handle = FileHandle(forReadingAtPath: partialPath(path)) else { return End() }
    defer { try? handle.close() }
    var reader = RecordReader(isCSV: isCSV) { try handle.read(upToCount: 1 << 18) ?? Data() }
    var end = End()
    while let record = try reader.next(isWholeOnly: true) {
      end.size = UInt64(reader.consumed)
      end.last = record.bytes
      end.count += 1
    }
    return end
  }
}
