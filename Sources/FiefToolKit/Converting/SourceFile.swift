import Fief
import FiefConsole
import Foundation

/// A source file that is either replaced completely or left unchanged.
struct SourceFile {
  /// The path given on the command line, for messages.
  let name: String
  /// The path of the file, with symbolic links resolved.
  let path: String
  let bytes: [UInt8]

  /// - Throws: ``ToolFailure`` if the file cannot be read or is not UTF-8.
  init(_ name: String) throws {
    self.name = name
    path = URL(filePath: name).resolvingSymlinksInPath().path(percentEncoded: false)
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue
    else {
      throw ToolFailure(
        .notFound,
        code: "notFound",
        isDirectory.boolValue
          ? "'\(Format.printable(name))' is a directory."
          : "The file '\(Format.printable(name))' does not exist.",
        next: isDirectory.boolValue
          ? "Name its files, such as \(ShellText.quoted(name))/*.swift." : "Check the path."
      )
    }
    bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ToolFailure(
        .refused,
        code: "notUTF8",
        "The file '\(Format.printable(name))' is not UTF-8.",
        next: "Swift sources are UTF-8: convert the file, or omit it."
      )
    }
  }

  /// Replaces the contents atomically: even after a crash, the file has either its old or its new contents.
  /// It keeps its owner and permissions, but not its extended attributes and access control lists.
  ///
  /// - Throws: ``ToolFailure`` if another program has changed the file since it was read, or if the file has
  ///   other hard links, which would keep the old contents; errors of the system.
  func replace(with new: [UInt8]) throws {
    guard let file = UnnamedFile.make(toReplace: path) else { throw failure(errno) }
    let descriptor = file.descriptor
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(errno) }
    guard status.st_nlink == 1 else {
      throw ToolFailure(
        .refused,
        code: "hardLinks",
        "The file '\(Format.printable(name))' has other hard links, which would keep the old contents.",
        next: "Make a copy of it, replace the file with the copy, and try again.",
        isChanged: "It is unchanged."
      )
    }
    guard fchown(descriptor, status.st_uid, status.st_gid) == 0,
      fchmod(descriptor, status.st_mode & 0o7777) == 0
    else { throw failure(errno) }
    try handle.write(contentsOf: Data(new))
    try handle.synchronize()
    guard try Data(contentsOf: URL(filePath: path)) == Data(bytes) else {
      throw ToolFailure(
        .refused,
        code: "changedMeanwhile",
        "Another program changed the file '\(Format.printable(name))'.",
        next: "Try again.",
        isChanged: "It is unchanged."
      )
    }
    guard file.replace(path) else { throw failure(errno) }
  }

  private func failure(_ code: Int32) -> CocoaError {
    let error = POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    return CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: name, NSUnderlyingErrorKey: error])
  }
}
