import Foundation

/// The name inside of the package.
@usableFromInline
package typealias ValueConversion = _ValueConversion

/// The conversion of values of one type to another, with the error where it is impossible.
///
/// Used by `init(value:)`, by `create(_:value:update:)` and by the import of JSON documents. Conversions
/// never lose anything: a number that does not fit is an error, not the nearest one.
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
  /// The paths of the objects that are made; nil where they are of no use.
  var places: ObjectPlaces?
  /// The number of objects around the value.
  package var depth = 0
  /// Copies the objects among the values; nil where they are taken as they are.
  var copies: ValueCopies?

  package func property(_ name: String, of type: String) -> ValueConversion {
    var result = self
    result.property = name
    result.type = type
    result.path = .property(path, name)
    return result
  }

  /// The value with copies in the place of objects, if objects are copied.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if an object that was deleted is among the values.
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
      "Embedded objects are inside of each other too deeply.",
      details: ["the limit: \(EncodedGraph.deepestEmbedding)"]
    )
  }

  /// The error for texts that a set or a dictionary of Swift's cannot have both.
  package var heldEqual: FiefError {
    error(
      .invalidValue,
      "Swift holds two texts equal that a store keeps apart: they differ in their normalization."
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

  /// The error for a value that cannot become one of the property's type.
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

  /// A value that was found, in the words of the source.
  private func summary(of value: Any) -> String {
    guard isJSON, !Self.isNil(value) else { return Self.summary(of: value) }
    let text = PrintedValue.beginning(of: value)
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
    let text = PrintedValue.beginning(of: value)
    return kind + HiddenValue.text(" (\(text))", summary: size(of: value))
  }

  /// The size of a value in words, without the value.
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

  /// The entries of a dictionary by name, in a fixed order; nil for anything else.
  package static func members(of value: Any) -> [JSONObject.Member]? {
    if let object = value as? JSONObject { return object.members }
    guard let values = value as? [String: Any] else {
      guard let entries = (value as? AnyRealmValue)?.dictionaryValue else { return nil }
      return AnyRealmValue.sorted(entries).map { JSONObject.Member(name: $0.key, value: $0.value) }
    }
    return values.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0.key, value: $0.value) }
  }
}

/// The objects that were made from values, and where in a document each was made.
package final class ObjectPlaces {
  private(set) var paths: [ObjectIdentifier: ValuePath] = [:]
  /// The objects themselves, where others may get the address of one that is not used.
  private var held: [ObjectBase]?

  init(holdingObjects: Bool = false) { held = holdingObjects ? [] : nil }

  func note(_ object: ObjectBase, at path: ValuePath) {
    paths[ObjectIdentifier(object)] = path
    held?.append(object)
  }
}

/// An optional behind `Any`, with its content.
package protocol OptionalValue {
  var isNilValue: Bool { get }
  /// The value in the optional; nil for nil.
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
