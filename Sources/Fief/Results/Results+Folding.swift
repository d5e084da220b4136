import Foundation
import LMDB

extension Results {
  func sum<Value: AggregatableNumber>(of values: AggregatedValues) throws -> Value {
    let fold = try fold(.sum, of: values)
    do { return try fold.sum(as: Value._columnType.kind).read(as: Value.self) } catch var error as FiefError {
      error.store = context.store?.name
      error.type = Element.className()
      error.property = values.text
      throw error
    }
  }

  func average(of values: AggregatedValues) throws -> Double? {
    let fold = try fold(.average, of: values)
    do { return try fold.numberAverage() } catch var error as FiefError {
      error.store = context.store?.name
      error.type = Element.className()
      error.property = values.text
      throw error
    }
  }

  func averageDecimal(of values: AggregatedValues) throws -> Decimal? {
    let fold = try fold(.average, of: values)
    do { return try fold.decimalAverage() } catch var error as FiefError {
      error.store = context.store?.name
      error.type = Element.className()
      error.property = values.text
      throw error
    }
  }

  func averageDate(of values: AggregatedValues) throws -> Date? { try fold(.average, of: values).averageDate }

  func count(of values: AggregatedValues) throws -> Int { try fold(.count, of: values).count }

  func extreme<Value: Persistable>(of values: AggregatedValues, _ aggregate: RowAggregate) throws -> Value? {
    let value =
      if let path = try plainPath(of: values) {
        try extremeValue(of: path, aggregate)
      } else {
        try fold(aggregate, of: values).extreme
      }
    return try value?.read(as: Value.self)
  }

  /// The path to one value of each object, which an index may have; nil for all other values.
  private func plainPath(of values: AggregatedValues) throws -> QueryPath? {
    if let failure { throw failure }
    guard let store = context.store else {
      throw FiefError(.storeClosed, "The store is closed.", type: Element.className())
    }
    let binder = QueryBinder(
      tables: store.tables,
      table: try store.binding(of: elementType).table,
      names: store.queryNames
    )
    let parts = try binder.parts(of: values)
    guard parts.collections.isEmpty, case .path(let path) = parts.operand else { return nil }
    return path
  }

  /// The first value in the order of the property, which an index may give without reading more; where the
  /// results are only some of the objects for which the condition holds, each of them is read.
  private func extremeValue(of path: QueryPath, _ aggregate: RowAggregate) throws -> QueryValue? {
    guard description.isWhole else { return try fold(aggregate, of: AggregatedValues(path)).extreme }
    let known = try withIndexValues(of: path, for: aggregate) { values, running in
      try values.extreme(isLeast: aggregate == .minimum, in: running.environment)
    }
    if let known = known ?? nil { return known == .null ? nil : known }
    var description = description
    description.condition = .both(
      description.condition,
      .comparison(.path(path), .notEqual, .value(.null))
    )
    description.order = [QueryOrder(.path(path), ascending: aggregate == .minimum)]
    description.limit = .first(1)
    var isKnown = true
    var value: QueryValue?
    try withQuery(description) { query, running in
      let operand = query.order.parts[0].operand
      switch operand.kind {
      case .bool?, .data?, .any?, nil: throw running.binder.notAggregated(path.text)
      // Values of these kinds can be NaN, which the order puts at an end.
      case .float?, .double?, .decimal?, .date?: isKnown = query.access.isOrdered
      default: break
      }
      guard isKnown else { return }
      let stream = RowStream(query)
      defer { running.note(visited: stream.visited) }
      try stream.read(in: running.environment) { row in
        value = try operand.value(of: row, in: running.environment)
        return false
      }
      switch value {
      case .double(let number)?, .date(let number)?: isKnown = !number.isNaN
      case .decimal(let number)?: isKnown = !number.isNaN
      default: break
      }
    }
    return isKnown ? value : try fold(aggregate, of: AggregatedValues(path)).extreme
  }

  private func fold(_ aggregate: RowAggregate, of values: AggregatedValues) throws -> RowFold {
    if aggregate == .sum || aggregate == .average, let path = try plainPath(of: values) {
      let known = try withIndexValues(of: path, for: aggregate) { values, running in
        var fold = RowFold(aggregate, kind: values.operand.kind)
        running.note(visited: try values.add(to: &fold, in: running.environment))
        return fold
      }
      if let known { return known }
    }
    var description = description
    if description.isWhole { description.order = [] }
    return try withQuery(description, for: description.isWhole ? .anyOrder : .rows) { query, running in
      let environment = running.environment
      let bound = try BoundValues(values, for: aggregate, running.binder)
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
}

extension Results {
  /// Calls `body` with the index that answers an aggregate; nil where records have to be read for it.
  private func withIndexValues<Value>(
    of path: QueryPath,
    for aggregate: RowAggregate,
    _ body: (IndexValues, QueryRunning) throws -> Value
  ) throws -> Value? {
    guard description.isWhole else { return nil }
    return try withTransaction { store, transaction, scope in
      let running = try QueryRunning(elementType, store, transaction, scope, context)
      try running.check(description, besides: QueryDescription())
      let planner = QueryPlanner(binder: running.binder, transaction: transaction)
      guard let values = try planner.values(of: path, for: aggregate, description) else { return nil }
      running.notePass()
      return try body(values, running)
    }
  }
}

extension PreparedQuery {
  /// Calls `body` with each row of the results; where they are all for which the condition holds, as they come.
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
      defer { running.note(visited: stream.visited) }
      try stream.read(in: running.environment) { row in
        try body(row)
        return true
      }
    }
  }
}

extension Results {
  /// The sum of integers: this loop runs for each record of a type.
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

extension QueryDescription {
  /// Whether all objects are meant for which the condition holds.
  var isWhole: Bool { distinct.isEmpty && start == nil && end == nil && offset == 0 && limit == nil }
}

extension QueryBinder {
  /// - Throws: ``FiefError`` of code `invalidQuery` where the operand has no such aggregate.
  func check(_ operand: RowOperand, _ aggregate: RowAggregate, _ text: String?) throws {
    switch (aggregate, operand.kind) {
    case (.count, _): return
    case (.average, .date?): return
    case (.sum, let kind?), (.average, let kind?):
      if kind.isInteger || kind == .float || kind == .double || kind == .decimal { return }
    case (.minimum, let kind?), (.maximum, let kind?):
      switch kind {
      case .bool, .data, .any, .link, .embedded, .linkingObjects: break
      default: return
      }
    default: break
    }
    throw notAggregated(text)
  }

  func notAggregated(_ text: String?) -> FiefError {
    invalid("The property's type has no such aggregate.", property: text)
  }
}
