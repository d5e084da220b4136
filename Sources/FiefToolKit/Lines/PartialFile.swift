import FiefImport
import Foundation

/// A file that is written under another name, `FILE.partial`, until it is complete.
final class PartialFile {
  let path: String
  private let handle: FileHandle

  /// Opens the partial file.
  ///
  /// - Parameters:
  ///   - path: the name that the complete file gets.
  ///   - keeping: the number of bytes of an existing partial file that are kept.
  init(path: String, keeping: UInt64) throws {
    self.path = path
    let partial = Self.partialPath(path)
    let descriptor = open(partial, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let code = POSIXErrorCode(rawValue: errno) ?? .EIO
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [NSFilePathErrorKey: partial, NSUnderlyingErrorKey: POSIXError(code)]
      )
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.truncate(atOffset: keeping)
    try handle.seekToEnd()
  }

  static func partialPath(_ path: String) -> String { path + ".partial" }

  func write(_ data: Data) throws { try handle.write(contentsOf: data) }

  /// Gives the file its name; it is on the disk then.
  func finish() throws {
    try handle.synchronize()
    try handle.close()
    guard rename(Self.partialPath(path), path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    let parent = (path as NSString).deletingLastPathComponent
    let directory = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    // Some file systems cannot; the name is on the disk soon then.
    fsync(directory)
    close(directory)
  }

  /// The end of a partial file.
  struct End {
    /// The bytes of complete records.
    var size: UInt64 = 0
    /// The last of them.
    var last: [UInt8]?
    /// The number of complete records, with the heading of CSV.
    var count = 0
  }

  /// Finds the last complete record of a partial file; nothing where there is no such file.
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
