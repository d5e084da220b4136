import LMDB

extension ChangeSet {
  /// The changes of one object type.
  ///
  /// The sets of keys are made when one of them is first asked for, which takes a time that depends on how many objects
  /// have changed.
  public struct TypeChanges: Sendable, Equatable {
    /// The inserted, modified and deleted objects; changed only by ``change(_:_:)``.
    package private(set) var objects = ChangedObjects()
    /// The table that the names of columns come from; nil where it is not known.
    private(set) var table: Table?
    private var sets = KeySets()

    package init() {}

    init(_ objects: ChangedObjects, of table: Table?) {
      self.objects = objects
      self.table = table
    }

    /// Whether nothing has changed.
    public var isEmpty: Bool { objects.isEmpty }
    /// The keys of new objects.
    public var inserted: Set<ObjectKey> { sets.made(from: objects).inserted }
    /// The keys of objects that were there before and have other values now.
    public var modified: Set<ObjectKey> { sets.made(from: objects).modified }
    /// The keys of objects that are gone.
    public var deleted: Set<ObjectKey> { sets.made(from: objects).deleted }

    /// The names of the properties of a modified object that have changed, as its class declares them; those of
    /// columns where the store was opened without classes.
    ///
    /// The set has all of them where an object was deleted and one with the same key inserted. Inverses are
    /// never among them: they change with the links that they follow back.
    ///
    /// - Returns: an empty set for an object that is not in ``modified``.
    public func properties(of key: ObjectKey) -> Set<String> {
      let columns = columns(of: key)
      guard let table, !columns.isEmpty else { return [] }
      return Set(table.currentLayout.columns.filter { columns.contains($0.id) }.map(table.propertyName))
    }

    /// The columns of a modified object that have changed; none of any other.
    package func columns(of key: ObjectKey) -> ColumnSet {
      key.bytes.withUnsafeBytes { objects.columns(of: $0) }
    }

    /// The change of one object.
    package func fate(of key: ObjectKey) -> ChangedObjects.Fate {
      key.bytes.withUnsafeBytes { objects.fate(of: $0) }
    }

    /// The changed columns of the modified objects.
    var modifiedColumns: [ObjectKey: ColumnSet] {
      var columns: [ObjectKey: ColumnSet] = [:]
      objects.forEach { key, fate, changed in
        if fate == .modified { columns[ObjectKey(key)] = changed }
      }
      return columns
    }

    /// Changes the objects.
    ///
    /// - Parameter table: the table that the names of columns come from, where it is known.
    mutating func change(_ table: Table?, _ body: (inout ChangedObjects) -> Void) {
      if self.table == nil { self.table = table }
      // Copies of these changes keep the sets that were made.
      if sets.areMade || !isKnownUniquelyReferenced(&sets) { sets = KeySets() }
      body(&objects)
    }

    /// Whether the same objects have the same changes.
    public static func == (first: TypeChanges, second: TypeChanges) -> Bool {
      first.objects == second.objects
    }
  }
}

/// The keys of changed objects as sets, made when they are first asked for.
private final class KeySets: Sendable {
  struct Sets {
    var inserted: Set<ObjectKey> = []
    var modified: Set<ObjectKey> = []
    var deleted: Set<ObjectKey> = []
  }

  private let sets = OwnedLock<Sets?>(nil)

  var areMade: Bool { sets.withLock { $0 != nil } }

  func made(from objects: ChangedObjects) -> Sets {
    sets.withLock { known in
      if let known { return known }
      var sets = Sets()
      objects.forEach { key, fate, _ in
        switch fate {
        case .inserted: sets.inserted.insert(ObjectKey(key))
        case .modified: sets.modified.insert(ObjectKey(key))
        case .deleted: sets.deleted.insert(ObjectKey(key))
        case .untouched: break
        }
      }
      known = sets
      return sets
    }
  }
}
