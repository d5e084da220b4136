import Fief
import Foundation
import LMDB

/// A new file that replaces another one when it is complete.
final class OutputFile {
  private let path: String
  private let descriptor: Int32

  /// Creates a file, lets `body` write it, and gives it its name.
  ///
  /// - Throws: the errors of `body`; `FiefError` of code `storeFull` or `inputOutput`. The file that has the
  ///   name is then as it was.
  static func replace(_ path: String, _ body: (OutputFile) throws -> Void) throws {
    // `mkstemp` replaces the six letters, so that the name is unique.
    var template = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    let temporary = template.withUnsafeBufferPointer { letters in
      String(decoding: letters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let file = OutputFile(path, descriptor)
    guard descriptor >= 0 else { throw file.failure }
    do {
      try body(file)
      guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw file.failure }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FiefError) {
    var rest = bytes
    while !rest.isEmpty {
      // SAFETY: the buffer has this many bytes.
      let count = FileSizeLimit.withoutSignal { Foundation.write(descriptor, rest.baseAddress, rest.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  private var failure: FiefError {
    let code = errno
    return FiefError(
      [ENOSPC, EDQUOT, EFBIG].contains(code) ? .storeFull : .inputOutput,
      "The file of an export cannot be written.",
      path: path,
      details: [String(cString: strerror(code))]
    )
  }
}
