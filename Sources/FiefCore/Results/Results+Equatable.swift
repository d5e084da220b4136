extension Results: Equatable {
  /// Returns a Boolean value that indicates whether two results are the same query of the same store. The
  /// objects are not read: different queries are unequal even if they have the same objects. Frozen results
  /// are equal if they have the same objects in the same order.
  public static func == (first: Results, second: Results) -> Bool {
    if let frozen = first.frozen {
      return second.frozen.map { frozen.hasSameObjects(as: $0) } ?? false
        && first.context.store === second.context.store
    }
    return second.frozen == nil && first.context.store === second.context.store
      && first.elementType == second.elementType
      && first.failure == nil && second.failure == nil && first.description == second.description
  }
}

extension LinkingObjects: Equatable {
  /// Returns a Boolean value that indicates whether two inverses belong to the same object and the same
  /// property.
  public static func == (first: LinkingObjects, second: LinkingObjects) -> Bool {
    guard first.originPropertyName == second.originPropertyName else { return false }
    guard let object = first.target as? Object, let other = second.target as? Object else {
      return first.target === second.target
    }
    return object == other
  }
}
