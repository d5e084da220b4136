import Fief
import FiefConsole
import Foundation

/// The pieces of a file that is encrypted: each is sealed for its place, and the last one says that it is the last, so that a piece
/// that was changed, moved or cut off is found. docs/format.md has the bytes.
struct SealedPieces {
  /// The longest piece, in bytes before it is sealed.
  static let most = 1 << 16

  private let cipher: any StoreCipher
  private var number: UInt64 = 0

  init(_ cipher: any StoreCipher) { self.cipher = cipher }

  /// The longest piece, in sealed bytes.
  var mostSealed: Int { Self.most + cipher.overhead }

  /// The size of the next piece, and the piece.
  mutating func seal(_ piece: Data, isLast: Bool) -> Data {
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
  /// - Throws: ``ToolFailure`` where it is not the piece of this place.
  mutating func open(_ sealed: Data) throws -> (piece: Data, isLast: Bool) {
    guard sealed.count >= cipher.overhead, sealed.count <= mostSealed else { throw Self.damaged }
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
    throw Self.damaged
  }

  private mutating func nextContext(isLast: Bool) -> [UInt8] {
    defer { number += 1 }
    return withUnsafeBytes(of: number.littleEndian) { Array($0) } + [isLast ? 1 : 0]
  }

  static var damaged: ToolFailure {
    ToolFailure(
      .damaged,
      code: "damagedFile",
      "The encrypted file is damaged, or its end is missing.",
      next: "Take another copy of the same file."
    )
  }
}
