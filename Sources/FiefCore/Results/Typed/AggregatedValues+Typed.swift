extension AggregatedValues {
  /// - Throws: ``FiefError`` of code `invalidQuery` for an unsupported expression.
  init<Element: ObjectBase, Value>(_ values: (Query<Element>) -> Query<Value>) throws(FiefError) {
    let (collections, operand) = try TypedQuery.operand(values)
    self.init(collections, operand)
  }
}

extension TypedQuery {
  /// Returns the operand that a closure creates, and the collections on the path to it.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for an unsupported expression.
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
