import FiefCore

extension Query where Value: ProjectionObservable {
  /// The property that a property of the projection is projected from.
  public subscript<Property>(dynamicMember member: KeyPath<Value, Property>) -> Query<Property> {
    Query<Property>(term.step { try ProjectionSchema.path(member).steps })
  }

  /// The property that any value of a projected collection is projected from.
  public subscript<Property>(
    dynamicMember member: KeyPath<Value, ProjectedCollection<Property>>
  ) -> Query<Property> {
    do {
      let (collection, element) = try ProjectionSchema.elements(member)
      return Query<Property>(term.step { collection.steps }.entered().step { element.steps })
    } catch {
      return Query<Property>(term.step { throw error })
    }
  }
}
