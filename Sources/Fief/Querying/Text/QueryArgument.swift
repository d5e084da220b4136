import Foundation

/// What stands for `%@`, `$0` or `%K` in the text of a query.
package enum QueryArgument: Sendable, Hashable {
  case value(QueryValue)
  /// Several values, for `IN` and `BETWEEN`.
  case list([QueryArgument])
  /// A text that somebody has typed: what it is depends on the property that it is compared with.
  case untyped(String)

  /// What a value of an application stands for.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a value that no property can have.
  package init(_ value: Any) throws {
    if let value = value as? QueryArgument {
      self = value
    } else if let list = Self.elements(of: value) {
      self = .list(try list.map { try QueryArgument($0) })
    } else {
      self = .value(try QueryValue(value))
    }
  }

  /// The elements of a collection; nil for single values, some of which are sequences too.
  private static func elements(of value: Any) -> [Any]? {
    switch value {
    case is String, is Substring, is Data, is [UInt8]: return nil
    case let value as [Any]: return value
    case let value as ClosedRange<Int>: return [value.lowerBound, value.upperBound]
    case let value as ClosedRange<Double>: return [value.lowerBound, value.upperBound]
    case let value as ClosedRange<Date>: return [value.lowerBound, value.upperBound]
    case let value as any Collection:
      var elements: [Any] = []
      for element in value { elements.append(element) }
      return elements
    default: return nil
    }
  }

  /// How errors name the kind of the argument.
  var kind: String {
    switch self {
    case .value(let value): value.kindName
    case .list: "a list"
    case .untyped: "a text"
    }
  }
}

extension QueryValue {
  /// How errors name the kind of the value.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "a truth value"
    case .integer: "an integer"
    case .double: "a number"
    case .decimal: "a decimal number"
    case .string: "a text"
    case .data: "data"
    case .date: "a date"
    case .uuid: "a UUID"
    case .objectId: "an object id"
    case .object: "an object"
    }
  }
}
