/// What one commit inserted, modified and deleted, by type.
public struct ChangeSet: Sendable, Equatable {
  /// The changes of one object type.
  public struct TypeChanges: Sendable, Equatable {
    /// The keys of new objects.
    public internal(set) var inserted: Set<ObjectKey> = []
    /// The keys of objects that were there before and were written.
    public internal(set) var modified: Set<ObjectKey> = []
    /// The keys of objects that are gone.
    public internal(set) var deleted: Set<ObjectKey> = []
  }

  /// The changes by the name of the type.
  public internal(set) var types: [String: TypeChanges] = [:]

  /// Whether these are all changes; false where another process has made some, or there were too many to keep.
  public internal(set) var isComplete = true

  /// Whether nothing was changed.
  public var isEmpty: Bool { types.isEmpty }

  /// The changes of a type; empty where there are none.
  public subscript(type: Object.Type) -> TypeChanges { types[type.className()] ?? TypeChanges() }

  mutating func insert(_ key: ObjectKey, _ type: String) {
    if types[type]?.deleted.remove(key) != nil {
      types[type]?.modified.insert(key)
    } else {
      types[type, default: TypeChanges()].inserted.insert(key)
    }
  }

  mutating func modify(_ key: ObjectKey, _ type: String) {
    if types[type]?.inserted.contains(key) == true { return }
    types[type, default: TypeChanges()].modified.insert(key)
  }

  /// Adds what was changed after these changes.
  mutating func append(_ later: ChangeSet) {
    for (type, changes) in later.types {
      for key in changes.deleted { delete(key, type) }
      for key in changes.inserted { insert(key, type) }
      for key in changes.modified { modify(key, type) }
    }
  }

  mutating func delete(_ key: ObjectKey, _ type: String) {
    if types[type]?.inserted.remove(key) != nil {
      // Nothing has become of it.
      if types[type] == TypeChanges() { types[type] = nil }
      return
    }
    types[type]?.modified.remove(key)
    types[type, default: TypeChanges()].deleted.insert(key)
  }
}
