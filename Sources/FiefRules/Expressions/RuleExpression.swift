/// A compiled expression.
///
/// Operators of one precedence form a chain, so that the depth of an expression is the depth of its
/// parentheses, and not the number of its operators.
indirect enum RuleExpression: Sendable {
  case literal(RuleValue)
  /// The name at a level of the rule's path: `$name`.
  case wildcard(level: Int)
  case now
  case identity(IdentityMember)
  case query(RuleQuery.Member)
  /// A member of a claim, or the length of a text.
  case member(RuleExpression, String)
  case not(RuleExpression)
  case negative(RuleExpression)
  case and([RuleExpression])
  case or([RuleExpression])
  /// Operands that are combined from left to right.
  case chain(RuleExpression, [Operand])
  /// Values with their conditions, and the value if no condition is true.
  case conditional([Case], RuleExpression)
  case data(DataExpression, DataMethod)
  case text(RuleExpression, TextMethod)

  struct Operand: Sendable {
    let operation: Operator
    let value: RuleExpression
  }

  struct Case: Sendable {
    let condition: RuleExpression
    let value: RuleExpression
  }

  enum Operator: Sendable {
    case add, subtract, multiply, divide, remainder
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  enum IdentityMember: Sendable {
    case whole, uid, provider, token
  }

  /// A place: a variable, and the way from it.
  struct DataExpression: Sendable {
    enum Variable: Sendable {
      case root, data, newData
    }

    enum Step: Sendable {
      case parent
      case child(PathExpression)
    }

    let variable: Variable
    var steps: [Step] = []
  }

  /// A path below a place.
  enum PathExpression: Sendable {
    case names([String])
    case text(RuleExpression)

    /// Creates a path, whose text is divided into names once if it is known.
    init(_ expression: RuleExpression) {
      guard case .literal(.string(let path)) = expression, let names = PlaceName.names(ofPath: path) else {
        self = .text(Self.withoutFirstSlash(expression))
        return
      }
      self = .names(names)
    }

    /// Removes the slash at the start of a path if a literal contains it. A slash at the start of another value
    /// stays, so that evaluation refuses the path: the value may come from a client.
    private static func withoutFirstSlash(_ path: RuleExpression) -> RuleExpression {
      switch path {
      case .literal(.string(let text)):
        .literal(.string(String(decoding: text.utf8.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)))
      case .chain(let first, let operands): .chain(withoutFirstSlash(first), operands)
      default: path
      }
    }
  }

  enum DataMethod: Sendable {
    case value, exists, isString, isNumber, isBoolean, priority
    case hasChild(PathExpression)
    /// With an empty list, whether there are any children.
    case hasChildren([PathExpression])
  }

  enum TextMethod: Sendable {
    case contains(RuleExpression)
    case beginsWith(RuleExpression)
    case endsWith(RuleExpression)
    case replace(RuleExpression, RuleExpression)
    case toLowerCase, toUpperCase
    case matches(RuleMatcher)
  }
}

/// The types that an expression may have.
struct RuleType: OptionSet, Sendable {
  let rawValue: UInt8

  static let bool = RuleType(rawValue: 1)
  static let number = RuleType(rawValue: 2)
  static let text = RuleType(rawValue: 4)
  static let null = RuleType(rawValue: 8)
  static let object = RuleType(rawValue: 16)
  static let any: RuleType = [.bool, .number, .text, .null, .object]
}
