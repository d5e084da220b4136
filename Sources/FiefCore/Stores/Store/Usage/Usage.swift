/// What has been read from and written to a store: in total, by type and by label.
///
/// Reads count as services bill them. One is
/// - an object that is made from its record, a row of selected values, a group;
/// - a look-up of an object that does not exist, a query without a result, a count, an aggregate;
/// - a row that an offset passes;
/// - for an observer, each object of the first state, and later each inserted or modified one.
///
/// An object that a `read { }` or a `write { }` has already is not read again. Writes are objects put, deletes are objects
/// deleted, also by the delete rules of others. Links that a deletion clears, derived properties of other objects, and what a
/// migration changes are not among them. A write that fails counts nothing; the reads in it count.
///
/// Bytes are those of keys and records. A large collection is written apart from its object: the elements that are written
/// count, those that are read later do not.
public struct Usage: Sendable, Equatable {
  /// Reads and writes.
  public struct Counts: Sendable, Equatable {
    /// Cost reads.
    public var reads: UInt64 = 0
    /// Objects put.
    public var writes: UInt64 = 0
    /// Objects deleted, those of cascades included.
    public var deletes: UInt64 = 0
    /// The bytes of the keys and records that were read.
    public var bytesRead: UInt64 = 0
    /// The bytes of the keys and records that were put.
    public var bytesWritten: UInt64 = 0

    /// Makes counts of zero.
    public init() {}
  }

  /// The store's name.
  public var store: String
  /// The counts of all types.
  public var total: Counts
  /// The counts by the names of the types that were used.
  public var types: [String: Counts]
  /// The counts by the labels of ``StoreUsage``; reads and writes without a label are in none.
  public var labels: [String: Counts]

  /// - Parameters:
  ///   - store: the store's name.
  ///   - types: the counts by the names of types; their sum is the total.
  ///   - labels: the counts by labels.
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

  /// Takes away what was added before.
  mutating func remove(_ other: Self) {
    reads &-= other.reads
    writes &-= other.writes
    deletes &-= other.deletes
    bytesRead &-= other.bytesRead
    bytesWritten &-= other.bytesWritten
  }
}
