/// A reader of any process that has an open transaction.
package struct ActiveReader: Sendable, Hashable {
  /// The id of the reader's process.
  package var process: Int32
  /// The thread, as a hexadecimal number. In this process, it is the thread that reads. In another process,
  /// it is the thread that first took the slot in LMDB's reader table, because threads take turns with slots.
  package var thread: String
  /// The commit whose state the reader sees.
  package var transaction: UInt64
  /// The number of commits since the reader's commit.
  package var commitsBehind: Int
  /// The origin of the reader, if it belongs to this process and has recorded one.
  package var origin: String?
  /// A lower bound of the time for which the reader has been reading, in nanoseconds, or `nil` if it is
  /// unknown, as while the reader's state is the newest.
  package var age: Int64?
}

/// A reader of an old state that prevents much of the file from being reused.
package struct LongReader: Sendable {
  /// The reader.
  package var reader: ActiveReader
  /// The number of bytes that later commits have freed and that cannot be reused while the reader is active.
  package var heldBytes: Int
  /// The number of bytes of the file in use, including `heldBytes`.
  package var fileBytes: Int
}
