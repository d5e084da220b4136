/// Collects the changed objects of a write transaction, by table, while the transaction runs.
///
/// The writer calls it for each record that it writes. To be fast, it hashes no names and allocates no memory
/// for keys.
final class ChangeCollector {
  private let tables: StoreTables
  /// The changes, indexed by the tables' numbers.
  @exclusivity(unchecked) private var changed: ContiguousArray<ChangedObjects>

  init(_ tables: StoreTables) {
    self.tables = tables
    changed = ContiguousArray(repeating: ChangedObjects(), count: tables.all.count)
  }

  func insert(_ key: UnsafeRawBufferPointer, _ table: Table) {
    guard table.number < changed.count else { return }
    changed[table.number].insert(key)
  }

  /// Records that columns of an existing object changed. Does nothing if `columns` is empty.
  func modify(_ key: UnsafeRawBufferPointer, _ table: Table, _ columns: ColumnSet) {
    guard table.number < changed.count else { return }
    changed[table.number].modify(key, columns)
  }

  func delete(_ key: UnsafeRawBufferPointer, _ table: Table) {
    guard table.number < changed.count else { return }
    changed[table.number].delete(key)
  }

  /// Adds the changes of a nested transaction.
  func append(_ inner: ChangeCollector) {
    for number in changed.indices where number < inner.changed.count && !inner.changed[number].isEmpty {
      changed[number].append(inner.changed[number])
    }
  }

  /// The collected changes. The cost does not depend on the number of changed objects.
  var changeSet: ChangeSet {
    var changes = ChangeSet()
    for number in changed.indices where !changed[number].isEmpty {
      let table = tables.all[number]
      changes.types[table.name] = ChangeSet.TypeChanges(changed[number], of: table)
    }
    return changes
  }

  /// Returns the changes since the last call.
  func take() -> ChangeSet {
    let changes = changeSet
    for number in changed.indices where !changed[number].isEmpty { changed[number] = ChangedObjects() }
    return changes
  }
}
