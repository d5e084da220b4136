import Foundation

/// Aggregates of collections that belong to no object in a store. They use the values of the objects in
/// memory.
enum UnstoredAggregate {
  static func outcome<Root: Object>(
    _ request: _AggregateRequest<Root>,
    of members: [Root]
  ) -> _AggregateOutcome {
    _AggregateOutcome(.ofNoStore(), Root.self) {
      switch request.source {
      case .keyPath(let keyPath): (try value(request.aggregate, members.map { $0[keyPath: keyPath] }), nil)
      case .property(let name):
        (try value(request.aggregate, members.map { try value(of: name, in: $0) }, name, of: Root.self), name)
      case .values: throw FiefError(.invalidQuery, "The objects are aggregated by their properties.")
      }
    }
  }

  private static func value(of name: String, in object: Object) throws -> Any {
    guard let property = object.descriptor.property(named: name) else {
      throw FiefError(
        .invalidQuery,
        "The type has no property with that name.",
        type: Swift.type(of: object).className(),
        property: name
      )
    }
    return object.value(of: property)
  }

  /// - Parameter values: the values, of which nil does not count.
  private static func value(
    _ aggregate: RowAggregate,
    _ values: [Any],
    _ property: String? = nil,
    of type: ObjectBase.Type? = nil
  ) throws -> AggregateValue {
    let present = values.compactMap { value -> (any Persistable)? in
      if let optional = value as? any OptionalValue { return optional.containedValue as? any Persistable }
      return value as? any Persistable
    }
    switch aggregate {
    case .minimum: return .unstored(try best(present, .less))
    case .maximum: return .unstored(try best(present, .greater))
    case .count, .sum, .average:
      var fold = RowFold(aggregate, kind: present.first.map { kind(of: $0) })
      for value in present {
        guard value is any _AveragedValue else {
          throw FiefError(
            .invalidQuery,
            "The property is not numeric.",
            type: type?.className(),
            property: property
          )
        }
        try withRow(value) { fold.add($0) }
      }
      return .fold(fold)
    }
  }

  private static func kind(of value: some Persistable) -> ColumnType.Kind {
    Swift.type(of: value)._columnType.kind
  }

  /// Calls `body` with the stored form of a value.
  private static func withRow<Value>(
    _ value: some Persistable,
    _ body: (RowValue) throws -> Value
  ) throws -> Value {
    var writer = ValueWriter()
    try value._append(to: &writer)
    return try writer.withBytes { try body(try RowValue($0, kind(of: value))) }
  }

  /// Returns the minimum or the maximum value, comparing the stored forms. NaN is ignored.
  static func best(
    _ values: [any Persistable],
    _ comparison: QueryComparison
  ) throws -> (any Persistable)? {
    var best: (any Persistable)?
    for value in values {
      let isBetter = try withRow(value) { new in
        guard let best else { return RowValue.holds(new, .equal, new) }
        return try withRow(best) { RowValue.holds(new, comparison, $0) }
      }
      if isBetter { best = value }
    }
    return best
  }
}

extension [AnyRealmValue] {
  /// Returns the minimum value, or `nil` if there are no values. NaN is ignored.
  func least() -> AnyRealmValue? { best(.less) }

  /// Returns the maximum value, or `nil` if there are no values. NaN is ignored.
  func greatest() -> AnyRealmValue? { best(.greater) }

  /// Returns the minimum or the maximum value, comparing the stored forms.
  private func best(_ comparison: QueryComparison) -> AnyRealmValue? {
    do { return try UnstoredAggregate.best(self, comparison) as? AnyRealmValue } catch {
      ObjectContext.ofNoStore().report(error, type: "", property: (error as? FiefError)?.property)
      return nil
    }
  }
}
