/// A save or a deletion, encoded to be passed from the caller to the write queue.
package struct PreparedChanges: Sendable {
  enum Kind: UInt8, Sendable {
    /// Insert; fail if the key exists.
    case insert
    /// Insert if the key does not exist; otherwise leave the existing object unchanged.
    case ensure
    /// Insert or replace.
    case put
    /// Write some columns of an existing object; insert the object if it does not exist.
    case patch
    /// Write some columns of an existing object; fail if it does not exist.
    case patchExisting
    /// Delete; fail if the object does not exist.
    case delete
    /// Delete all objects of the type.
    case deleteAll

    var deletes: Bool { self == .delete || self == .deleteAll }

    /// Whether the operation stores its record as it is, with all columns.
    var isWhole: Bool { self == .put || self == .insert }
  }

  /// Contains only numbers, because a save may consist of millions of operations.
  struct Operation: Sendable {
    let kind: Kind
    /// Whether the record has links that were read with the object and whose targets the same changes do not
    /// write. The targets may have been deleted in the meantime; the writer then clears the links.
    /// ``RequiredLink`` represents the links that the application assigned.
    let linksStoredObjects: Bool
    /// The index of the table in `tables`.
    let table: UInt16
    /// The index in `patches` of the columns to write.
    let patch: Int32
    let keyStart: Int
    let keyCount: Int
    let recordStart: Int
    let recordCount: Int
  }

  /// A link that the application assigned, to an object that the changes do not write. The store must contain
  /// the object.
  struct RequiredLink: Sendable {
    /// The index of the operation whose record contains the link; `nil` for an operand of a field operation.
    let operation: Int?
    /// The type of the object with the link, and the property.
    let owner: String?
    let property: String?
    /// The key of the object that a field operation changes, as errors show it; nil for other links, and if
    /// the operation changes many objects.
    let ownerKey: String?
    let target: Table
    let key: [UInt8]
  }

  private struct Target: Hashable {
    let table: ObjectIdentifier
    let key: [UInt8]
  }

  /// The operations on one table.
  private struct Use {
    var count = 0
    var isInOrder = true
    private var lastPrefix: UInt64 = 0
    private var lastKey = 0..<0

    /// Records the key of the next operation.
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
  /// For each operation, the path of its object in a document; empty if the changes do not come from a
  /// document.
  private(set) var paths: [ValuePath] = []
  /// The row ids that may not be reserved yet.
  var claims: [RowIDClaims] = []
  /// The expected states of the objects of the first operations; `nil` if the stored state does not matter.
  var expected: [ExpectedObject]?
  /// The links that are checked before the first change.
  private(set) var givenLinks: [RequiredLink] = []
  private var givenTargets: Set<Target> = []

  package var isEmpty: Bool { operations.isEmpty && givenLinks.isEmpty }

  package var hasOperations: Bool { !operations.isEmpty }

  /// Whether the changes contain at most one operation, so that a failure cannot leave them half done. Other
  /// changes need a nested transaction.
  var isAtomicByItself: Bool { operations.count <= 1 }

  package init() {}

  var onlyDeletes: Bool { operations.allSatisfy(\.kind.deletes) }

  /// Whether a deletion may delete further objects or be denied.
  var hasDeleteRules: Bool {
    guard tables.contains(where: \.hasDeleteRules) else { return false }
    return operations.contains { $0.kind == .delete && tables[Int($0.table)].hasDeleteRules }
  }

  /// Whether all failures of the changes happen before the first change. A deletion also changes the records
  /// that link to the deleted object.
  var failsBeforeChanging: Bool {
    guard isAtomicByItself, let operation = operations.first else { return isAtomicByItself }
    switch operation.kind {
    case .insert, .ensure: return !writesLargeCollections(operation)
    case .put, .patch, .patchExisting: return !tables[Int(operation.table)].needsOldRecord
    case .delete, .deleteAll: return false
    }
  }

  /// Whether an operation writes large collections. If it writes two, it may fail after it has written the
  /// first one.
  private func writesLargeCollections(_ operation: Operation) -> Bool {
    let table = tables[Int(operation.table)]
    return bytes.withUnsafeBytes { (try? table.hasLargeCollections(operation.record(in: $0))) ?? true }
  }

  mutating func reserve(_ count: Int) { operations.reserveCapacity(count) }

  /// Returns the index of a table in `tables`, and adds the table if necessary.
  mutating func index(of table: Table) -> UInt16 {
    if let known = tables.firstIndex(where: { $0 === table }) { return UInt16(truncatingIfNeeded: known) }
    tables.append(table)
    uses.append(Use())
    return UInt16(truncatingIfNeeded: tables.count - 1)
  }

  /// Returns the number of operations on a table, and whether they are in the order of the keys.
  func order(ofTable index: Int) -> (count: Int, isInOrder: Bool) {
    (uses[index].count, uses[index].isInOrder)
  }

  /// Adds an operation whose key and record are in `writer`.
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

  mutating func append(_ link: RequiredLink) {
    // Elements of a list and objects of a batch often link to the same object.
    if let last = givenLinks.last, last.target === link.target, last.key == link.key { return }
    let target = Target(table: ObjectIdentifier(link.target), key: link.key)
    if givenTargets.insert(target).inserted { givenLinks.append(link) }
  }

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

  /// Moves the bytes to which the operations refer out of a writer.
  mutating func finish(_ writer: inout ValueWriter) { bytes = writer.takeBytes() }
}
