import Fief
import FiefConsole
import Foundation

/// A file that is encrypted with a key of the user's: an export, which `import` reads with the same key. docs/format.md has the bytes.
enum EncryptedFile {
  private static let magic = Array("FIEFFILE".utf8)
  private static let format: UInt8 = 1
  /// The longest header of keys that a reader takes.
  private static let mostHeader = 1 << 16

  /// Seals what is written.
  final class Writer {
    private var pieces: SealedPieces
    private var pending = Data()
    private let write: (Data) throws -> Void

    /// - Throws: ``FiefError`` where there is no key; what `write` throws.
    init(_ encryption: StoreEncryption, for name: String, to write: @escaping (Data) throws -> Void) throws {
      let header = try encryption.keys.makeHeader(ofStore: name)
      pieces = SealedPieces(try encryption.keys.unlock(header, ofStore: name))
      self.write = write
      var start = Data(EncryptedFile.magic + [EncryptedFile.format])
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: header.count).littleEndian) { start += $0 }
      try write(start + header)
    }

    func write(_ data: Data) throws {
      pending += data
      while pending.count > SealedPieces.most {
        try write(pieces.seal(Data(pending.prefix(SealedPieces.most)), isLast: false))
        pending = Data(pending.dropFirst(SealedPieces.most))
      }
    }

    /// Writes the last piece.
    func finish() throws { try write(pieces.seal(pending, isLast: true)) }
  }

  /// Reads a file that may be encrypted, and opens it where it is.
  final class Reader {
    private enum State {
      case start
      case clear
      case sealed(SealedPieces)
      case ended
    }

    private let key: () throws -> StoreEncryption
    private let read: () throws -> Data
    private var buffer = Data()
    private var state = State.start

    /// - Parameters:
    ///   - key: gives the key where the file is encrypted.
    ///   - read: gives the next bytes; none at the end.
    init(key: @escaping () throws -> StoreEncryption, _ read: @escaping () throws -> Data) {
      self.key = key
      self.read = read
    }

    /// Whether the file is encrypted.
    func isEncrypted() throws -> Bool {
      try fill(to: EncryptedFile.magic.count)
      return buffer.starts(with: EncryptedFile.magic)
    }

    /// The next bytes in clear; none at the end.
    ///
    /// - Throws: ``ToolFailure`` where the file is damaged, or is encrypted with another key; what `key` and `read` throw.
    func next() throws -> Data {
      while true {
        switch state {
        case .start: state = try isEncrypted() ? .sealed(SealedPieces(try cipher())) : .clear
        case .clear:
          if buffer.isEmpty { return try read() }
          defer { buffer = Data() }
          return buffer
        case .sealed(var pieces):
          let size = Int(UInt32(littleEndian: integer(try take(4))))
          guard size <= pieces.mostSealed else { throw SealedPieces.damaged }
          let (piece, isLast) = try pieces.open(try take(size))
          state = isLast ? .ended : .sealed(pieces)
          if !piece.isEmpty { return piece }
        case .ended:
          try fill(to: 1)
          guard buffer.isEmpty else { throw SealedPieces.damaged }
          return Data()
        }
      }
    }

    private func cipher() throws -> any StoreCipher {
      _ = try take(EncryptedFile.magic.count)
      guard try take(1).first == EncryptedFile.format else {
        throw ToolFailure(
          .refused,
          code: FiefError.Code.formatTooNew.rawValue,
          "The file was encrypted by a newer version of the tool.",
          next: "Use that version."
        )
      }
      let size = Int(UInt32(littleEndian: integer(try take(4))))
      guard size <= EncryptedFile.mostHeader else { throw SealedPieces.damaged }
      let header = [UInt8](try take(size))
      do { return try key().keys.unlock(header, ofStore: "export") } catch let error as FiefError {
        switch error.code {
        case .wrongKey:
          throw ToolFailure(
            .refused,
            code: error.code.rawValue,
            "The file is encrypted with another key.",
            next: "Name the key that the store had when it was exported."
          )
        case .damagedStore: throw SealedPieces.damaged
        default: throw error
        }
      }
    }

    private func integer(_ bytes: Data) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    private func take(_ count: Int) throws -> Data {
      try fill(to: count)
      guard buffer.count >= count else { throw SealedPieces.damaged }
      defer { buffer = Data(buffer.dropFirst(count)) }
      return Data(buffer.prefix(count))
    }

    private func fill(to count: Int) throws {
      while buffer.count < count {
        let more = try read()
        if more.isEmpty { return }
        buffer += more
      }
    }
  }
}
