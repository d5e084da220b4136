import Fief

/// Evaluates an expression for one place.
///
/// Each part of the expression costs a step, and so does each KiB of a text that is read or made. An evaluation
/// that takes more than ``mostSteps`` fails, so it takes a bounded time and a bounded memory.
struct RuleEvaluator {
  /// The maximum number of steps of a rule.
  static let mostSteps = 100_000

  let operation: RuleOperation
  let place: RulePlace
  private var steps = 0

  init(_ operation: RuleOperation, _ place: RulePlace) {
    self.operation = operation
    self.place = place
  }

  /// - Throws: ``RuleFailure``, or an error of the data.
  mutating func spend(_ steps: Int = 1) throws {
    self.steps += steps
    if self.steps > Self.mostSteps { throw RuleFailure("The rule takes more than \(Self.mostSteps) steps.") }
  }

  /// Returns the result of a rule.
  mutating func result(_ expression: RuleExpression) throws -> Bool {
    try bool(expression, "The rule is neither true nor false.")
  }

  func bool(_ value: RuleValue, _ reason: String) throws(RuleFailure) -> Bool {
    guard case .bool(let value) = value else { throw RuleFailure(reason) }
    return value
  }

  private mutating func bool(_ expression: RuleExpression, _ reason: String) throws -> Bool {
    try bool(try value(expression), reason)
  }

  mutating func text(_ expression: RuleExpression) throws -> String {
    guard case .string(let text) = try value(expression) else { throw RuleFailure("A value is no text.") }
    return text
  }

  mutating func value(_ expression: RuleExpression) throws -> RuleValue {
    try spend()
    switch expression {
    case .literal(let value): return value
    case .wildcard(let level):
      guard level < place.names.count else { throw RuleFailure("A name of the path is missing.") }
      return .string(place.names[level])
    case .now: return .int(operation.now)
    case .identity(let member): return identity(member)
    case .query(let member): return operation.query?.value(of: member) ?? .null
    case .member(let object, let name): return try self.member(name, of: try value(object))
    case .not(let operand): return .bool(!(try bool(operand, "'!' needs true or false.")))
    case .negative(let operand): return try value(operand).negated()
    case .and(let operands):
      for operand in operands where !(try bool(operand, "'&&' needs true or false.")) { return .bool(false) }
      return .bool(true)
    case .or(let operands):
      for operand in operands where try bool(operand, "'||' needs true or false.") { return .bool(true) }
      return .bool(false)
    case .chain(let first, let operands):
      var result = try value(first)
      for operand in operands { result = try combine(result, operand.operation, try value(operand.value)) }
      return result
    case .conditional(let cases, let otherwise):
      for choice in cases where try bool(choice.condition, "A condition is neither true nor false.") {
        return try value(choice.value)
      }
      return try value(otherwise)
    case .data(let data, let method): return try call(method, on: try find(data))
    case .text(let text, let method): return try call(method, on: try self.text(text))
    }
  }

  private func identity(_ member: RuleExpression.IdentityMember) -> RuleValue {
    switch member {
    case .whole: operation.identity == nil ? .null : .object([:])
    case .uid: operation.identity.map { .string($0.uid) } ?? .null
    case .provider: operation.identity?.provider.map { .string($0) } ?? .null
    case .token: operation.identity?.token ?? .null
    }
  }

  /// Returns a member of a claim, or ``RuleValue/null`` if there is no such member.
  private mutating func member(_ name: String, of value: RuleValue) throws -> RuleValue {
    switch value {
    case .object(let members): return members[ExactText(name)] ?? .null
    case .null where name != "length": return .null
    case .string(let text) where name == "length":
      try spend(value.steps)
      return .int(Int64(text.utf16.count))
    default: throw RuleFailure("A value has no such member.")
    }
  }

  private mutating func combine(
    _ first: RuleValue,
    _ operation: RuleExpression.Operator,
    _ second: RuleValue
  ) throws -> RuleValue {
    if first.steps > 0 || second.steps > 0 {
      try spend(operation == .add ? first.steps + second.steps : min(first.steps, second.steps))
    }
    switch operation {
    case .add: return try first.adding(second)
    case .subtract: return try first.subtracting(second)
    case .multiply: return try first.multiplied(by: second)
    case .divide: return try first.divided(by: second)
    case .remainder: return try first.remainder(dividingBy: second)
    case .equal: return .bool(try first.equals(second))
    case .notEqual: return .bool(!(try first.equals(second)))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let order = first.compare(second) else {
        throw RuleFailure("A comparison needs two numbers or two texts.")
      }
      switch operation {
      case .less: return .bool(order < 0)
      case .lessOrEqual: return .bool(order <= 0)
      case .greater: return .bool(order > 0)
      default: return .bool(order >= 0)
      }
    }
  }
}
