import LMDB

extension TreeBuffer {
  /// Creates a buffer for an index, with the maintainer of its kind.
  convenience init(_ index: Table.Index, of table: Table) {
    self.init(index.database)
    if index.entry.isUnique { unique = (table, index) }
    maintainer = index.entry.kind.maintainer?.init(index, of: table)
  }

  /// Notes an entry with a value.
  ///
  /// The key of an entry is the first element, then the key of the object. A long object key is shortened,
  /// and then the whole key follows the value.
  ///
  /// - Parameters:
  ///   - first: appends the first element. Together with a shortened object key, it must not exceed the
  ///     length of a key.
  ///   - value: appends the value; `nil` for an entry to remove.
  @inline(__always)
  func noteEntry(
    objectKey: UnsafeRawBufferPointer,
    isAdded: Bool,
    first: (inout ValueWriter) -> Void,
    value: (inout ValueWriter) -> Void
  ) {
    let start = writer.count
    first(&writer)
    let firstCount = writer.count - start
    let isCut = objectKey.count > CompositeKey.secondLimit
    if isCut {
      writer.append(CompositeKey.second([UInt8](objectKey)))
    } else {
      writer.append(objectKey)
    }
    let keyCount = writer.count - start
    if isAdded {
      value(&writer)
      if isCut { writer.append(objectKey) }
    }
    note(
      start,
      keyCount: keyCount,
      firstCount: firstCount,
      valueCount: writer.count - start - keyCount,
      isAdded: isAdded,
      isAlone: false
    )
  }
}
