import FiefCore

extension DatabaseConfigurable {
  /// Returns the objects of a type, each seen through a projection.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened or does not have the type.
  public func objects<Target: Projection<Root>, Root: Object>(
    _ type: Target.Type
  ) throws -> ProjectedResults<Target, Root> { try objects(Root.self).as(type) }
}
