/// The changed objects of a write transaction, collected while it runs, by table.
///
/// It is called for each record that is written, so that it neither hashes names nor allocates for a key.
final class ChangeCollector {
  private let tables: StoreTables
  /// The changes by the tables' numbers.
  @exclusivity(unchecked) private var changed: ContiguousArray<ChangedObjects>

  init(_ tables: StoreTables) {
    self.tables = tables
    changed = ContiguousArray(repeating: ChangedObjects(), count: tables.all.count)
  }

  func insert(_ key: UnsafeRawBufferPointer, _ table: Table) {
    guard table.number < changed.count else { return }
    changed[table.number].insert(key)
  }

  /// Notes an object that is there, whose columns have changed; without any it has not.
  func modify(_ key: UnsafeRawBufferPointer, _ table: Table, _ columns: ColumnSet) {
    guard table.number < changed.count else { return }
    changed[table.number].modify(key, columns)
  }

  func delete(_ key: UnsafeRawBufferPointer, _ table: Table) {
    guard table.number < changed.count else { return }
    changed[table.number].delete(key)
  }

  /// Adds the changes of a transaction inside of this one.
  func append(_ inner: ChangeCollector) {
    for number in changed.indices where number < inner.changed.count && !inner.changed[number].isEmpty {
      changed[number].append(inner.changed[number])
    }
  }

  /// The changes. The time does not depend on how many there are.
  var changeSet: ChangeSet {
    var changes = ChangeSet()
    for number in changed.indices where !changed[number].isEmpty {
      let table = tables.all[number]
      changes.types[table.name] = ChangeSet.TypeChanges(changed[number], of: table)
    }
    return changes
  }

  /// The changes since the last call.
  func take() -> ChangeSet {
    let changes = changeSet
    for number in changed.indices where !changed[number].isEmpty { changed[number] = ChangedObjects() }
    return changes
  }
}
