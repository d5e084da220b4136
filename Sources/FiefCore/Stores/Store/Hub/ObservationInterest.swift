/// The types, objects and columns on which an observation depends. The hub uses them to find the observations
/// to evaluate after a commit.
package struct ObservationInterest: Sendable, Equatable {
  /// By type name, the columns whose changes matter; nil for all columns. Insertions and deletions always
  /// matter.
  package var types: [String: ColumnSet?] = [:]
  /// Single objects by type name and key, such as the owner of a list or an observed object, with the columns
  /// that matter; nil for all columns.
  package var objects: [String: [ObjectKey: ColumnSet?]] = [:]
  /// The places that matter: commits matter if they write a place that is one of these, or above or below one
  /// of these. The first one is the place of the observation.
  package var places: [[ExactText]] = []
  /// Whether every commit matters, as it does to an observer of a whole store.
  package var isEverything = false

  package init(
    types: [String: ColumnSet?] = [:],
    objects: [String: [ObjectKey: ColumnSet?]] = [:],
    places: [[ExactText]] = [],
    isEverything: Bool = false
  ) {
    self.types = types
    self.objects = objects
    self.places = places
    self.isEverything = isEverything
  }

  package init() {}
}

extension ObservationInterest {
  /// Adds columns of one object.
  package mutating func note(_ key: ObjectKey, _ type: String, _ columns: ColumnSet) {
    var all = columns
    if let known = objects[type]?[key] { all.formUnion(known ?? .all) }
    objects[type, default: [:]].updateValue(all.isAll ? nil : all, forKey: key)
  }

  /// Adds columns of all objects of a type.
  package mutating func note(_ type: String, _ columns: ColumnSet) {
    var all = columns
    if let known = types[type] { all.formUnion(known ?? .all) }
    types.updateValue(all.isAll ? nil : all, forKey: type)
  }

  /// Adds the object that owns a collection.
  package mutating func insert(_ members: QueryMembers, _ tables: StoreTables) {
    let column = members.path.first.flatMap { tables[members.type]?.entry.column(named: $0) }
    objects[members.type, default: [:]].updateValue(column.map { ColumnSet([$0.id]) }, forKey: members.key)
  }
}
