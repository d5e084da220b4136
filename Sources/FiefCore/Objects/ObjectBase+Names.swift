/// Access to properties by name.
extension ObjectBase {
  /// The value of a property, by its name, as in Realm.
  ///
  /// Reading returns `nil` if the property is nil or does not exist. Assigning an unsuitable value changes
  /// nothing. An unknown name or an unsuitable value is reported as an event (``StoreEvent/misuse(_:)``) if
  /// the object has a store, and printed to standard error otherwise. ``value(ofProperty:)`` and
  /// ``setValue(_:ofProperty:)`` throw errors instead.
  ///
  /// In a file that imports `FiefRealm`, this module's subscript is used, which returns values of Realm's
  /// types.
  @_disfavoredOverload
  public subscript(name: String) -> Any? {
    get {
      do { return try value(ofProperty: name) } catch {
        reportMisuse(error)
        return nil
      }
    }
    set {
      do { try setValue(newValue, ofProperty: name) } catch { reportMisuse(error) }
    }
  }

  /// Returns the value of a property, or `nil` if the value is nil. The property is found by its own name or
  /// its column's name.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty`.
  public func value(ofProperty name: String) throws -> Any? {
    let descriptor = descriptor
    guard let property = descriptor.property(named: name) ?? descriptor.assignable(name) else {
      throw ValueConversion().unknownProperty(name, of: descriptor)
    }
    willBeRead()
    let value: Any = value(of: property)
    if let inverse = value as? any LinkingObjectsValue { return inverse.inverse(of: self, property) }
    return ValueConversion.isNil(value) ? nil : value
  }

  /// Assigns a value to a property, which is found by its own name or its column's name. In a write of the
  /// object's store, this changes the stored object.
  ///
  /// - Parameters:
  ///   - value: a value that ``init(validating:)`` accepts for the property, or `nil` for an optional
  ///   property.
  ///   - name: the name of the property or its column.
  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidValue` or `missingValue`. The property is
  ///   then unchanged.
  public func setValue(_ value: Any?, ofProperty name: String) throws {
    let descriptor = descriptor
    guard let property = descriptor.assignable(name) else {
      throw ValueConversion().unknownProperty(name, of: descriptor)
    }
    let place = ValueConversion().property(property.name, of: descriptor.name)
    do {
      setValue(try property.field.convert(value ?? Optional<Any>.none as Any, place), of: property)
    } catch {
      let key = descriptor.primaryKey.map { descriptor.properties[$0] }
      throw named(error, of: property, in: key.map { .init(name: $0.name, value: self.value(of: $0)) })
    }
  }

  package func reportMisuse(_ error: any Error) {
    let error =
      error as? FiefError ?? FiefError(.invalidValue, "The value could not be used.", underlying: error)
    if _origin?.host.reportMisuse(error) != true { Misuse.report(error) }
  }
}
