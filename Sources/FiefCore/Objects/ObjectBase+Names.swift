/// Properties by their names.
extension ObjectBase {
  /// The value of a property by its name, as Realm's objects have it.
  ///
  /// Reading gives nil for a property that is nil or does not exist; assigning a value that does not fit
  /// changes nothing. An unknown name and an unsuitable value are an event (``StoreEvent/misuse(_:)``) where
  /// the object has a store, and go to standard error otherwise. ``value(ofProperty:)`` and
  /// ``setValue(_:ofProperty:)`` throw instead.
  ///
  /// A file that imports `FiefRealm` uses the subscript of that module, which gives values in the forms that Realm gives them.
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

  /// The value of a property by its name or its column's; nil where the property is nil.
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

  /// Assigns a property by its name or its column's; in a write of the object's store it is a change of the object.
  ///
  /// - Parameters:
  ///   - value: the value that ``init(validating:)`` takes for the property; nil for one that is optional.
  ///   - name: the property.
  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidValue` or `missingValue`; the property is then as it was.
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
    if _origin?.reportMisuse(error) != true { Misuse.report(error) }
  }
}
