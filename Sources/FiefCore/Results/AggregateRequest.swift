/// An aggregate to compute from objects, and the property from which it is computed.
public struct _AggregateRequest<Root: ObjectBase> {
  /// The property, or a path through collections.
  enum Source {
    case keyPath(PartialKeyPath<Root>)
    case property(String)
    case values(Result<AggregatedValues, any Error>)
  }

  let aggregate: RowAggregate
  let source: Source

  init(_ aggregate: RowAggregate, _ keyPath: PartialKeyPath<Root>) {
    self.aggregate = aggregate
    source = .keyPath(keyPath)
  }

  init(_ aggregate: RowAggregate, _ property: String) {
    self.aggregate = aggregate
    source = .property(property)
  }

  init<Value>(_ aggregate: RowAggregate, _ values: (Query<Root>) -> Query<Value>) {
    self.aggregate = aggregate
    source = .values(Result { try AggregatedValues(values) })
  }

  /// Returns the values as a query names them.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a key path or an expression that a query cannot have.
  func values() throws -> AggregatedValues {
    switch source {
    case .keyPath(let keyPath): AggregatedValues(try QueryPath.of(keyPath))
    case .property(let property): AggregatedValues(property: property)
    case .values(let values): try values.get()
    }
  }
}

/// A computed aggregate, or the error of the computation.
public struct _AggregateOutcome {
  private let result: Result<AggregateValue, any Error>
  /// The context of the objects, which reports errors.
  private let context: ObjectContext
  private let type: ObjectBase.Type
  private let property: String?

  /// - Parameter compute: computes the aggregate, and names the property for errors.
  init(
    _ context: ObjectContext,
    _ type: ObjectBase.Type,
    _ compute: () throws -> (value: AggregateValue, property: String?)
  ) {
    self.context = context
    self.type = type
    do {
      let computed = try compute()
      result = .success(computed.value)
      property = computed.property
    } catch {
      result = .failure(error)
      property = nil
    }
  }

  /// Returns the aggregate as the type that the caller asks for.
  ///
  /// - Throws: the error of the computation, and the error of `read` with the names of the store and the
  ///   property.
  func get<Value>(_ read: (AggregateValue) throws -> Value) throws -> Value {
    let value = try result.get()
    do { return try read(value) } catch var error as FiefError {
      error.store = error.store ?? context.store?.name
      error.type = error.type ?? type.className()
      error.property = error.property ?? property
      throw error
    }
  }

  /// Returns the aggregate as the type that the caller asks for. If there is an error, reports it and returns
  /// the fallback.
  func reported<Value>(_ fallback: Value, _ read: (AggregateValue) throws -> Value) -> Value {
    do { return try get(read) } catch {
      context.report(error, type: type.className(), property: (error as? FiefError)?.property)
      return fallback
    }
  }
}

/// The form in which an aggregate was computed.
enum AggregateValue {
  case fold(RowFold)
  /// The minimum or the maximum, if objects of a store have a value.
  case stored(QueryValue?)
  /// The minimum or the maximum of objects that are in no store, if they have a value.
  case unstored((any Persistable)?)

  /// Returns the minimum or the maximum.
  func extreme<Value: Persistable>() throws -> Value? {
    switch self {
    case .fold(let fold): return try fold.extreme?.read(as: Value.self)
    case .stored(let value): return try value?.read(as: Value.self)
    case .unstored(nil): return nil
    case .unstored(let found?):
      if let value = found as? Value { return value }
      throw FiefError(
        .invalidQuery,
        "The property has a different type.",
        details: ["requested: \(Value.self)"]
      )
    }
  }

  func sum<Value: AggregatableNumber>() throws -> Value {
    try fold().sum(as: Value._columnType.kind).read(as: Value.self)
  }

  func mean<Value: _AveragedValue>(of type: Value.Type) throws -> Value._Mean? {
    let fold = try fold()
    return (type._columnType.kind == .date ? fold.average : try fold.numberAverage()).map(type._mean)
  }

  /// The folded values. Only an extreme has no fold.
  func fold() throws -> RowFold {
    if case .fold(let fold) = self { return fold }
    throw FiefError(.invalidQuery, "The aggregate has no sum.")
  }
}
