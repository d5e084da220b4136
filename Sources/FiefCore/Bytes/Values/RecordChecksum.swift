import LMDB

/// The checksum at the beginning of a record: 32 bits that detect damage.
///
/// It is ``StableHash`` (wyhash, final version 4.2) with its halves folded together, so it is the same on
/// every machine. It fails to detect a damaged record in one of four thousand million cases.
@usableFromInline
enum RecordChecksum {
  /// The size of a checksum in bytes.
  static let size = 4

  @inlinable
  static func compute(_ bytes: UnsafeRawBufferPointer) -> UInt32 { of(StableHash.hash(bytes)) }

  /// Returns the checksum of bytes with a known hash.
  @inlinable
  @inline(__always)
  static func of(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ (hash &>> 32)) }

  /// Returns a hash of a key and its type, which a stored checksum is combined with, so that a record is
  /// valid only under its own key. Checksums of formats up to 5 do not contain it.
  @inlinable
  static func ofKey(_ key: UnsafeRawBufferPointer, type: UInt32) -> UInt32 {
    of(StableHash.hash(key, seed: UInt64(type)))
  }

  /// Whether a stored record is unchanged and belongs to its key; see ``RecordView/verifyChecksum(_:of:)``.
  @inline(__always)
  static func isRight(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, type: UInt32) -> Bool {
    guard record.count >= size else { return false }
    let stored = UInt32(littleEndian: record.loadUnaligned(as: UInt32.self))
    let difference = stored ^ compute(UnsafeRawBufferPointer(rebasing: record[size...]))
    return difference == 0 || difference == ofKey(key, type: type)
  }

  /// Returns the checksum of a record that is stored under a key. The record begins with four bytes for the
  /// checksum.
  ///
  /// - Parameter hasChecksum: whether these four bytes already are the checksum of the record's bytes.
  ///   Otherwise it is computed.
  @inline(__always)
  static func ofStored(
    _ record: UnsafeRawBufferPointer,
    key: UnsafeRawBufferPointer,
    type: UInt32,
    hasChecksum: Bool = false
  ) -> UInt32 {
    let ofBytes =
      hasChecksum && record.count >= size
      ? UInt32(littleEndian: record.loadUnaligned(as: UInt32.self))
      : compute(UnsafeRawBufferPointer(rebasing: record.dropFirst(size)))
    return ofBytes ^ ofKey(key, type: type)
  }
}
