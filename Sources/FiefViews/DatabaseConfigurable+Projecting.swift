import FiefCore

extension DatabaseConfigurable {
  /// Returns the objects of a type as projections.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened or does not have the type.
  public func objects<Target: ProjectionObservable>(_ type: Target.Type) throws -> ProjectedResults<
    Target, Target.Root
  >
  where Target.Root: Object { try objects(Target.Root.self).as(type) }
}
