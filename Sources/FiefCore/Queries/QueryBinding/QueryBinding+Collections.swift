extension QueryBinding {
  func quantified(
    _ quantifier: QueryQuantifier,
    _ collection: QueryCollection,
    _ condition: QueryCondition
  ) throws -> RowCondition {
    let (scope, condition) = try elements(of: collection) { try self.condition(condition) }
    return QuantifiedCondition(quantifier, scope, condition)
  }

  func count(_ collection: QueryCollection, _ condition: QueryCondition?) throws -> RowOperand {
    let (scope, condition) = try elements(of: collection) { try condition.map { try self.condition($0) } }
    return CountOperand(scope, condition)
  }

  func aggregate(
    _ aggregate: QueryAggregate,
    _ collection: QueryCollection,
    _ path: QueryPath?
  ) throws -> RowOperand {
    let (scope, operand) = try elements(of: collection) { try value(path ?? .element) }
    if aggregate == .minimum || aggregate == .maximum { try binder.checkOrder(of: operand) }
    let kind = operand.kind.map(ValueClass.init)
    let isDate = kind == .date && (aggregate == .minimum || aggregate == .maximum)
    guard kind == .number || kind == .any || isDate else {
      throw binder.invalid(
        "The elements do not support this aggregate.",
        property: path?.text ?? collection.path.text,
        details: ["the aggregate: \(aggregate.rawValue)", "the elements: \(kind?.rawValue ?? "nil")"]
      )
    }
    var result = operand.kind
    if kind == .number, result != .decimal {
      let isInteger = operand.kind?.isInteger ?? false
      result = isInteger && aggregate != .average ? .int64 : .double
    }
    return AggregateOperand(aggregate, scope, operand, kind: result)
  }

  func matches(_ path: QueryPath, _ text: String) throws -> RowCondition {
    let operand = try value(path)
    guard operand.kind == .string else {
      throw binder.invalid("Only text can be searched for words.", property: path.text)
    }
    let query = FullTextQuery(parsing: text)
    if query.isEmpty { return ConstantCondition(false) }
    guard query.wordCount <= FullTextQuery.mostWords else {
      throw binder.invalid(
        "The search has too many words.",
        property: path.text,
        details: ["the words: \(query.wordCount)", "the limit: \(FullTextQuery.mostWords)"]
      )
    }
    return MatchesCondition(operand, query)
  }

  /// Binds a condition or an operand about the elements of a collection, in a separate scope.
  func elements<Value>(
    of collection: QueryCollection,
    _ bind: () throws -> Value
  ) throws -> (ElementScope, Value) {
    let elements = try self.collection(collection)
    guard depth < QueryEnvironment.depthLimit else {
      throw binder.invalid(
        "The collections are nested too deeply.",
        property: collection.path.text,
        details: ["the limit: \(QueryEnvironment.depthLimit)"]
      )
    }
    scopes.append(Scope(table: elements.table, type: elements.type))
    let inner = depth
    defer {
      scopes.removeLast()
      // The next scope at this depth has different sources.
      sources = sources.filter { $0.key.from < inner }
    }
    let value = try bind()
    return (ElementScope(elements, depth: inner), value)
  }

  private func collection(_ collection: QueryCollection) throws -> RowCollection {
    let bound = try resolve(collection.path)
    if bound.type.isAnyValue, collection.part != .values {
      return NestedCollection(bound.operand, part: collection.part)
    }
    if collection.part == .keys, bound.type.container != .map {
      throw binder.invalid("Only a map has keys.", property: collection.path.text)
    }
    if bound.type.kind == .linkingObjects { return try inverse(collection.path, bound) }
    guard bound.type.container != .none else {
      throw binder.invalid("The value is not a collection.", property: collection.path.text)
    }
    return StoredCollection(bound.operand, bound.type, part: collection.part, table: bound.table)
  }

  private func inverse(_ path: QueryPath, _ bound: BoundPath) throws -> RowCollection {
    let object = try resolve(QueryPath(scope: path.scope, steps: Array(path.steps.dropLast())))
    guard object.operand.kind == .link else {
      throw binder.invalid("Objects cannot link to an embedded object.", property: path.text)
    }
    guard let source = bound.table, let origin = bound.column?.entry.originProperty,
      let name = binder.names.column(origin, source.name),
      let link = source.links.first(where: { $0.column.name == name })
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no link with that name.",
        store: binder.tables.storeName,
        type: bound.table?.name,
        property: bound.column?.entry.originProperty
      )
    }
    return InverseCollection(object.operand, link, source: source)
  }
}
