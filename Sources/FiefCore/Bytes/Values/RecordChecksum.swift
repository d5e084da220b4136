import LMDB

/// The checksum at the end of a record: 32 bits by which a damaged record is recognised.
///
/// It is ``StableHash`` (wyhash, final version 4.2) with its halves folded together, so it is the same on
/// every machine. A damaged record is not recognised once in four thousand million times.
@usableFromInline
enum RecordChecksum {
  /// How many bytes it has.
  static let size = 4

  /// The checksum of the bytes of a record.
  @inlinable
  static func compute(_ bytes: UnsafeRawBufferPointer) -> UInt32 { of(StableHash.hash(bytes)) }

  /// The checksum of bytes with a hash.
  @inlinable
  @inline(__always)
  static func of(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ (hash &>> 32)) }

  /// The difference between the checksum of a stored record and that of its bytes: a hash of the key and the
  /// type, so that a record is valid under its own key only. Records of formats up to 5 have no difference.
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

  /// The checksum of a record that is stored under a key; the record has a checksum's bytes in front.
  ///
  /// - Parameter hasChecksum: whether these are the checksum of its bytes; otherwise it is computed.
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
