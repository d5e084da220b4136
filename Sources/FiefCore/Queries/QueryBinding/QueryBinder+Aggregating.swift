extension QueryBinder {
  /// Returns the collections on the path to the values of an aggregate, and the operand to evaluate for each
  /// element of the last collection.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidQuery` or `malformedQuery`.
  func parts(of values: AggregatedValues) throws -> AggregatedParts {
    switch values.source {
    case .path(let path): return try split([], .path(path))
    case .text(let text): return try split([], try operand(text: text))
    case .operand(let collections, let operand): return try split(collections, operand)
    }
  }

  /// Parses an operand in the text form. A path through collections remains a path.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidQuery` or `malformedQuery`.
  func operand(text: String) throws -> QueryOperand {
    try QueryTextForm.operand(
      text,
      type: table.name,
      schema: QueryTextSchema(tables: tables, names: names)
    )
  }

  /// Splits a path at its collections, so that the operand begins at an element of the last collection.
  private func split(_ collections: [QueryCollection], _ operand: QueryOperand) throws
    -> (collections: [QueryCollection], operand: QueryOperand)
  {
    guard case .path(let path) = operand, path.scope == 0 else { return (collections, operand) }
    var place = Place(table: table, type: ColumnType(.link, target: table.name))
    for collection in collections {
      // A collection of an outer scope, and the keys or parts of a collection, stay part of one operand.
      guard collection.path.scope == 0, collection.part == .values else { return (collections, operand) }
      for step in collection.path.steps { try take(step, &place) }
      place.type = place.type.element
    }
    var collections = collections
    var steps: [QueryPath.Step] = []
    for step in path.steps {
      if place.type.isCollection, case .property = step {
        collections.append(QueryCollection(QueryPath(steps: steps)))
        steps = []
        place.type = place.type.element
      }
      try take(step, &place)
      steps.append(step)
    }
    if place.type.isCollection {
      collections.append(QueryCollection(QueryPath(steps: steps)))
      steps = []
    }
    return (collections, .path(QueryPath(steps: steps)))
  }

  /// The end of the steps of a path that were followed so far.
  private struct Place {
    /// The table of the object at the end, or `nil` if the end is not an object.
    var table: Table?
    var type: ColumnType
  }

  private func take(_ step: QueryPath.Step, _ place: inout Place) throws {
    switch step {
    case .mapKey, .index: place.type = place.type.element
    case .property(let name):
      guard let table = place.table else {
        throw invalid("Only objects have properties.", property: name)
      }
      place.type = try column(named: name, of: table).type
      place.table = place.type.target.flatMap { tables[$0] }
    }
  }
}

extension QueryBinding {
  /// Binds an operand that is evaluated for the elements of nested collections.
  func operand(_ operand: QueryOperand, in collections: ArraySlice<QueryCollection>) throws
    -> (scopes: [ElementScope], operand: RowOperand)
  {
    guard let first = collections.first else { return ([], try self.operand(operand)) }
    let (scope, inner) = try elements(of: first) {
      try self.operand(operand, in: collections.dropFirst())
    }
    return ([scope] + inner.scopes, inner.operand)
  }
}
