/// The objects that commits inserted, modified and deleted, by type.
///
/// The set does not contain an object that a commit wrote with unchanged values. A change of an embedded
/// object counts as a change of the object that contains it. Pass its keys to
/// `object(ofType:forPrimaryKey:)`.
public struct ChangeSet: Sendable, Equatable {
  /// The changes of each type that has any, by the type's name.
  public internal(set) var types: [String: TypeChanges] = [:]
  /// A Boolean value that indicates whether the set contains all changes.
  ///
  /// The value is `false` if another process wrote to the store in the meantime, or if there were too many
  /// changes to keep. Any other object may then have changed too, so read cached values again.
  public package(set) var isComplete = true

  /// The places that products have written.
  package internal(set) var places: NotedPlaces = []

  package init() {}

  /// A Boolean value that indicates whether the set contains no changes.
  public var isEmpty: Bool { types.isEmpty }

  /// The number of objects that were inserted, modified or deleted, and of written places.
  var count: Int { types.values.reduce(places.count) { $0 + $1.objects.count } }
  /// The approximate size in memory, in bytes.
  var size: Int { types.values.reduce(0) { $0 + $1.objects.size } }

  // MARK: Merging

  /// Adds later changes.
  package mutating func append(_ later: ChangeSet) {
    isComplete = isComplete && later.isComplete
    if !later.places.isEmpty { places.formUnion(later.places) }
    for (type, changes) in later.types { append(changes, type) }
  }

  private mutating func append(_ later: TypeChanges, _ type: String) {
    change(type, later.table) { $0.append(later.objects) }
  }

  /// Records the insertion of an object.
  mutating func insert(_ key: ObjectKey, _ type: String) {
    change(type) { objects in key.bytes.withUnsafeBytes { objects.insert($0) } }
  }

  /// Records that columns of an object changed.
  mutating func modify(_ key: ObjectKey, _ type: String, _ columns: ColumnSet = .all) {
    change(type) { objects in key.bytes.withUnsafeBytes { objects.modify($0, columns) } }
  }

  /// Records the deletion of an object.
  mutating func delete(_ key: ObjectKey, _ type: String) {
    change(type) { objects in key.bytes.withUnsafeBytes { objects.delete($0) } }
  }

  private mutating func change(_ type: String, _ table: Table? = nil, _ body: (inout ChangedObjects) -> Void)
  {
    types[type, default: TypeChanges()].change(table, body)
    // If the type's objects were all inserted and deleted again, the type has no changes left.
    if types[type]?.isEmpty == true { types[type] = nil }
  }
}
