import LMDB

extension ChangeSet {
  /// The changes of one object type.
  ///
  /// The sets of keys are built when one of them is first read. This takes time proportional to the number of
  /// changed objects.
  public struct TypeChanges: Sendable, Equatable {
    /// The inserted, modified and deleted objects; changed only by ``change(_:_:)``.
    package private(set) var objects = ChangedObjects()
    /// The table that provides the names of columns, or `nil` if it is unknown.
    private(set) var table: Table?
    private var sets = KeySets()

    package init() {}

    init(_ objects: ChangedObjects, of table: Table?) {
      self.objects = objects
      self.table = table
    }

    /// A Boolean value that indicates whether no object of the type changed.
    public var isEmpty: Bool { objects.isEmpty }
    /// The keys of inserted objects.
    public var inserted: Set<ObjectKey> { sets.made(from: objects).inserted }
    /// The keys of modified objects: they existed before the changes, and have different values now.
    public var modified: Set<ObjectKey> { sets.made(from: objects).modified }
    /// The keys of deleted objects.
    public var deleted: Set<ObjectKey> { sets.made(from: objects).deleted }

    /// Returns the names of the changed properties of a modified object, as its class declares them.
    ///
    /// If the store was opened without classes, the set contains the names of columns. If an object was
    /// deleted and another one with the same key was inserted, the set contains all properties. It never
    /// contains inverse relationships, which change together with the links that they follow back.
    ///
    /// - Returns: An empty set if the object is not in ``modified``.
    public func properties(of key: ObjectKey) -> Set<String> {
      let columns = columns(of: key)
      guard let table, !columns.isEmpty else { return [] }
      return Set(table.currentLayout.columns.filter { columns.contains($0.id) }.map(table.propertyName))
    }

    /// Returns the changed columns of a modified object, or an empty set for any other object.
    package func columns(of key: ObjectKey) -> ColumnSet {
      key.bytes.withUnsafeBytes { objects.columns(of: $0) }
    }

    /// Returns what happened to an object.
    package func fate(of key: ObjectKey) -> ChangedObjects.Fate {
      key.bytes.withUnsafeBytes { objects.fate(of: $0) }
    }

    /// The changed columns of each modified object.
    var modifiedColumns: [ObjectKey: ColumnSet] {
      var columns: [ObjectKey: ColumnSet] = [:]
      objects.forEach { key, fate, changed in
        if fate == .modified { columns[ObjectKey(key)] = changed }
      }
      return columns
    }

    /// Changes the objects.
    ///
    /// - Parameter table: The table that provides the names of columns, if it is known.
    mutating func change(_ table: Table?, _ body: (inout ChangedObjects) -> Void) {
      if self.table == nil { self.table = table }
      // A copy of these changes may share the sets. It keeps them, so they are replaced here instead of
      // changed.
      if sets.areMade || !isKnownUniquelyReferenced(&sets) { sets = KeySets() }
      body(&objects)
    }

    /// Returns a Boolean value that indicates whether two values contain the same objects with the same
    /// changes.
    public static func == (first: TypeChanges, second: TypeChanges) -> Bool {
      first.objects == second.objects
    }
  }
}

/// The keys of changed objects as sets, built on first use.
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
