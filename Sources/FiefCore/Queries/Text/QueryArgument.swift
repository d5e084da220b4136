import Foundation

/// The argument for `%@`, `$0` or `%K` in the text of a query.
package enum QueryArgument: Sendable, Hashable {
  case value(QueryValue)
  /// Several values, for `IN` and `BETWEEN`.
  case list([QueryArgument])
  /// All values from one to another, both of them included.
  case range(QueryValue, QueryValue)
  /// The content of an embedded object, to be compared with another one.
  case embedded(QueryEmbedded)
  /// A part of the earth.
  case region(GeoRegion)
  /// A text typed by a user: its kind depends on the property that it is compared with.
  case untyped(String)

  /// The argument for a value of an application.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a value that no property can have.
  package init(_ value: Any) throws {
    if let value = value as? QueryArgument {
      self = value
    } else if let value = value as? Int {
      // Lists of keys are long.
      self = .value(.integer(Int64(value)))
    } else if let value = value as? String {
      self = .value(.string(value))
    } else if let object = QueryEmbedded.object(in: value) {
      self = .embedded(try QueryEmbedded(object))
    } else if let shape = value as? any GeoShape {
      self = .region(shape.region)
    } else if let bounds = Self.bounds(of: value) {
      self = .range(try QueryValue(bounds.lower), try QueryValue(bounds.upper))
    } else if value is any RangeExpression {
      throw FiefError(
        .invalidQuery,
        "A range has to have both ends and to include them.",
        details: ["found: \(Swift.type(of: value))", "expected: a range such as 1...5"]
      )
    } else if let keys = value as? any QueryableKeys {
      self = .list(try keys.keysInQueries().map { .value($0) })
    } else if let list = Self.elements(of: value) {
      self = .list(try list.map { try QueryArgument($0) })
    } else {
      self = .value(try QueryValue(value))
    }
  }

  private static func bounds(of value: Any) -> (lower: Any, upper: Any)? {
    (value as? any ClosedBounds)?.bounds
  }

  /// The elements of a collection; nil for single values, some of which are sequences too.
  private static func elements(of value: Any) -> [Any]? {
    // An empty array of anything can be cast to one of bytes.
    if exactly([UInt8].self, value) != nil { return nil }
    switch value {
    case is String, is Substring, is Data: return nil
    case let value as [Any]: return value
    case let value as any Sequence:
      var elements: [Any] = []
      for element in value { elements.append(element) }
      return elements
    default: return nil
    }
  }

  /// The name of the argument's kind in errors.
  var kind: String {
    switch self {
    case .value(let value): value.kindName
    case .list: "a list"
    case .range: "a range"
    case .embedded: "an embedded object"
    case .region: "a region"
    case .untyped: "a text"
    }
  }
}

/// A collection that gives the keys of its objects without the objects.
protocol QueryableKeys {
  /// The keys as they are now, as values of queries.
  func keysInQueries() throws -> [QueryValue]
}

private protocol ClosedBounds {
  var bounds: (lower: Any, upper: Any) { get }
}

extension ClosedRange: ClosedBounds {
  fileprivate var bounds: (lower: Any, upper: Any) { (lowerBound, upperBound) }
}

extension QueryValue {
  /// The name of the value's kind in errors.
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
    case .nested: "a list or a dictionary"
    case .object: "an object"
    }
  }
}
