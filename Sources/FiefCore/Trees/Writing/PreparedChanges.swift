/// A save or a deletion as bytes: what crosses from the caller to the write queue.
package struct PreparedChanges: Sendable {
  enum Kind: UInt8, Sendable {
    /// Insert; fail where the key exists.
    case insert
    /// Insert where the key does not exist; leave an existing object as it is.
    case ensure
    /// Insert or replace.
    case put
    /// Write some columns of the object that is there; insert where there is none.
    case patch
    /// Write some columns of the object that is there; fail where there is none.
    case patchExisting
    /// Delete; fail where there is none.
    case delete
    /// Delete everything of the type.
    case deleteAll

    var deletes: Bool { self == .delete || self == .deleteAll }

    /// Whether the record that is stored is the operation's own.
    var isWhole: Bool { self == .put || self == .insert }
  }

  /// Numbers only, since a save may have millions of them.
  struct Operation: Sendable {
    let kind: Kind
    /// Whether the record links an object that is not written by the same changes, so that it may have been
    /// deleted meanwhile.
    let linksStoredObjects: Bool
    /// The index in `tables`.
    let table: UInt16
    /// The index in `patches` of the columns to write.
    let patch: Int32
    let keyStart: Int
    let keyCount: Int
    let recordStart: Int
    let recordCount: Int
  }

  /// The common properties of the operations on one table.
  private struct Use {
    var count = 0
    var isInOrder = true
    private var lastPrefix: UInt64 = 0
    private var lastKey = 0..<0

    /// Notes the key of the next operation.
    @inline(__always)
    mutating func note(_ key: Range<Int>, _ bytes: UnsafeRawBufferPointer) {
      let prefix = bytes.prefix(at: key.lowerBound, count: key.count)
      let isGreater = lastPrefix < prefix || count == 0
      if !isGreater, lastPrefix > prefix || bytes.compare(lastKey, key) > 0 { isInOrder = false }
      count += 1
      lastPrefix = prefix
      lastKey = key
    }
  }

  private(set) var bytes = EncodedBytes.none
  private(set) var tables: [Table] = []
  private var uses: [Use] = []
  private(set) var operations: [Operation] = []
  private(set) var patches: [[UInt16]] = []
  /// The place in a document of each operation's object; empty where there is no document.
  private(set) var paths: [ValuePath] = []
  /// Row ids that may not be reserved yet.
  var claims: [RowIDClaims] = []
  /// What the store has to have for each of the first operations; nil where that does not matter.
  var expected: [ExpectedObject]?

  package var isEmpty: Bool { operations.isEmpty }

  /// Whether one failure may leave others done, so that the whole needs a transaction of its own.
  var isAtomicByItself: Bool { operations.count <= 1 }

  package init() {}

  var onlyDeletes: Bool { operations.allSatisfy(\.kind.deletes) }

  /// Whether a deletion among them may delete more, or be denied.
  var hasDeleteRules: Bool {
    guard tables.contains(where: \.hasDeleteRules) else { return false }
    return operations.contains { $0.kind == .delete && tables[Int($0.table)].hasDeleteRules }
  }

  /// Whether it can fail only before its first change. Deleting changes other records too, those that link
  /// to the deleted one.
  var failsBeforeChanging: Bool {
    guard isAtomicByItself, let operation = operations.first else { return isAtomicByItself }
    switch operation.kind {
    case .insert, .ensure: return !writesLargeCollections(operation)
    case .put, .patch, .patchExisting: return !tables[Int(operation.table)].needsOldRecord
    case .delete, .deleteAll: return false
    }
  }

  /// Whether an operation writes large collections. If it writes two, it may fail after it has written the first one.
  private func writesLargeCollections(_ operation: Operation) -> Bool {
    let table = tables[Int(operation.table)]
    return bytes.withUnsafeBytes { (try? table.hasLargeCollections(operation.record(in: $0))) ?? true }
  }

  mutating func reserve(_ count: Int) { operations.reserveCapacity(count) }

  /// The index of a table in `tables`.
  mutating func index(of table: Table) -> UInt16 {
    if let known = tables.firstIndex(where: { $0 === table }) { return UInt16(truncatingIfNeeded: known) }
    tables.append(table)
    uses.append(Use())
    return UInt16(truncatingIfNeeded: tables.count - 1)
  }

  /// The number of operations on a table, and whether they are in the order of the keys.
  func order(ofTable index: Int) -> (count: Int, isInOrder: Bool) {
    (uses[index].count, uses[index].isInOrder)
  }

  /// Adds an operation, whose key and record `writer` has.
  @inline(__always)
  mutating func append(_ operation: Operation, in writer: borrowing ValueWriter) {
    operations.append(operation)
    let key = operation.keyStart..<(operation.keyStart + operation.keyCount)
    writer.withBytes { uses[Int(operation.table)].note(key, $0) }
  }

  mutating func appendPatch(_ columns: [UInt16]) -> Int32 {
    patches.append(columns)
    return Int32(truncatingIfNeeded: patches.count - 1)
  }

  mutating func append(_ path: ValuePath) { paths.append(path) }

  /// Adds an operation that has no record.
  mutating func appendDeletion(
    _ kind: Kind,
    table: UInt16,
    key: Range<Int>,
    in writer: borrowing ValueWriter
  ) {
    append(
      Operation(
        kind: kind,
        linksStoredObjects: false,
        table: table,
        patch: -1,
        keyStart: key.lowerBound,
        keyCount: key.count,
        recordStart: key.upperBound,
        recordCount: 0
      ),
      in: writer
    )
  }

  /// Takes the bytes that the operations speak of.
  mutating func finish(_ writer: inout ValueWriter) { bytes = writer.takeBytes() }
}
