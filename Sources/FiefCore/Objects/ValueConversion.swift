import Foundation

@usableFromInline
package typealias ValueConversion = _ValueConversion

/// The conversion of values from one type to another, with the error if it is impossible.
///
/// It is used by `init(value:)`, `create(_:value:update:)` and the import of JSON documents. Conversions are
/// lossless: a number that does not fit is an error and is not rounded.
public struct _ValueConversion {
  /// The source of the values.
  package enum Source: Sendable, Equatable {
    case swift
    case json(JSONOptions)
  }

  package var source: Source = .swift
  package var store: String?
  package var type: String?
  package var property: String?
  package var key: String?
  /// The path of the value in the document.
  package var path = ValuePath.root
  /// The paths of the created objects, or `nil` if they are not needed.
  var places: ObjectPlaces?
  /// The number of objects in which the value is nested.
  package var depth = 0
  /// Copies the objects among the values, or `nil` if the objects are used without a copy.
  var copies: ValueCopies?

  package func property(_ name: String, of type: String) -> ValueConversion {
    var result = self
    result.property = name
    result.type = type
    result.path = .property(path, name)
    return result
  }

  /// Returns the value with copies in place of objects, if objects are copied.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if a deleted object is among the values.
  func copied<Value>(_ value: Value) throws -> Value {
    guard let copies else { return value }
    do { return try copies.value(value) } catch var error as FiefError where error.type == nil {
      (error.type, error.property) = (type, property)
      throw error
    }
  }

  package func element(_ index: Int) -> ValueConversion {
    var result = self
    result.path = .element(path, index)
    return result
  }

  package func element(_ key: String) -> ValueConversion {
    var result = self
    result.path = .key(path, key)
    return result
  }

  package var embeddedTooDeeply: FiefError {
    error(
      .invalidValue,
      "Embedded objects are nested too deeply.",
      details: ["the limit: \(EncodedGraph.deepestEmbedding)"]
    )
  }

  /// The error for two texts that are equal as elements of a Swift set or dictionary.
  package var heldEqual: FiefError {
    error(
      .invalidValue,
      "Two strings are equal in Swift but different in a store: their normalization differs."
    )
  }

  package func error(_ code: FiefError.Code, _ message: String, details: [String] = []) -> FiefError {
    FiefError(
      code,
      message,
      store: store,
      type: type,
      property: property,
      key: key,
      path: path.description,
      details: details
    )
  }

  /// Returns the error for a value that cannot be converted to the property's type.
  package func wrongType(_ value: Any, expected: String) -> FiefError {
    if Self.isNil(value) {
      return error(
        .missingValue,
        "The value is required and cannot be nil.",
        details: ["expected: \(expectation(expected))"]
      )
    }
    return error(
      .invalidValue,
      "The value does not fit the property.",
      details: ["expected: \(expectation(expected))", "found: \(summary(of: value))"]
    )
  }

  package func outOfRange(_ value: Any, expected: String) -> FiefError {
    error(
      .invalidValue,
      "The number is out of range.",
      details: ["expected: \(expectation(expected))", "found: \(summary(of: value))"]
    )
  }

  /// Returns the summary of a found value in the terms of the source.
  private func summary(of value: Any) -> String {
    guard isJSON, !Self.isNil(value) else { return Self.summary(of: value) }
    let text = ValuePrinter.beginning(of: value)
    return Self.documentKind(of: value) + HiddenValue.text(" (\(text))", summary: Self.size(of: value))
  }

  static func summary(of value: Any) -> String {
    if isNil(value) { return "nil" }
    let kind =
      switch value {
      case is JSONNumber: "a number"
      case is JSONObject: "an object"
      default: "\(Swift.type(of: value))"
      }
    let text = ValuePrinter.beginning(of: value)
    return kind + HiddenValue.text(" (\(text))", summary: size(of: value))
  }

  /// Returns the size of a value as a phrase, such as ` of 3 elements`, without its contents.
  private static func size(of value: Any) -> String {
    switch value {
    case let text as String: " of \(HiddenValue.length(of: text))"
    case let data as Data: " of \(data.count) bytes"
    case is JSONNumber, is JSONObject: ""
    case let values as any Collection: " of \(values.count) elements"
    default: ""
    }
  }

  static func isNil(_ value: Any) -> Bool {
    if let optional = value as? any OptionalValue { return optional.isNilValue }
    return Swift.type(of: value) is AnyClass && value is NSNull
  }

  package var isJSON: Bool { source != .swift }

  package init() {}

  /// Returns the entries of a dictionary in a fixed order, or `nil` for any other value.
  package static func members(of value: Any) -> [JSONObject.Member]? {
    if let object = value as? JSONObject { return object.members }
    guard let values = value as? [String: Any] else {
      guard let entries = (value as? AnyRealmValue)?.dictionaryValue else { return nil }
      return AnyRealmValue.sorted(entries).map { JSONObject.Member(name: $0.key, value: $0.value) }
    }
    return values.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0.key, value: $0.value) }
  }
}

/// The objects that were created from values, and their positions in a document.
package final class ObjectPlaces {
  private(set) var paths: [ObjectIdentifier: ValuePath] = [:]
  /// The objects themselves, if they must be kept alive so that no other object gets the address of a
  /// released object.
  private var held: [ObjectBase]?

  init(holdingObjects: Bool = false) { held = holdingObjects ? [] : nil }

  func note(_ object: ObjectBase, at path: ValuePath) {
    paths[ObjectIdentifier(object)] = path
    held?.append(object)
  }
}

/// A type-erased optional.
package protocol OptionalValue {
  var isNilValue: Bool { get }
  /// The value of the optional, or nil.
  var containedValue: Any? { get }
}

extension Optional: OptionalValue {
  package var isNilValue: Bool {
    switch self {
    case .none: true
    case .some(let wrapped): (wrapped as? any OptionalValue)?.isNilValue ?? false
    }
  }

  package var containedValue: Any? { self }
}
