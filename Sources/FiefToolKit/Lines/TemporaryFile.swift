import Fief
import FiefEncryption
import Foundation

/// A file in the temporary directory that is removed with its last reference; made when it is first
/// written to. It is encrypted with a key that the process forgets: what it has may come from an encrypted store, or go into one.
final class TemporaryFile {
  private let url: URL
  private var handle: FileHandle?
  private var pieces: SealedPieces?
  private var opening: SealedPieces?

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "fief-\(UUID().uuidString)")
  }

  deinit {
    try? handle?.close()
    try? FileManager.default.removeItem(at: url)
  }

  func write(_ data: Data) throws {
    let handle = try open()
    var start = data.startIndex
    while start < data.endIndex, var pieces {
      let end = min(start + SealedPieces.most, data.endIndex)
      try handle.write(contentsOf: pieces.seal(data[start..<end], isLast: false))
      self.pieces = pieces
      start = end
    }
  }

  /// Reads from the beginning, some bytes at each call.
  func reader() throws -> () throws -> Data {
    guard handle != nil, var pieces = opening else { return { Data() } }
    let handle = try FileHandle(forReadingFrom: url)
    func take(_ count: Int) throws -> Data {
      let data = try handle.read(upToCount: count) ?? Data()
      guard data.isEmpty || data.count == count else { throw CocoaError(.fileReadCorruptFile) }
      return data
    }
    return {
      let size = try take(4)
      if size.isEmpty { return size }
      let count = size.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
      return try pieces.open(take(Int(count))).piece
    }
  }

  private func open() throws -> FileHandle {
    if let handle { return handle }
    let keys = StoreEncryption.random().keys
    let cipher = try keys.unlock(keys.makeHeader(ofStore: "temporary"), ofStore: "temporary")
    // Other users must not even see how much there is.
    guard
      FileManager.default.createFile(
        atPath: url.path(percentEncoded: false),
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      )
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path]) }
    let opened = try FileHandle(forWritingTo: url)
    handle = opened
    pieces = SealedPieces(cipher)
    opening = pieces
    return opened
  }
}
