/// The state of binding one condition or operand: the scopes in which names are looked up, and the paths to
/// other objects that several operands share.
final class QueryBinding {
  /// The subject of a scope: an object, or an element that is a single value.
  struct Scope {
    let table: Table?
    let type: ColumnType
  }

  /// The maximum depth of nested expressions.
  static let nestingLimit = 400

  let binder: QueryBinder
  var scopes: [Scope]
  var sources: [SourceName: FollowSource] = [:]
  private var nesting = 0

  /// Identifies a path from the object of a scope to another object.
  struct SourceName: Hashable {
    /// The scope that contains the path, and from whose rows the path is followed.
    let from: Int
    /// The scope in which the path begins.
    let depth: Int
    let steps: [QueryPath.Step]
  }

  init(_ binder: QueryBinder) {
    self.binder = binder
    scopes = [Scope(table: binder.table, type: ColumnType(.link, target: binder.table.name))]
  }

  /// The depth of the innermost scope.
  var depth: Int { scopes.count - 1 }

  /// Calls `body` one nesting level deeper.
  func nested<Value>(_ body: () throws -> Value) throws -> Value {
    guard nesting < Self.nestingLimit else {
      throw binder.invalid("The query is nested too deeply.", details: ["the limit: \(Self.nestingLimit)"])
    }
    nesting += 1
    defer { nesting -= 1 }
    return try body()
  }

  // MARK: Conditions

  func condition(_ condition: QueryCondition, isNegated: Bool = false) throws -> RowCondition {
    try nested {
      switch condition {
      case .constant(let value): return ConstantCondition(value != isNegated)
      case .not(let condition): return try self.condition(condition, isNegated: !isNegated)
      case .all(let conditions):
        return JunctionCondition.make(
          isAll: !isNegated,
          try conditions.map { try self.condition($0, isNegated: isNegated) }
        )
      case .any(let conditions):
        return JunctionCondition.make(
          isAll: isNegated,
          try conditions.map { try self.condition($0, isNegated: isNegated) }
        )
      case .comparison(let first, let comparison, let second, let options):
        return opposite(try self.comparison(first, comparison, second, options), isNegated)
      case .oneOf(let operand, let values, let options):
        return opposite(try oneOf(operand, values, options), isNegated)
      case .quantified(let quantifier, let collection, let condition):
        return opposite(try quantified(quantifier, collection, condition), isNegated)
      case .within(let path, let region):
        return opposite(try within(path, region), isNegated)
      case .matches(let path, let text):
        return opposite(try matches(path, text), isNegated)
      }
    }
  }

  private func opposite(_ condition: RowCondition, _ isNegated: Bool) -> RowCondition {
    isNegated ? OppositeCondition.make(condition) : condition
  }
}
