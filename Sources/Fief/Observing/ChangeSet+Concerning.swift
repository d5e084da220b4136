extension ChangeSet {
  /// How many objects were changed.
  var count: Int { types.values.reduce(0) { $0 + $1.count } }

  /// Those changes that an observation depends on.
  func concerning(_ interest: ObservationInterest) -> ChangeSet {
    if interest.isEverything { return self }
    var part = ChangeSet()
    for (type, changes) in types {
      if interest.types.keys.contains(type) {
        part.types[type] = changes
      } else if let keys = interest.objects[type] {
        let own = changes.restricted(to: keys.keys)
        if own.count > 0 { part.types[type] = own }
      }
    }
    return part
  }
}

extension ChangeSet.TypeChanges {
  /// How many objects were changed.
  var count: Int { inserted.count + modifiedColumns.count + deleted.count }

  /// The columns of which any object has another value.
  var changedColumns: ColumnSet {
    var columns = ColumnSet()
    for other in modifiedColumns.values { columns.formUnion(other) }
    return columns
  }

  var keys: Set<ObjectKey> { inserted.union(deleted).union(modified) }
}

extension PendingChanges {
  /// Adds what was changed after these changes.
  ///
  /// - Parameters:
  ///   - isSilent: whether the observer does not want to hear of it.
  ///   - limit: how many objects are kept; where there are more, anything may have changed.
  mutating func append(_ later: ChangeSet, isSilent: Bool, limit: Int) {
    for (type, changes) in later.types {
      if isSilent {
        silent[type, default: []].formUnion(changes.keys)
      } else if silent[type] != nil {
        silent[type]?.subtract(changes.keys)
      }
    }
    if isUnknown { return }
    changes.append(later)
    if changes.count > limit {
      isUnknown = true
      changes = ChangeSet()
    }
  }
}

extension ChangeSet {
  /// The changes of all but some objects.
  func without(_ objects: [String: Set<ObjectKey>]) -> ChangeSet {
    if objects.isEmpty { return self }
    var rest = self
    for (type, keys) in objects {
      guard let changes = types[type] else { continue }
      let others = changes.restricted(to: changes.keys.subtracting(keys))
      rest.types[type] = others.count > 0 ? others : nil
    }
    return rest
  }
}
