import Fief
import FiefConsole
import FiefImport
import Foundation

/// A file encrypted with a key of the user: an export, which `import` reads with the same key. docs/format.md
/// describes its bytes.
enum EncryptedFile {
  private static let magic = Array("FIEFFILE".utf8)
  private static let format: UInt8 = 1
  /// The maximum length of the key header that a reader accepts.
  private static let mostHeader = 1 << 16

  /// The keys for a file to be written.
  struct Sealing {
    fileprivate let header: [UInt8]
    fileprivate let cipher: any StoreCipher

    /// - Throws: ``ToolFailure`` if the key cannot be obtained.
    init(_ encryption: StoreEncryption) throws {
      (header, cipher) = try EncryptedFile.described {
        try encryption.keys.makeCipher(ofStore: EncryptedFile.name)
      }
    }
  }

  /// Encrypts and writes data.
  final class Writer {
    private var pieces: SealedPieces
    private var pending = Data()
    private let write: (Data) throws -> Void

    /// - Throws: the errors of `write`.
    init(_ sealing: Sealing, to write: @escaping (Data) throws -> Void) throws {
      pieces = SealedPieces(sealing.cipher)
      self.write = write
      var start = Data(EncryptedFile.magic + [EncryptedFile.format])
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: sealing.header.count).littleEndian) { start += $0 }
      try write(start + sealing.header)
    }

    func write(_ data: Data) throws {
      pending += data
      var start = pending.startIndex
      // The last piece is written by `finish()`.
      while pending.endIndex - start > SealedPieces.most {
        let end = start + SealedPieces.most
        try write(pieces.seal(pending[start..<end], isLast: false))
        start = end
      }
      if start > pending.startIndex { pending = Data(pending[start...]) }
    }

    /// Writes the last piece.
    func finish() throws { try write(pieces.seal(pending, isLast: true)) }
  }

  /// Reads a file, and decrypts it if it is encrypted.
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
    ///   - key: returns the key if the file is encrypted.
    ///   - read: returns the next bytes, or no bytes at the end.
    init(key: @escaping () throws -> StoreEncryption, _ read: @escaping () throws -> Data) {
      self.key = key
      self.read = read
    }

    /// Whether the file is encrypted.
    func isEncrypted() throws -> Bool {
      try fill(to: EncryptedFile.magic.count)
      return buffer.starts(with: EncryptedFile.magic)
    }

    /// Returns the next decrypted bytes, or no bytes at the end.
    ///
    /// - Throws: ``DamagedPieces`` if the file is damaged; ``ToolFailure`` if it is encrypted with a
    ///   different key; the errors of `key` and `read`.
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
          guard size <= pieces.mostSealed else { throw DamagedPieces() }
          let (piece, isLast) = try pieces.open(try take(size))
          state = isLast ? .ended : .sealed(pieces)
          if !piece.isEmpty { return piece }
        case .ended:
          try fill(to: 1)
          guard buffer.isEmpty else { throw DamagedPieces() }
          return Data()
        }
      }
    }

    private func cipher() throws -> any StoreCipher {
      _ = try take(EncryptedFile.magic.count)
      let format = try take(1).first ?? 0
      guard format > 0 else { throw DamagedPieces() }
      guard format == EncryptedFile.format else { throw EncryptedFile.tooNew }
      let size = Int(UInt32(littleEndian: integer(try take(4))))
      guard size <= EncryptedFile.mostHeader else { throw DamagedPieces() }
      let (header, key) = ([UInt8](try take(size)), try key())
      return try EncryptedFile.described { try key.keys.unlock(header, ofStore: EncryptedFile.name) }
    }

    private func integer(_ bytes: Data) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    private func take(_ count: Int) throws -> Data {
      try fill(to: count)
      guard buffer.count >= count else { throw DamagedPieces() }
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

  /// The name that is passed to a key provider.
  private static let name = "export"

  private static var tooNew: ToolFailure {
    ToolFailure(
      .refused,
      code: FiefError.Code.formatTooNew.rawValue,
      "The file was encrypted by a newer version of the tool.",
      next: "Use that version."
    )
  }

  /// Converts errors about keys, so that they refer to a file instead of a store.
  private static func described<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as FiefError {
      switch error.code {
      case .wrongKey:
        throw ToolFailure(
          .refused,
          code: error.code.rawValue,
          "The file is encrypted with a different key.",
          next: "Specify the key that encrypted the file."
        )
      case .invalidKey:
        throw ToolFailure(
          .refused,
          code: error.code.rawValue,
          error.message,
          next: "Check the key on the command line.",
          details: error.details
        )
      case .damagedStore: throw DamagedPieces()
      case .formatTooNew: throw tooNew
      default: throw error
      }
    }
  }
}
