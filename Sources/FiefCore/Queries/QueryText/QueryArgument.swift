import Foundation

/// An argument for `%@`, `$0` or `%K` in the text of a query.
package enum QueryArgument: Sendable, Hashable {
  case value(QueryValue)
  /// Several values, for `IN` and `BETWEEN`.
  case list([QueryArgument])
  /// All values between two bounds, inclusive.
  case range(QueryValue, QueryValue)
  /// The contents of an embedded object, to compare with another embedded object.
  case embedded(QueryEmbedded)
  /// A region of the earth.
  case region(GeoRegion)
  /// A text typed by a user. Its kind depends on the property with which it is compared.
  case untyped(String)

  /// Creates the argument for an application's value.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if no property can have such a value.
  package init(_ value: Any) throws {
    if let value = value as? QueryArgument {
      self = value
    } else if let value = value as? Int {
      // Integers are checked early because lists of keys are long.
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
        "A range must have and include both bounds.",
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

  /// Returns the elements of a collection, or `nil` for a single value, even if its type is a sequence.
  private static func elements(of value: Any) -> [Any]? {
    // The types are compared exactly, because an empty array of any type can be cast to an array of bytes.
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

  /// The name of the argument's kind, for errors.
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

/// A collection that can provide the keys of its objects without reading the objects.
protocol QueryableKeys {
  /// Returns the current keys as values for queries.
  func keysInQueries() throws -> [QueryValue]
}

private protocol ClosedBounds {
  var bounds: (lower: Any, upper: Any) { get }
}

extension ClosedRange: ClosedBounds {
  fileprivate var bounds: (lower: Any, upper: Any) { (lowerBound, upperBound) }
}

extension QueryValue {
  /// The name of the value's kind, for errors.
  var kindName: String {
    switch self {
    case .null: "nil"
    case .bool: "a Boolean"
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
