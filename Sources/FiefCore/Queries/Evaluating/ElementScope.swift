/// Iterates over the elements of a collection as rows of a separate scope.
///
/// If an element is an object, it becomes the row on which conditions are evaluated; a link without an object
/// is skipped. If an element is a single value, it becomes the frame's element, and the row stays the
/// collection's row.
final class ElementScope {
  let collection: RowCollection
  /// The depth of the elements' scope.
  private let depth: Int
  private let source: FollowSource?

  init(_ collection: RowCollection, depth: Int) {
    self.collection = collection
    self.depth = depth
    source = collection.table.map { FollowSource(ElementOperand(depth, collection.type), $0) }
  }

  var cost: Int { collection.cost + (source?.cost ?? 0) * 4 }

  /// Returns the number of elements that are not nil, without following links.
  func count(_ row: QueryRow, in environment: QueryEnvironment) throws -> Int {
    environment.frame(depth - 1).pointee.row = row
    if !collection.hasNil { return try collection.count(row, in: environment) }
    var count = 0
    try collection.forEach(row, in: environment) { element in
      if !element.isNull { count += 1 }
      return true
    }
    return count
  }

  /// Calls `body` with the row for each element until `body` returns false.
  func forEach(
    _ row: QueryRow,
    in environment: QueryEnvironment,
    _ body: (QueryRow) throws -> Bool
  ) throws {
    let frame = environment.frame(depth)
    environment.frame(depth - 1).pointee.row = row
    try collection.forEach(row, in: environment) { element in
      frame.pointee.element = element
      guard let source else { return try body(row) }
      guard let target = try source.row(from: row, in: environment) else { return true }
      frame.pointee.row = target
      return try body(target)
    }
  }
}

/// A condition on the elements of a collection, quantified by any, all or none.
final class QuantifiedCondition: RowCondition {
  private let quantifier: QueryQuantifier
  private let scope: ElementScope
  private let condition: RowCondition

  init(_ quantifier: QueryQuantifier, _ scope: ElementScope, _ condition: RowCondition) {
    self.quantifier = quantifier
    self.scope = scope
    self.condition = condition
  }

  override var cost: Int { scope.cost + condition.cost * 4 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    // The first element that meets the condition decides the result. For `all`, the first element that does
    // not meet it decides.
    let deciding = quantifier != .all
    var isDecided = false
    try scope.forEach(row, in: environment) { element in
      isDecided = try condition.holds(element, in: environment) == deciding
      return !isDecided
    }
    return quantifier == .any ? isDecided : !isDecided
  }
}

/// The number of a collection's elements, or of the elements that meet a condition.
final class CountOperand: RowOperand {
  private let scope: ElementScope
  private let condition: RowCondition?

  init(_ scope: ElementScope, _ condition: RowCondition?) {
    self.scope = scope
    self.condition = condition
    super.init(kind: .int64)
  }

  override var cost: Int { condition.map { scope.cost + $0.cost * 4 } ?? 10 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    guard let condition else { return .integer(Int128(try scope.collection.count(row, in: environment))) }
    var count = 0
    try scope.forEach(row, in: environment) { element in
      if try condition.holds(element, in: environment) { count += 1 }
      return true
    }
    return .integer(Int128(count))
  }
}

/// An aggregate of the elements, or of an operand's value for each element.
final class AggregateOperand: RowOperand {
  private let aggregate: QueryAggregate
  private let scope: ElementScope
  private let operand: RowOperand

  init(_ aggregate: QueryAggregate, _ scope: ElementScope, _ operand: RowOperand, kind: ColumnType.Kind?) {
    self.aggregate = aggregate
    self.scope = scope
    self.operand = operand
    super.init(kind: kind)
  }

  override var cost: Int { scope.cost + operand.cost * 4 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    var accumulator = RowAccumulator(aggregate)
    try scope.forEach(row, in: environment) { element in
      accumulator.add(try operand.evaluate(element, in: environment))
      return true
    }
    return accumulator.value
  }
}
