extension QueryLowering {
  /// Returns an operand, and the type of its values if a property determines it.
  func operand(_ syntax: QuerySyntax, _ context: Context) throws -> (QueryOperand, ColumnType?) {
    switch syntax {
    // Without a schema, no operand has a type to which literals could be converted.
    case .value(.decimal(let value)):
      return (.value(.decimal(value)), schema.isKnown ? ColumnType(.decimal) : nil)
    case .value(let value): return (.value(value), nil)
    case .longNumber(let number, _): return (.value(.double(number)), nil)
    case .untyped(let text, let start): return (.value(try value(of: text, for: nil, at: start)), nil)
    case .key(let type, let text, let start): return (.value(try object(type, key: text, at: start)), nil)
    case .path(let path): return try operand(path, context)
    case .arithmetic(let left, let arithmetic, let right):
      let (left, right) = (try lowered(left, context), try lowered(right, context))
      let (first, second) = try operands(left, right)
      return (.arithmetic(first, arithmetic, second), left.decimal ?? right.decimal)
    case .negative(let inner):
      let (inner, type) = try operand(inner, context)
      return (.negative(inner), type?.kind == .decimal ? type : nil)
    case .coalesced(let left, let right):
      let (left, right) = (try lowered(left, context), try lowered(right, context))
      let (first, second) = try operands(left, right)
      return (.coalesced(first, second), left.typeOfEither(right))
    case .conditional(let condition, let left, let right):
      let (left, right) = (try lowered(left, context), try lowered(right, context))
      let (first, second) = try operands(left, right)
      return (.conditional(try self.condition(condition, context), first, second), left.typeOfEither(right))
    case .length(let inner): return (.length(try operand(inner, context).0), ColumnType(.int64))
    case .lowercased(let inner): return (.lowercased(try operand(inner, context).0), ColumnType(.string))
    case .uppercased(let inner): return (.uppercased(try operand(inner, context).0), ColumnType(.string))
    case .count(let path, let scope, let condition):
      let (collection, inside) = try entering(path, scope, context)
      return (.count(collection, try self.condition(condition, inside)), ColumnType(.int64))
    case .region(_, let start):
      throw source.error(
        .invalidQuery,
        "A single value is required, not a region.",
        at: start,
        expected: "a value; regions are allowed only after GEOWITHIN and IN"
      )
    case .embedded(_, let start):
      throw source.error(
        .invalidQuery,
        "A single value is required, not an embedded object.",
        at: start,
        expected: "a value; embedded objects are allowed only with ==, != and IN"
      )
    case .list(_, let start), .range(_, _, let start):
      throw source.error(
        .malformedQuery,
        "A single value is required, not a list.",
        at: start,
        expected: "one value; lists are allowed only after IN and BETWEEN"
      )
    case .constant, .not, .all, .any, .comparison, .membership, .between, .matches, .within,
      .quantified:
      return (.truth(try condition(syntax, context)), ColumnType(.bool))
    }
  }

  private func operand(_ path: QuerySyntax.Path, _ context: Context) throws -> (QueryOperand, ColumnType?) {
    switch path.tail {
    case .count:
      if try countsCharacters(path, context) { return (.length(.path(try value(path, context).path)), nil) }
      return (.count(try collection(path, context).collection, nil), ColumnType(.int64))
    case .length: return (.length(.path(try value(path, context).path)), ColumnType(.int64))
    case .type(let start):
      let (way, type) = try value(path, context)
      if let type, !type.isAnyValue { throw noTypeName(type, at: start) }
      return (.typeName(way), ColumnType(.string))
    case .aggregate(let aggregate, let steps, _):
      let (collection, element) = try self.collection(path, context)
      let (way, type) = try self.way(steps, from: element)
      // The sum or average of other numbers has a different type than the numbers.
      let isOfType = aggregate == .minimum || aggregate == .maximum || type?.kind == .decimal
      let result = isOfType ? type : nil
      return (.aggregate(aggregate, collection, steps.isEmpty ? nil : way), result)
    case nil:
      if case .length(let way) = try destination(path, context) {
        try checkQuantifier(of: path, context)
        return (.length(.path(way)), ColumnType(.int64))
      }
      let (way, type) = try value(path, context)
      return (.path(way), type)
    }
  }

  /// Returns the path from an element to the aggregated value.
  private func way(_ steps: [QuerySyntax.Path.Step], from element: ColumnType?) throws
    -> (QueryPath, ColumnType?)
  {
    var type = element
    var way: [QueryPath.Step] = []
    for step in steps {
      switch step {
      case .name(let name, let start):
        type = try property(name, of: type, at: start)
        way.append(.property(name))
      case .mapKey(let key, _):
        type = type?.element
        way.append(.mapKey(key))
      case .index(let place, _): way.append(.index(place))
      case .parts(let start):
        throw source.error(
          .invalidQuery,
          "A collection of collections cannot be aggregated.",
          at: start,
          expected: "one part of the value, such as [0]"
        )
      case .keys, .values: break
      }
    }
    if let last = steps.last, type?.isCollection == true {
      throw source.error(
        .invalidQuery,
        "A collection of collections cannot be aggregated.",
        at: last.start,
        expected: "a property with one value"
      )
    }
    return (QueryPath(steps: way), type)
  }

  func start(of syntax: QuerySyntax) -> Int {
    switch syntax {
    case .path(let path), .count(let path, _, _): path.start
    case .untyped(_, let start), .list(_, let start), .range(_, _, let start), .key(_, _, let start),
      .embedded(_, let start), .region(_, let start):
      start
    case .arithmetic(let left, _, _), .coalesced(let left, _): self.start(of: left)
    case .negative(let inner), .length(let inner), .lowercased(let inner), .uppercased(let inner):
      start(of: inner)
    default: 0
    }
  }
}
