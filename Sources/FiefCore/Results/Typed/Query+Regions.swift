extension Query where Value: _OptionalEmbedded {
  /// Tests whether the embedded object is a point in a region.
  ///
  /// ```swift
  /// let near = people.where { $0.location.geoWithin(GeoCircle(center: home, radius: radius)) }
  /// ```
  /// The class must have the form of a GeoJSON point: a text `type`, and a list of doubles `coordinates` with
  /// the longitude first. Only objects whose type is `Point` are found.
  public func geoWithin(_ shape: some GeoShape) -> Query<Bool> { isWithin(shape) }
}

extension Query where Value: EmbeddedObject {
  /// Tests whether the embedded object is a point in a region.
  public func geoWithin(_ shape: some GeoShape) -> Query<Bool> { isWithin(shape) }
}

extension Query where Value: _QueryableCollection, Value._QueryElement: EmbeddedObject {
  /// Tests whether any of the embedded objects is a point in a region.
  public func geoWithin(_ shape: some GeoShape) -> Query<Bool> {
    Query<Value._QueryElement>(term.entered()).isWithin(shape)
  }
}

extension Query {
  fileprivate func isWithin(_ shape: some GeoShape) -> Query<Bool> {
    Query<Bool>(
      term.tested { operand in
        guard case .path(let path) = operand else {
          throw FiefError(.invalidQuery, "Only embedded objects can be in regions.")
        }
        try shape.region.check()
        return .within(path, shape.region)
      }
    )
  }
}
