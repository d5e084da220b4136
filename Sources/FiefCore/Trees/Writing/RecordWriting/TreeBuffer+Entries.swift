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
  /// The key is the first element, then the key of the object. A long object key is cut, and then follows the
  /// value whole.
  ///
  /// - Parameters:
  ///   - first: appends the first element, which must be short enough for a key together with a cut object
  ///     key.
  ///   - value: appends the value. An entry that is removed has none.
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
