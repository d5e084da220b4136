/// The objects that commits inserted, modified and deleted, by type.
///
/// An object that a commit writes with the values that it had is none of them. An embedded object is part of the one that
/// has it. The keys are those that `object(ofType:forPrimaryKey:)` takes.
public struct ChangeSet: Sendable, Equatable {
  /// The changes by the name of the type; only of types with changes.
  public internal(set) var types: [String: TypeChanges] = [:]
  /// Whether these are all changes there were.
  ///
  /// False where another process has written to the store meanwhile, and where there were so many changes that they
  /// were not kept: anything else may have changed too, so that cached values have to be read again.
  public package(set) var isComplete = true

  package init() {}

  /// Whether nothing is known to have changed.
  public var isEmpty: Bool { types.isEmpty }

  /// How many objects were inserted, modified or deleted.
  var count: Int { types.values.reduce(0) { $0 + $1.objects.count } }
  /// The bytes in memory, about.
  var size: Int { types.values.reduce(0) { $0 + $1.objects.size } }

  // MARK: Merging

  /// Adds later changes.
  package mutating func append(_ later: ChangeSet) {
    isComplete = isComplete && later.isComplete
    for (type, changes) in later.types { append(changes, type) }
  }

  private mutating func append(_ later: TypeChanges, _ type: String) {
    change(type, later.table) { $0.append(later.objects) }
  }

  /// Notes that an object is there that was not.
  mutating func insert(_ key: ObjectKey, _ type: String) {
    change(type) { objects in key.bytes.withUnsafeBytes { objects.insert($0) } }
  }

  /// Notes that columns of an object have changed.
  mutating func modify(_ key: ObjectKey, _ type: String, _ columns: ColumnSet = .all) {
    change(type) { objects in key.bytes.withUnsafeBytes { objects.modify($0, columns) } }
  }

  /// Notes the deletion of an object.
  mutating func delete(_ key: ObjectKey, _ type: String) {
    change(type) { objects in key.bytes.withUnsafeBytes { objects.delete($0) } }
  }

  private mutating func change(_ type: String, _ table: Table? = nil, _ body: (inout ChangedObjects) -> Void)
  {
    types[type, default: TypeChanges()].change(table, body)
    // A type whose objects were all inserted and deleted again has no changes left.
    if types[type]?.isEmpty == true { types[type] = nil }
  }
}
