import FiefTree

/// An expression of a rule, evaluated in the plainest way: every number is a double, and every value is found by
/// walking through the data.
indirect enum PlainRule {
  enum Value: Equatable {
    case null, node
    case bool(Bool)
    case number(Double)
    case text(String)
  }

  enum Failure: Error {
    /// The rule fails.
    case failed
    /// A number is too large for an exact comparison.
    case undecided
  }

  case literal(Value)
  /// The value of a place below `data`.
  case data([String])
  case dataMethod([String], String)
  case not(PlainRule)
  case negative(PlainRule)
  case binary(String, PlainRule, PlainRule)
  case conditional(PlainRule, PlainRule, PlainRule)
  case length(PlainRule)
  case textMethod(PlainRule, String, [PlainRule])

  // MARK: Evaluating

  func value(_ data: JSON) throws -> Value {
    switch self {
    case .literal(let value): return value
    case .data(let path): return Self.value(path.reduce(data) { $0[$1] })
    case .dataMethod(let path, let method):
      let value = Self.value(path.reduce(data) { $0[$1] })
      switch (method, value) {
      case ("exists", let value): return .bool(value != .null)
      case ("isString", .text), ("isNumber", .number), ("isBoolean", .bool), ("hasChildren", .node):
        return .bool(true)
      default: return .bool(false)
      }
    case .not(let operand): return .bool(!(try operand.bool(data)))
    case .negative(let operand): return .number(-(try operand.number(data)))
    case .conditional(let condition, let yes, let no):
      return try condition.bool(data) ? yes.value(data) : no.value(data)
    case .length(let text): return .number(Double(Array(try text.text(data).utf16).count))
    case .textMethod(let receiver, let method, let arguments):
      return try Self.call(method, try receiver.text(data), try arguments.map { try $0.text(data) })
    case .binary("&&", let first, let second): return .bool(try first.bool(data) && second.bool(data))
    case .binary("||", let first, let second): return .bool(try first.bool(data) || second.bool(data))
    case .binary(let operation, let first, let second):
      return try Self.combine(operation, try first.value(data), try second.value(data))
    }
  }

  private func bool(_ data: JSON) throws -> Bool {
    guard case .bool(let value) = try value(data) else { throw Failure.failed }
    return value
  }

  private func number(_ data: JSON) throws -> Double {
    guard case .number(let value) = try value(data) else { throw Failure.failed }
    return value
  }

  private func text(_ data: JSON) throws -> String {
    guard case .text(let value) = try value(data) else { throw Failure.failed }
    return value
  }

  private static func value(_ json: JSON) -> Value {
    switch json {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .number(Double(value))
    case .double(let value): .number(value)
    case .string(let value): .text(value)
    case .array, .object: .node
    }
  }

  private static func call(_ method: String, _ text: String, _ arguments: [String]) throws -> Value {
    let bytes = Array(text.utf8)
    switch method {
    case "toUpperCase": return .text(text.uppercased())
    case "toLowerCase": return .text(text.lowercased())
    case "beginsWith": return .bool(bytes.starts(with: arguments[0].utf8))
    case "endsWith": return .bool(bytes.reversed().starts(with: arguments[0].utf8.reversed()))
    case "contains":
      return .bool((0...bytes.count).contains { bytes[$0...].starts(with: arguments[0].utf8) })
    default:
      let (old, new) = (Array(arguments[0].utf8), Array(arguments[1].utf8))
      var result: [UInt8] = []
      var index = 0
      while index < bytes.count {
        if !old.isEmpty, bytes[index...].starts(with: old) {
          result += new
          index += old.count
        } else {
          result.append(bytes[index])
          index += 1
        }
      }
      return .text(String(decoding: result, as: UTF8.self))
    }
  }

  private static func combine(_ operation: String, _ first: Value, _ second: Value) throws -> Value {
    switch (operation, first, second) {
    case ("==", .node, .node), ("!=", .node, .node): throw Failure.failed
    case ("==", .text(let first), .text(let second)): return .bool(Array(first.utf8) == Array(second.utf8))
    case ("!=", .text(let first), .text(let second)): return .bool(Array(first.utf8) != Array(second.utf8))
    case ("==", _, _): return .bool(first == second)
    case ("!=", _, _): return .bool(first != second)
    case ("+", .text(let first), .text(let second)): return .text(first + second)
    case ("+", .text(let first), .number(let second)): return .text(first + written(second))
    case ("+", .number(let first), .text(let second)): return .text(written(first) + second)
    case (_, .text(let first), .text(let second)):
      return try compare(operation, Array(first.utf8), Array(second.utf8))
    case (_, .number(let first), .number(let second)): return try calculate(operation, first, second)
    default: throw Failure.failed
    }
  }

  private static func written(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : "\(number)"
  }

  private static func compare(_ operation: String, _ first: [UInt8], _ second: [UInt8]) throws -> Value {
    let (isLess, isGreater) = (
      first.lexicographicallyPrecedes(second), second.lexicographicallyPrecedes(first)
    )
    switch operation {
    case "<": return .bool(isLess)
    case "<=": return .bool(!isGreater)
    case ">": return .bool(isGreater)
    case ">=": return .bool(!isLess)
    default: throw Failure.failed
    }
  }

  private static func calculate(_ operation: String, _ first: Double, _ second: Double) throws -> Value {
    let result: Double
    switch operation {
    case "<": return .bool(first < second)
    case "<=": return .bool(first <= second)
    case ">": return .bool(first > second)
    case ">=": return .bool(first >= second)
    case "+": result = first + second
    case "-": result = first - second
    case "*": result = first * second
    case "/", "%":
      if second == 0 { throw Failure.failed }
      result = operation == "/" ? first / second : first.truncatingRemainder(dividingBy: second)
    default: throw Failure.failed
    }
    if abs(result) > Double(1 << 50) { throw Failure.undecided }
    return .number(result)
  }
}

extension PlainRule {
  /// The strength with which operators bind.
  private var strength: Int {
    switch self {
    case .conditional: 0
    case .binary(let operation, _, _):
      switch operation {
      case "||": 1
      case "&&": 2
      case "==", "!=": 3
      case "<", "<=", ">", ">=": 4
      case "+", "-": 5
      default: 6
      }
    case .not, .negative: 7
    default: 8
    }
  }

  /// The text of the expression, with as few parentheses as possible.
  var text: String {
    switch self {
    case .literal(.null): "null"
    case .literal(.bool(let value)): "\(value)"
    case .literal(.number(let value)): value == value.rounded() ? String(Int(value)) : "\(value)"
    case .literal(.text(let value)): JSON.string(value).text()
    case .literal(.node): "data.val()"
    case .data(let path): "data.child('\(path.joined(separator: "/"))').val()"
    case .dataMethod(let path, let method): "data" + path.map { ".child('\($0)')" }.joined() + ".\(method)()"
    case .not(let operand): "!" + operand.text(above: 7)
    // Two signs after one another would be one sign of another language.
    case .negative(let operand): "- " + operand.text(above: 7)
    case .binary(let operation, let first, let second):
      first.text(above: strength) + " \(operation) " + second.text(above: strength + 1)
    case .conditional(let condition, let yes, let no):
      condition.text(above: 1) + " ? " + yes.text + " : " + no.text
    case .length(let text): text.text(above: 8) + ".length"
    case .textMethod(let receiver, let method, let arguments):
      receiver.text(above: 8) + ".\(method)(" + arguments.map(\.text).joined(separator: ", ") + ")"
    }
  }

  private func text(above least: Int) -> String { strength < least ? "(" + text + ")" : text }
}
