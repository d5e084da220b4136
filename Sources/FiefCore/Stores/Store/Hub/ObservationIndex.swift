/// An index that finds the observations that depend on a commit without a loop over all observations.
struct ObservationIndex {
  typealias ID = ObservationMachine.ID

  private var everything: Set<ID> = []
  private var types: [String: [ID: ColumnSet?]] = [:]
  private var objects: [String: [ObjectKey: [ID: ColumnSet?]]] = [:]
  private var places = PlaceIndex()

  mutating func insert(_ id: ID, _ interest: ObservationInterest) {
    if interest.isEverything { everything.insert(id) }
    for place in interest.places { places.insert(id, place[...]) }
    for (type, columns) in interest.types { types[type, default: [:]].updateValue(columns, forKey: id) }
    for (type, keys) in interest.objects {
      for (key, columns) in keys {
        objects[type, default: [:]][key, default: [:]].updateValue(columns, forKey: id)
      }
    }
  }

  mutating func remove(_ id: ID, _ interest: ObservationInterest) {
    everything.remove(id)
    for place in interest.places { places.remove(id, place[...]) }
    for type in interest.types.keys {
      types[type]?[id] = nil
      if types[type]?.isEmpty == true { types[type] = nil }
    }
    for (type, keys) in interest.objects {
      for key in keys.keys {
        objects[type]?[key]?[id] = nil
        if objects[type]?[key]?.isEmpty == true { objects[type]?[key] = nil }
      }
      if objects[type]?.isEmpty == true { objects[type] = nil }
    }
  }

  /// Returns the observations that must be evaluated for changes.
  func concerned(by changes: ChangeSet) -> Set<ID> {
    var concerned = everything
    for (type, changes) in changes.types {
      if let observations = types[type] { add(observations, changes, to: &concerned) }
      if let keys = objects[type] { add(keys, changes, to: &concerned) }
    }
    for place in changes.places { places.collect(concernedBy: place[...], into: &concerned) }
    return concerned
  }

  /// Returns the observations of exactly this place. Observations above or below it are left out.
  func observations(at place: [ExactText]) -> Set<ID> { places.observations(at: place[...]) }

  private func add(
    _ observations: [ID: ColumnSet?],
    _ changes: ChangeSet.TypeChanges,
    to concerned: inout Set<ID>
  ) {
    let isSet = changes.changesWhichExist
    let changed = isSet ? ColumnSet.all : changes.changedColumns
    for (id, columns) in observations {
      if isSet || columns.map({ !$0.isDisjoint(with: changed) }) ?? true { concerned.insert(id) }
    }
  }

  private func add(
    _ keys: [ObjectKey: [ID: ColumnSet?]],
    _ changes: ChangeSet.TypeChanges,
    to concerned: inout Set<ID>
  ) {
    func add(_ fate: ChangedObjects.Fate, _ changed: ColumnSet, _ observations: [ID: ColumnSet?]) {
      for (id, columns) in observations {
        if fate == .modified, let columns, columns.isDisjoint(with: changed) { continue }
        concerned.insert(id)
      }
    }
    // The loop is over the smaller of the two tables.
    if keys.count <= changes.objects.count {
      for (key, observations) in keys {
        let fate = changes.fate(of: key)
        if fate != .untouched { add(fate, changes.columns(of: key), observations) }
      }
      return
    }
    changes.objects.forEach { key, fate, columns in
      if let observations = keys[ObjectKey(key)] { add(fate, columns, observations) }
    }
  }
}
