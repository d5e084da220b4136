import Fief

/// The values of a property of all elements, by its name.
enum KeyedValues {
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  static func values(_ key: String, of elements: some Sequence) throws -> [Any] {
    if key == "self" { return elements.map { $0 as Any } }
    return try elements.map { element in
      // A property that is nil, as the optional that an array of its type has.
      try object(element, key).value(ofProperty: key) as Any
    }
  }

  /// The values in the form that Realm's collections give them.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  static func shown(_ key: String, of elements: some Sequence) throws -> [Any] {
    let values = try values(key, of: elements)
    return key == "self" ? values : values.map { ObjectiveCValue.of($0) ?? $0 }
  }

  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidValue` or `missingValue`; elements before the one that it
  ///   is thrown for have the value.
  static func set(_ value: Any?, _ key: String, of elements: some Sequence) throws {
    for element in elements { try object(element, key).setValue(value, ofProperty: key) }
  }

  private static func object(_ element: Any, _ key: String) throws -> ObjectBase {
    if let object = element as? ObjectBase { return object }
    throw FiefError(.unknownProperty, "The elements are no objects; their one key is 'self'.", property: key)
  }
}

extension List {
  /// The values that a property has in each object, in their order; of any list the elements themselves for `self`.
  ///
  /// A property that does not exist has no values, which is reported to the event handler of the store.
  public func value(forKey key: String) -> [Any] { keyedValues(key, of: self) }

  /// Assigns a property of each object. A value that does not fit changes nothing, and is reported to the
  /// event handler.
  public func setValue(_ value: Any?, forKey key: String) { setKeyed(value, key, of: self) }
}

extension MutableSet {
  /// The values that a property has in each object; of any set the elements themselves for `self`.
  ///
  /// A property that does not exist has no values, which is reported to the event handler of the store.
  public func value(forKey key: String) -> [Any] { keyedValues(key, of: self) }

  /// Assigns a property of each object. A value that does not fit changes nothing, and is reported to the
  /// event handler.
  public func setValue(_ value: Any?, forKey key: String) { setKeyed(value, key, of: self) }
}

extension Map {
  /// The value for a key, as the subscript has it.
  public func value(forKey key: String) -> Value? { self[key] }

  /// Assigns the value for a key, as the subscript does.
  public func setValue(_ value: Value?, forKey key: String) { self[key] = value }
}

extension Results {
  /// The values that a property has in each object, in their order; the objects for `self`.
  ///
  /// A property that does not exist has no values, which is reported to the event handler of the store.
  public func value(forKey key: String) -> [Any] {
    do { return try KeyedValues.shown(key, of: self) } catch {
      reportFailure(error)
      return []
    }
  }

  /// Assigns a property of each object, in a write. A value that does not fit changes nothing, and is
  /// reported to the event handler.
  public func setValue(_ value: Any?, forKey key: String) {
    do {
      try checkWrite(changing: key)
      try KeyedValues.set(value, key, of: self)
    } catch { reportFailure(error) }
  }
}

extension LinkingObjects {
  /// The values that a property has in each object; the objects for `self`.
  public func value(forKey key: String) -> [Any] { results.value(forKey: key) }

  /// Assigns a property of each object, in a write. A value that does not fit changes nothing, and is
  /// reported to the event handler.
  public func setValue(_ value: Any?, forKey key: String) { results.setValue(value, forKey: key) }
}

extension _OwnedCollection {
  fileprivate func keyedValues(_ key: String, of elements: some Sequence) -> [Any] {
    do { return try KeyedValues.shown(key, of: elements) } catch {
      reportFailure(error)
      return []
    }
  }

  fileprivate func setKeyed(_ value: Any?, _ key: String, of elements: some Sequence) {
    do { try KeyedValues.set(value, key, of: elements) } catch { reportFailure(error) }
  }
}
