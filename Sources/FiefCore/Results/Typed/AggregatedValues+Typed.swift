extension AggregatedValues {
  /// - Throws: ``FiefError`` of code `invalidQuery` for what cannot be asked.
  init<Element: ObjectBase, Value>(_ values: (Query<Element>) -> Query<Value>) throws(FiefError) {
    let (collections, operand) = try TypedQuery.operand(values)
    self.init(collections, operand)
  }
}

extension TypedQuery {
  /// What a closure makes of the object: an operand, behind collections.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for what cannot be asked.
  static func operand<Element: ObjectBase, Value>(
    _ values: (Query<Element>) -> Query<Value>
  ) throws(FiefError) -> ([QueryCollection], QueryOperand) {
    let term = values(Query<Element>(TypedTerm(TypedScopes(), level: 0, .path(.element)))).term
    do { return (term.collections, try term.operand.get()) } catch {
      var error = error
      error.type = error.type ?? Element.className()
      throw error
    }
  }
}
