package import Fief
package import Foundation

/// The pieces of a file that is encrypted: each is sealed for its place, and the last one says that it is the last, so that a piece
/// that was changed, moved or cut off is found. docs/format.md has the bytes.
package struct SealedPieces {
  /// The longest piece, in bytes before it is sealed.
  package static let most = 1 << 16

  private let cipher: any StoreCipher
  private var number: UInt64 = 0

  package init(_ cipher: any StoreCipher) { self.cipher = cipher }

  /// The longest piece, in sealed bytes.
  package var mostSealed: Int { Self.most + cipher.overhead }

  /// The size of the next piece, and the piece.
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

  /// The next piece in clear, and whether it is the last.
  ///
  /// - Throws: ``DamagedPieces`` if it is not the piece of this place.
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

/// An encrypted file whose pieces were changed, or whose end is missing.
package struct DamagedPieces: Error {
  package init() {}
}
