/// A reader of some process that has a transaction.
package struct ActiveReader: Sendable, Hashable {
  /// The number of the process.
  package var process: Int32
  /// The thread, as a hexadecimal number: of this process the one that reads; of another process the one that has
  /// taken the place in LMDB's table first, since readers take turns with places.
  package var thread: String
  /// The commit whose state it reads.
  package var transaction: UInt64
  /// The number of commits since.
  package var commitsBehind: Int
  /// The origin of the reader, where it is one of this process that has named one.
  package var origin: String?
  /// The least time for which it has read, in nanoseconds; nil where it is not known, as while its state is
  /// the newest.
  package var age: Int64?
}

/// A reader of an old state, because of which much of the file cannot be used again.
package struct LongReader: Sendable {
  /// The reader.
  package var reader: ActiveReader
  /// The bytes of the file that later commits have freed and that cannot be used again while it reads.
  package var heldBytes: Int
  /// The bytes of the file that are in use, those among them.
  package var fileBytes: Int
}
