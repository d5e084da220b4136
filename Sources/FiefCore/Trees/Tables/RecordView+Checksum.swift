extension RecordView {
  /// Verifies the record's checksum and that the record was stored under the key.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the verification fails.
  @inline(__always)
  package func verifyChecksum(_ key: UnsafeRawBufferPointer, of table: Table) throws(FiefError) {
    _ = try verifiedHash(key, of: table)
  }

  /// Verifies the record's checksum and key, and returns the hash from which the checksum is computed.
  @inline(__always)
  func verifiedHash(_ key: UnsafeRawBufferPointer, of table: Table) throws(FiefError) -> UInt64 {
    let hash = contentHash
    let difference = checksumDifference(hash)
    // In formats up to 5, and in records that were not stored yet, the checksum does not cover the key.
    guard difference == 0 || difference == RecordChecksum.ofKey(key, type: table.entry.id) else {
      throw FiefError(.damagedRecord, "The checksum of a record is wrong.")
    }
    return hash
  }
}
