extension RecordView {
  /// Compares the record with its checksum, and its key with the one that it was stored under.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  @inline(__always)
  package func verifyChecksum(_ key: UnsafeRawBufferPointer, of table: Table) throws(FiefError) {
    _ = try verifiedHash(key, of: table)
  }

  /// The hash that the checksum is made of, after the same comparison.
  @inline(__always)
  func verifiedHash(_ key: UnsafeRawBufferPointer, of table: Table) throws(FiefError) -> UInt64 {
    let hash = contentHash
    let difference = checksumDifference(hash)
    // Nothing stands for the key in formats up to 5, and in a record that was not stored yet.
    guard difference == 0 || difference == RecordChecksum.ofKey(key, type: table.entry.id) else {
      throw FiefError(.damagedRecord, "The checksum of a record is wrong.")
    }
    return hash
  }
}
