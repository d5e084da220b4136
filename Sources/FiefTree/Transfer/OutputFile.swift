import Fief
import Foundation
import LMDB

/// A new file that replaces another one when it is complete.
final class OutputFile {
  /// The path that the caller has given, for errors.
  private let path: String
  private let file: UnnamedFile

  /// Creates a file, lets `body` write it, and gives it its name. If the name is a symbolic link, the file to
  /// which it leads is replaced.
  ///
  /// - Throws: the errors of `body`; `FiefError` of code `storeFull` or `inputOutput`. The file that has the
  ///   name is then as it was.
  static func replace(_ path: String, _ body: (OutputFile) throws -> Void) throws {
    let target = try target(of: path)
    var status = stat()
    if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw failure(path, .inputOutput, "it is not a regular file; choose another name")
    }
    guard let file = UnnamedFile.make(toReplace: target) else { throw failure(path) }
    let output = OutputFile(path, file)
    try body(output)
    guard fsync(output.file.descriptor) == 0, output.file.replace(target) else { throw failure(path) }
  }

  /// Returns the path to which symbolic links lead, also if nothing is there.
  private static func target(of path: String) throws -> String {
    var target = URL(filePath: path)
    for _ in 0..<40 {
      let text = target.path(percentEncoded: false)
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: text) else { return text }
      target = URL(filePath: next, relativeTo: target.deletingLastPathComponent()).absoluteURL
    }
    throw failure(path, .inputOutput, "its symbolic links lead in a circle")
  }

  private init(_ path: String, _ file: UnnamedFile) {
    self.path = path
    self.file = file
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FiefError) {
    var rest = bytes
    while !rest.isEmpty {
      // SAFETY: the buffer has this many bytes.
      let count = FileSizeLimit.withoutSignal {
        Foundation.write(file.descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  private static func failure(_ path: String) -> FiefError {
    let code = errno
    return failure(
      path,
      [ENOSPC, EDQUOT, EFBIG].contains(code) ? .storeFull : .inputOutput,
      String(cString: strerror(code))
    )
  }

  private static func failure(_ path: String, _ code: FiefError.Code, _ detail: String) -> FiefError {
    FiefError(code, "The file of an export cannot be written.", path: path, details: [detail])
  }
}
