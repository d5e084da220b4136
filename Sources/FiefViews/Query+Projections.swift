import FiefCore

extension Query where Value: ProjectionObservable {
  /// Returns a query for the source property of a projected property.
  public subscript<Property>(dynamicMember member: KeyPath<Value, Property>) -> Query<Property> {
    Query<Property>(term.step { try ProjectionSchema.path(member).steps })
  }

  /// Returns a query for the source property of any value in a projected collection.
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
