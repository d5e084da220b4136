import FiefCore

extension DatabaseConfigurable {
  /// The objects of a type, each seen through a projection.
  ///
  /// - Throws: ``FiefError`` where the store cannot be opened or does not have the type.
  public func objects<Target: Projection<Root>, Root: Object>(
    _ type: Target.Type
  ) throws -> ProjectedResults<Target, Root> { try objects(Root.self).as(type) }
}
