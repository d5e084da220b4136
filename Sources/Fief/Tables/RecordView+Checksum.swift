extension RecordView {
  /// Compares the record with its checksum, and its key with the one that it was stored under.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  @inline(__always)
  func verifyChecksum(_ key: UnsafeRawBufferPointer, of table: Table) throws(FiefError) {
    let difference = checksumDifference
    // Nothing stands for the key in formats up to 5, and in a record that was not stored yet.
    guard difference == 0 || difference == RecordChecksum.ofKey(key, type: table.entry.id) else {
      throw FiefError(.damagedRecord, "The checksum of a record is wrong.")
    }
  }
}
