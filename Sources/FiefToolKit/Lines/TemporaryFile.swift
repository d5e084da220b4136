import Foundation

/// A file in the temporary directory that is removed with its last reference; made when it is first
/// written to.
final class TemporaryFile {
  private let url: URL
  private var handle: FileHandle?

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "fief-\(UUID().uuidString)")
  }

  deinit {
    try? handle?.close()
    try? FileManager.default.removeItem(at: url)
  }

  func write(_ data: Data) throws { try open().write(contentsOf: data) }

  /// Reads from the beginning, some bytes at each call.
  func reader() throws -> () throws -> Data {
    guard handle != nil else { return { Data() } }
    let handle = try FileHandle(forReadingFrom: url)
    return { try handle.read(upToCount: 1 << 18) ?? Data() }
  }

  private func open() throws -> FileHandle {
    if let handle { return handle }
    // Objects may be secret, so that other users must not read the file.
    guard
      FileManager.default.createFile(
        atPath: url.path(percentEncoded: false),
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      )
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path]) }
    let opened = try FileHandle(forWritingTo: url)
    handle = opened
    return opened
  }
}
