extension QueryBinding {
  func quantified(
    _ quantifier: QueryQuantifier,
    _ collection: QueryCollection,
    _ condition: QueryCondition
  ) throws -> RowCondition {
    throw binder.invalid("Not yet.", property: collection.path.text)
  }

  func matches(_ path: QueryPath, _ text: String) throws -> RowCondition {
    throw binder.invalid("Not yet.", property: path.text)
  }
}
