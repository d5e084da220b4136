package import Fief
package import Foundation

/// The pieces of an encrypted file. Each piece is encrypted for its position, and the last one is marked as
/// the last, so that changed, moved and missing pieces are detected. docs/format.md describes the bytes.
package struct SealedPieces {
  /// The maximum size of a piece in bytes before it is encrypted.
  package static let most = 1 << 16

  private let cipher: any StoreCipher
  private var number: UInt64 = 0

  package init(_ cipher: any StoreCipher) { self.cipher = cipher }

  /// The maximum size of an encrypted piece in bytes.
  package var mostSealed: Int { Self.most + cipher.overhead }

  /// Encrypts the next piece. Returns its encrypted size, followed by the encrypted piece.
  package mutating func seal(_ piece: Data, isLast: Bool) -> Data {
    let context = nextContext(isLast: isLast)
    let count = piece.count + cipher.overhead
    var sealed = Data(count: 4 + count)
    sealed.withUnsafeMutableBytes { output in
      output.storeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian, as: UInt32.self)
      context.withUnsafeBytes { context in
        piece.withUnsafeBytes {
          cipher.seal($0, for: context, into: UnsafeMutableRawBufferPointer(rebasing: output[4...]))
        }
      }
    }
    return sealed
  }

  /// Returns the next decrypted piece, and whether it is the last one.
  ///
  /// - Throws: ``DamagedPieces`` if the bytes are not the piece at this position.
  package mutating func open(_ sealed: Data) throws -> (piece: Data, isLast: Bool) {
    guard sealed.count >= cipher.overhead, sealed.count <= mostSealed else { throw DamagedPieces() }
    var piece = Data(count: sealed.count - cipher.overhead)
    for isLast in [false, true] {
      var own = self
      let context = own.nextContext(isLast: isLast)
      let isRight = context.withUnsafeBytes { context in
        sealed.withUnsafeBytes { sealed in
          piece.withUnsafeMutableBytes { cipher.open(sealed, for: context, into: $0) }
        }
      }
      if isRight {
        self = own
        return (piece, isLast)
      }
    }
    throw DamagedPieces()
  }

  private mutating func nextContext(isLast: Bool) -> [UInt8] {
    defer { number += 1 }
    return withUnsafeBytes(of: number.littleEndian) { Array($0) } + [isLast ? 1 : 0]
  }
}

/// Thrown if pieces of an encrypted file were changed or its end is missing.
package struct DamagedPieces: Error {
  package init() {}
}
