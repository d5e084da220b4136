/// The reads and writes of a store: in total, by type and by label.
///
/// Reads are counted as cloud services bill them. Each of these is one read:
/// - an object that is created from its record, a row of selected values, or a group;
/// - a lookup of an object that does not exist, a query without a result, a count, or an aggregate;
/// - a row that an offset skips;
/// - for an observer, each object of the first state, and later each inserted or modified object.
///
/// An object that a `read { }` or a `write { }` has already read is not counted again. Writes are written
/// objects. Deletes are deleted objects, including objects that the delete rules of other objects deleted.
/// Links that a deletion clears, derived properties of other objects, and the changes of a migration are not
/// counted. A failed write counts no writes and deletes, but its reads count.
///
/// Bytes are the bytes of keys and records. A large collection is written separately from its object: the
/// elements that are written count, and elements that are read later do not.
public struct Usage: Sendable, Equatable {
  /// Counts of reads and writes.
  public struct Counts: Sendable, Equatable {
    /// The number of reads, counted as ``Usage`` describes.
    public var reads: UInt64 = 0
    /// The number of objects written.
    public var writes: UInt64 = 0
    /// The number of objects deleted, including objects that a cascade deleted.
    public var deletes: UInt64 = 0
    /// The number of bytes in the keys and records that were read.
    public var bytesRead: UInt64 = 0
    /// The number of bytes in the keys and records that were written.
    public var bytesWritten: UInt64 = 0

    /// Creates counts that are all zero.
    public init() {}
  }

  /// The name of the store.
  public var store: String
  /// The counts of all types.
  public var total: Counts
  /// The counts by type name, for the types that were used.
  public var types: [String: Counts]
  /// The counts by label of ``StoreUsage``. They do not include reads and writes without a label.
  public var labels: [String: Counts]

  /// - Parameters:
  ///   - store: the name of the store.
  ///   - types: the counts by type name; their sum is the total.
  ///   - labels: the counts by label.
  init(store: String, types: [String: Counts], labels: [String: Counts]) {
    self.store = store
    self.types = types
    self.labels = labels
    total = types.values.reduce(into: Counts()) { $0.add($1) }
  }
}

extension Usage.Counts {
  var isEmpty: Bool { reads | writes | deletes | bytesRead | bytesWritten == 0 }

  mutating func add(_ other: Self) {
    reads &+= other.reads
    writes &+= other.writes
    deletes &+= other.deletes
    bytesRead &+= other.bytesRead
    bytesWritten &+= other.bytesWritten
  }

  /// Subtracts counts that were added before.
  mutating func remove(_ other: Self) {
    reads &-= other.reads
    writes &-= other.writes
    deletes &-= other.deletes
    bytesRead &-= other.bytesRead
    bytesWritten &-= other.bytesWritten
  }
}
