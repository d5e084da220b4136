import Foundation
import LMDB

extension Results: ObjectQuery {
  /// Returns the results with a condition, an order or a bound in addition.
  public func _shaped(_ change: _QueryChange<Element>) -> Results {
    guard case .text(let text, let arguments) = change.kind else {
      return describing { try change.apply(to: &$0) }
    }
    do {
      let added = try parsed(text, arguments ?? [], areVariadic: arguments != nil)
      return describing { $0.add(added) }
    } catch { return failing(FiefError.ofQuery(error)) }
  }

  /// Computes an aggregate.
  public func _aggregate(_ request: _AggregateRequest<Element>) -> _AggregateOutcome {
    _AggregateOutcome(context, elementType) {
      let values = try request.values()
      switch request.aggregate {
      case .minimum, .maximum: return (.stored(try extreme(of: values, request.aggregate)), values.text)
      case .count, .sum, .average: return (.fold(try fold(request.aggregate, of: values)), values.text)
      }
    }
  }

  func count(of values: AggregatedValues) throws -> Int { try fold(.count, of: values).count }

  private func extreme(of values: AggregatedValues, _ aggregate: RowAggregate) throws -> QueryValue? {
    try withRunning { running in
      let parts = try running.binder.parts(of: values)
      try checkOrder(running)
      guard let path = Self.plainPath(parts) else {
        return try fold(aggregate, parts, values.text, running).extreme
      }
      if description.isWhole, let value = try extremeValue(of: path, aggregate, running) {
        return value == .null ? nil : value
      }
      return try fold(aggregate, parts, path.text, running).extreme
    }
  }

  /// Returns the path to a value that each object has once and that may be in an index; `nil` for all other
  /// values.
  private static func plainPath(_ parts: AggregatedParts) -> QueryPath? {
    guard parts.collections.isEmpty, case .path(let path) = parts.operand else { return nil }
    return path
  }

  /// Checks the order of the results, which the aggregate ignores, so that an invalid order is an error.
  private func checkOrder(_ running: QueryRunning) throws {
    if description.isWhole { try running.check(description, besides: QueryDescription()) }
  }

  /// Returns the first value in the order of the property, which an index may provide without reading
  /// records.
  ///
  /// - Returns: `QueryValue.null` if no object has a value, or `nil` if every object must be read.
  private func extremeValue(of path: QueryPath, _ aggregate: RowAggregate, _ running: QueryRunning) throws
    -> QueryValue?
  {
    let planner = QueryPlanner(binder: running.binder, transaction: running.environment.transaction)
    if let values = try planner.values(of: path, for: aggregate, description).values,
      let value = try values.extreme(isLeast: aggregate == .minimum, in: running.environment)
    {
      return value
    }
    var description = description
    description.condition = .both(
      description.condition,
      .comparison(.path(path), .notEqual, .value(.null))
    )
    description.order = [QueryOrder(.path(path), ascending: aggregate == .minimum)]
    description.limit = .first(1)
    let query = try running.prepare(description)
    let operand = query.order.parts[0].operand
    switch operand.kind {
    case .bool?, .data?, .any?, nil: throw running.binder.notAggregated(path.text)
    // Values of these kinds can be NaN, which is at one end of the order.
    case .float?, .double?, .decimal?, .date?: if !query.access.isOrdered { return nil }
    default: break
    }
    let stream = RowStream(query)
    defer { running.note(stream) }
    var value = QueryValue.null
    try stream.read(in: running.environment) { row in
      value = try operand.value(of: row, in: running.environment)
      return false
    }
    switch value {
    case .double(let number), .date(let number): return number.isNaN ? nil : value
    case .decimal(let number): return number.isNaN ? nil : value
    default: return value
    }
  }

  private func fold(_ aggregate: RowAggregate, of values: AggregatedValues) throws -> RowFold {
    try withRunning { running in
      let parts = try running.binder.parts(of: values)
      try checkOrder(running)
      return try fold(aggregate, parts, values.text, running)
    }
  }

  private func fold(
    _ aggregate: RowAggregate,
    _ parts: AggregatedParts,
    _ text: String?,
    _ running: QueryRunning
  ) throws -> RowFold {
    let environment = running.environment
    var description = description
    let isWhole = description.isWhole
    if isWhole { description.order = [] }
    var begun: PartialPlan?
    if isWhole, aggregate == .sum || aggregate == .average, let path = Self.plainPath(parts) {
      let planner = QueryPlanner(binder: running.binder, transaction: environment.transaction)
      let (values, plan) = try planner.values(of: path, for: aggregate, description)
      if let values {
        var fold = RowFold(aggregate, kind: values.operand.kind)
        running.note(visited: try values.add(to: &fold, in: environment))
        return fold
      }
      begun = plan
    }
    let query = try running.prepare(description, for: isWhole ? .anyOrder : .rows, begun)
    let bound =
      try begun.map { BoundValues($0.operand) } ?? BoundValues(parts, text, for: aggregate, running.binder)
    if let linked = try LinkedValues(bound, for: aggregate, environment) {
      try query.forEachRowInAnyOrder(running, linked.add)
      return try linked.finish()
    }
    var fold = RowFold(aggregate, kind: bound.operand.kind)
    if bound.scopes.isEmpty, aggregate == .sum || aggregate == .average,
      bound.operand.kind?.isInteger == true
    {
      let sum = try integerSum(of: bound.operand, query, running)
      fold.add(integers: sum.total, count: sum.count)
    } else {
      try query.forEachRowInAnyOrder(running) { try bound.add($0, to: &fold, in: environment) }
    }
    return fold
  }
}

extension PreparedQuery {
  /// Calls `body` with each row of the results. If the description has no bounds, limits or distinct, the
  /// rows come in the order of the access path.
  @inline(__always)
  func forEachRowInAnyOrder(_ running: QueryRunning, _ body: (QueryRow) throws -> Void) throws {
    if description.isWhole {
      var visited = 0
      defer { running.note(visited: visited) }
      _ = try access.forEachRow(in: running.environment) { row in
        visited &+= 1
        try body(row)
        return true
      }
    } else {
      let stream = RowStream(self)
      defer { running.note(stream) }
      try stream.read(in: running.environment) { row in
        try body(row)
        return true
      }
    }
  }
}

extension Results {
  /// Sums integers. This loop runs for each record of a type.
  private func integerSum(of operand: RowOperand, _ query: PreparedQuery, _ running: QueryRunning) throws
    -> IntegerSum
  {
    var sum = IntegerSum()
    let environment = running.environment
    if query.description.isWhole {
      var visited = 0
      let isDone = try query.access.forEachBlock(in: environment) { block in
        visited += block.count
        try operand.add(block, to: &sum, in: environment)
        return true
      }
      running.note(visited: visited)
      if isDone { return sum }
    }
    try query.forEachRowInAnyOrder(running) { row in
      if let value = try operand.integer(of: row, in: environment) { sum.add(value) }
    }
    return sum
  }
}
