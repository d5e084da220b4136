import LMDB

/// The checksum at the end of a record: 32 bits that tell a damaged record from a whole one.
///
/// It is ``StableHash`` (wyhash, final version 4.2) with its halves folded together, so it is the same
/// on every machine. A damaged record passes once in four thousand million times.
@usableFromInline
enum RecordChecksum {
  /// The checksum of the bytes of a record.
  @inlinable
  static func compute(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let hash = StableHash.hash(bytes)
    return UInt32(truncatingIfNeeded: hash ^ (hash &>> 32))
  }
}
