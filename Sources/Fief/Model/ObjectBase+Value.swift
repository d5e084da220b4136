extension ObjectBase {
  /// Makes an object from values.
  ///
  /// - Parameter value: a dictionary by property name, an array by the position of the properties, or an
  ///   object whose values are copied. Nested objects and collections are made from theirs.
  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidValue` that names type and property.
  public convenience init(validating value: Any) throws {
    self.init()
    try assign(value, ValueConversion())
  }

  /// Makes an object from values; a value that does not fit leaves its property's default.
  ///
  /// This form cannot fail. Use ``init(validating:)`` where the values come from outside.
  ///
  /// - Parameter value: a dictionary by property name, an array by the position of the properties, or an
  ///   object whose values are copied.
  public convenience init(value: Any) {
    self.init()
    assignWhatFits(value)
  }

  /// Assigns values to the properties.
  ///
  /// - Throws: ``FiefError``; the object may then have some of the values.
  func assign(_ value: Any, _ conversion: ValueConversion) throws {
    let place = conversion
    var conversion = conversion
    conversion.type = descriptor.name
    conversion.property = nil
    if let values = value as? [String: Any] {
      try assign(values, conversion)
    } else if let values = value as? [Any] {
      try assign(values, conversion)
    } else if let other = value as? ObjectBase, Swift.type(of: other) == Swift.type(of: self) {
      copyPersistedValues(from: other, descriptor: descriptor)
    } else {
      // A nested value is a property's of the object around it.
      throw (place.property == nil ? conversion : place).wrongType(value, expected: "a dictionary, an array or an object of \(descriptor.name)")
    }
  }

  private func assign(_ values: [String: Any], _ conversion: ValueConversion) throws {
    let descriptor = descriptor
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let property = descriptor.assignable(name) else {
        if case .json(let options) = conversion.source, options.unknownKeys == .ignore { continue }
        throw conversion.property(name, of: descriptor.name)
          .error(.unknownProperty, "The type has no such property.")
      }
      try assign(value, to: property, conversion.property(property.name, of: descriptor.name))
    }
    guard case .json = conversion.source else { return }
    let missing = descriptor.properties.first { $0.isPrimaryKey && values[$0.name] == nil && values[$0.column] == nil }
    if let missing {
      throw conversion.property(missing.name, of: descriptor.name)
        .error(.missingValue, "The primary key is missing in the document.")
    }
  }

  private func assign(_ values: [Any], _ conversion: ValueConversion) throws {
    let properties = descriptor.properties.filter { $0.access != .none }
    guard values.count == properties.count else {
      throw conversion.error(
        .invalidValue, "The number of values is not the number of properties.",
        details: ["expected: \(properties.count)", "found: \(values.count)"])
    }
    for (property, value) in zip(properties, values) {
      try assign(value, to: property, conversion.property(property.name, of: descriptor.name))
    }
  }

  private func assign(_ value: Any, to property: PropertyDescriptor, _ conversion: ValueConversion) throws {
    if ValueConversion.isNil(value), !property.type.isOptional, property.type.container == .none {
      throw conversion.error(.missingValue, "The property is required and cannot be nil.")
    }
    setValue(try property.field.convert(value, conversion), of: property)
  }

  private func assignWhatFits(_ value: Any) {
    let descriptor = descriptor
    var pairs: [(PropertyDescriptor, Any)] = []
    if let values = value as? [String: Any] {
      pairs = values.compactMap { name, value in descriptor.assignable(name).map { ($0, value) } }
    } else if let values = value as? [Any] {
      pairs = Array(zip(descriptor.properties.filter { $0.access != .none }, values))
    } else {
      try? assign(value, ValueConversion())
    }
    for (property, value) in pairs {
      try? assign(value, to: property, ValueConversion().property(property.name, of: descriptor.name))
    }
  }
}

extension ObjectDescriptor {
  /// The property of a name, or of a column's name, if it is stored.
  func assignable(_ name: String) -> PropertyDescriptor? {
    let property = property(named: name) ?? properties.first { $0.column == name }
    return property.flatMap { $0.access == .none ? nil : $0 }
  }
}
