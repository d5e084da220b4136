import Fief
import Foundation

/// Reads and assigns a property of all elements by the property's name.
enum KeyedValues {
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  static func values(_ key: String, of elements: some Sequence) throws -> [Any] {
    if key == "self" { return elements.map { $0 as Any } }
    return try elements.map { element in
      // A property that is `nil` becomes an optional, as in an array of its type.
      try object(element, key).value(ofProperty: key) as Any
    }
  }

  /// Returns the values in the form in which Realm's collections return them.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  static func shown(_ key: String, of elements: some Sequence) throws -> [Any] {
    let values = try values(key, of: elements)
    return key == "self" ? values : values.map { ObjectiveCValue.of($0) ?? $0 }
  }

  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidValue` or `missingValue`. The elements before
  ///   the failure then have the new value.
  static func set(_ value: Any?, _ key: String, of elements: some Sequence) throws {
    for element in elements { try object(element, key).setValue(value, ofProperty: key) }
  }

  private static func object(_ element: Any, _ key: String) throws -> ObjectBase {
    if let object = element as? ObjectBase { return object }
    throw FiefError(
      .unknownProperty,
      "The elements are not objects, so their only key is 'self'.",
      property: key
    )
  }
}

extension RealmCollection {
  /// Returns the values of a property of each object, in the order of the objects. For `self` it returns the
  /// elements.
  ///
  /// If the property does not exist, the result is empty and the event handler of the store receives an
  /// error.
  public func value(forKey key: String) -> [Any] {
    do { return try KeyedValues.shown(key, of: self) } catch {
      hiddenCollection.report(error)
      return []
    }
  }

  /// Returns the values that a property has in each object, as objects: `NSNull` for nil.
  ///
  /// `value(forKey:)` has this type if the context asks for it. Cast the result with `as? [String]`.
  @_disfavoredOverload
  public func value(forKey key: String) -> [AnyObject] {
    let values: [Any] = value(forKey: key)
    return values.map {
      ObjectiveCValue.of(($0 as? any AnyOptional)?.anyWrapped ?? $0) as AnyObject? ?? NSNull()
    }
  }

  /// Assigns a value to a property of each object. For results and inverses this is possible only in a write.
  ///
  /// A value that does not fit changes nothing, and is reported to the event handler.
  public func setValue(_ value: Any?, forKey key: String) {
    do {
      try checkWrite(changing: key)
      try KeyedValues.set(value, key, of: self)
    } catch { hiddenCollection.report(error) }
  }

  private func checkWrite(changing property: String) throws {
    try (self as? any HideableCollection)?.checkWrite(changing: property)
  }
}

extension Map {
  /// Returns the value for a key, like the subscript.
  public func value(forKey key: String) -> Value? { self[key] }

  /// Assigns the value for a key, like the subscript.
  public func setValue(_ value: Value?, forKey key: String) { self[key] = value }
}
