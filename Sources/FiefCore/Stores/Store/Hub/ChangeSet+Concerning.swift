extension ChangeSet {
  /// Returns the changes on which an observation depends.
  func concerning(_ interest: ObservationInterest) -> ChangeSet {
    if interest.isEverything { return self }
    var part = ChangeSet()
    for (type, changes) in types {
      if interest.types.keys.contains(type) {
        part.types[type] = changes
      } else if let keys = interest.objects[type] {
        let own = changes.restricted { keys.keys.contains($0) }
        if !own.isEmpty { part.types[type] = own }
      }
    }
    if !interest.places.isEmpty {
      part.places = places.filter { place in
        interest.places.contains { place.starts(with: $0) || $0.starts(with: place) }
      }
    }
    return part
  }
}

extension ChangeSet.TypeChanges {
  /// The columns in which any object has a different value.
  package var changedColumns: ColumnSet {
    var columns = ColumnSet()
    objects.forEach { _, _, other in columns.formUnion(other) }
    return columns
  }

  /// Whether any object was inserted or deleted.
  package var changesWhichExist: Bool {
    var isAny = false
    objects.forEach { _, fate, _ in isAny = isAny || fate != .modified }
    return isAny
  }

  /// Returns the changes of the objects for which a closure returns true.
  func restricted(to isWanted: (ObjectKey) -> Bool) -> ChangeSet.TypeChanges {
    var part = ChangedObjects()
    objects.forEach { key, fate, columns in
      guard isWanted(ObjectKey(key)) else { return }
      switch fate {
      case .inserted: part.insert(key)
      case .modified: part.modify(key, columns)
      case .deleted: part.delete(key)
      case .untouched: break
      }
    }
    return ChangeSet.TypeChanges(part, of: table)
  }
}
