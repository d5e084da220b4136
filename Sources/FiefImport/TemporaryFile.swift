import Fief
import FiefEncryption
package import Foundation

/// A file in the temporary directory, created on the first write. It has no name, so nothing remains after the
/// process ends, even if it is killed. It is encrypted with a key that exists only in this
/// process, because its contents may come from an encrypted store or be written to one.
package final class TemporaryFile {
  private var handle: FileHandle?
  private var pieces: SealedPieces?
  private var opening: SealedPieces?

  package init() {}

  package func write(_ data: Data) throws {
    let handle = try open()
    // Readers share the position of the handle.
    try handle.seekToEnd()
    var start = data.startIndex
    while start < data.endIndex, var pieces {
      let end = min(start + SealedPieces.most, data.endIndex)
      try handle.write(contentsOf: pieces.seal(data[start..<end], isLast: false))
      self.pieces = pieces
      start = end
    }
  }

  /// Returns a function that reads from the beginning, some bytes per call.
  package func reader() throws -> () throws -> Data {
    guard let handle, var pieces = opening else { return { Data() } }
    var place: UInt64 = 0
    func take(_ count: Int) throws -> Data {
      let data = try handle.read(upToCount: count) ?? Data()
      guard data.isEmpty || data.count == count else { throw CocoaError(.fileReadCorruptFile) }
      place += UInt64(data.count)
      return data
    }
    return {
      try handle.seek(toOffset: place)
      let size = try take(4)
      if size.isEmpty { return size }
      let count = size.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
      return try pieces.open(take(Int(count))).piece
    }
  }

  private func open() throws -> FileHandle {
    if let handle { return handle }
    let cipher = try StoreEncryption.random().keys.makeCipher(ofStore: "temporary").cipher
    // Other users must not even see the size of the file.
    let descriptor = UnnamedFile.make(in: nil).map { fcntl($0.descriptor, F_DUPFD_CLOEXEC, 0) } ?? -1
    guard descriptor >= 0 else {
      let path = FileManager.default.temporaryDirectory.path
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
    }
    // Readers may outlive this object.
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    self.handle = handle
    pieces = SealedPieces(cipher)
    opening = pieces
    return handle
  }
}
