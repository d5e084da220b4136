extension ObjectBase {
  /// Creates an object from values.
  ///
  /// - Parameter value: a dictionary by property name, an array in the order of the properties, or an object
  ///   whose values are copied. Nested objects and collections are created from nested values, up to 32
  ///   objects deep. An array may be shorter than the number of stored properties; the other properties keep
  ///   their defaults.
  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidValue` or `missingValue` that names type and
  ///   property.
  public convenience init(validating value: Any) throws {
    self.init()
    try assign(value, ValueConversion())
  }

  /// Creates an object from values. If a value is unsuitable, its property keeps the default, and every save
  /// of the object fails with the error that ``init(validating:)`` would have thrown.
  ///
  /// - Parameter value: a dictionary by property name, an array in the order of the properties, or an object
  ///   whose values are copied. An array may be shorter than the number of stored properties. Nested objects
  ///   are created from nested values, up to 32 objects deep.
  public convenience init(value: Any) {
    self.init()
    assignWhatFits(value)
  }

  /// Assigns values to the properties.
  ///
  /// - Throws: ``FiefError``. Some of the values may already have been assigned.
  func assign(_ value: Any, _ conversion: ValueConversion) throws {
    let descriptor = descriptor
    let place = conversion
    var conversion = conversion
    conversion.type = descriptor.name
    conversion.property = nil
    if let object = value as? JSONObject {
      conversion.places?.note(self, at: conversion.path)
      try assign(object, conversion)
    } else if let values = ValueConversion.members(of: value) {
      conversion.places?.note(self, at: conversion.path)
      try assign(values, conversion)
    } else if let values = value as? [Any], !conversion.isJSON {
      conversion.places?.note(self, at: conversion.path)
      try assign(values, conversion)
    } else if let other = value as? ObjectBase, Swift.type(of: other) == Swift.type(of: self) {
      if let copies = conversion.copies {
        copies.copy(other, to: self)
      } else {
        let copies = ValueCopies()
        copies.copy(other, to: self)
        try copies.fill()
      }
    } else {
      let expected =
        conversion.isJSON ? "an object" : "a dictionary, an array or an object of \(descriptor.name)"
      // A nested value belongs to a property of the enclosing object.
      throw (place.property == nil ? conversion : place).wrongType(value, expected: expected)
    }
  }

  /// Assigns the members of an object in a document.
  private func assign(_ object: JSONObject, _ conversion: ValueConversion) throws {
    try assign(object.members, conversion)
    do { try requirePrimaryKey(in: object, conversion) } catch {
      throw named(error, in: object.members)
    }
  }

  private func assign(_ members: [JSONObject.Member], _ conversion: ValueConversion) throws {
    let descriptor = descriptor
    for member in members {
      let (name, value) = (member.name, member.value)
      guard let property = descriptor.assignable(name) else {
        if case .json(let options) = conversion.source, options.unknownKeys == .ignore { continue }
        throw named(conversion.unknownProperty(name, of: descriptor), in: members)
      }
      if assignExactly(value, to: property) { continue }
      var place = conversion
      place.property = property.name
      place.path = .property(conversion.path, name)
      do { try assign(value, to: property, place) } catch {
        throw named(error, of: property, in: members)
      }
    }
  }

  private func requirePrimaryKey(in object: JSONObject, _ conversion: ValueConversion) throws {
    let descriptor = descriptor
    for index in descriptor.primaryKey {
      let property = descriptor.properties[index]
      guard object[property.name] == nil, object[property.column] == nil, !hasGenerated(property) else {
        continue
      }
      throw conversion.property(property.name, of: descriptor.name)
        .error(.missingValue, "The primary key is missing in the document.")
    }
  }

  /// Whether new objects of the class have different values of the property, such as `UUID()`, rather than a
  /// constant.
  private func hasGenerated(_ property: PropertyDescriptor) -> Bool {
    guard property.type.isGenerated else { return false }
    let other = Swift.type(of: self).init()
    return "\(value(of: property))" != "\(other.value(of: property))"
  }

  private func assign(_ values: [Any], _ conversion: ValueConversion) throws {
    let properties = descriptor.properties.filter { $0.access != .none }
    guard values.count <= properties.count else { throw conversion.tooMany(values, properties) }
    for (property, value) in zip(properties, values) {
      do { try assign(value, to: property, conversion.property(property.name, of: descriptor.name)) } catch {
        throw named(error, of: property, in: Self.members(zip(properties, values)))
      }
    }
  }

  private static func members(_ values: some Sequence<(PropertyDescriptor, Any)>) -> [JSONObject.Member] {
    values.map { JSONObject.Member(name: $0.name, value: $1) }
  }

  /// Adds the primary key of the object that is being created to an error about one of its values. Errors
  /// about a linked object have the linked object's key, and an embedded object has no key.
  func named(
    _ error: any Error,
    of property: PropertyDescriptor? = nil,
    in members: [JSONObject.Member]
  ) -> any Error {
    let descriptor = descriptor
    guard var error = error as? FiefError, error.key == nil,
      property?.type.kind != .link || (error.type == descriptor.name && error.property == property?.name)
    else { return error }
    let parts = descriptor.primaryKey.compactMap { index -> String? in
      let property = descriptor.properties[index]
      guard let value = members.last(where: { $0.name == property.name || $0.name == property.column })?.value
      else { return nil }
      return value as? String ?? ValuePrinter.beginning(of: value)
    }
    if !parts.isEmpty { error.key = parts.joined(separator: ", ") }
    return error
  }

  private func assign(_ value: Any, to property: PropertyDescriptor, _ conversion: ValueConversion) throws {
    setValue(try property.field.convert(value, conversion), of: property)
  }

  /// Assigns a value whose type is exactly the property's type, for common types.
  ///
  /// - Returns: false if the value must be converted or rejected.
  private func assignExactly(_ value: Any, to property: PropertyDescriptor) -> Bool {
    // SAFETY: each type is the type of the property's field, as its access shows.
    func store<Value>(_ type: Value.Type) -> Bool {
      guard let value = exactly(type, value) else { return false }
      let isShared = _origin != nil && willAssign()
      withFields { base in
        (base + property.offset).assumingMemoryBound(to: type).pointee = value
        let flags = base.load(fromByteOffset: property.flagsOffset, as: UInt8.self)
        let kept = flags & ~(PersistedFlags.firstRead | PersistedFlags.deferred)
        base.storeBytes(
          of: kept | PersistedFlags.assigned,
          toByteOffset: property.flagsOffset,
          as: UInt8.self
        )
      }
      if isShared { didAssign() }
      return true
    }
    switch property.access {
    case .int: return store(Int.self)
    case .string: return store(String.self)
    case .bool: return store(Bool.self)
    case .double: return store(Double.self)
    default: return false
    }
  }

  private func assignWhatFits(_ value: Any) {
    let descriptor = descriptor
    var conversion = ValueConversion()
    conversion.type = descriptor.name
    var pairs: [(PropertyDescriptor, Any)] = []
    if let members = ValueConversion.members(of: value) {
      for member in members {
        if let property = descriptor.assignable(member.name) {
          pairs.append((property, member.value))
        } else {
          ConversionErrors.note(
            named(conversion.unknownProperty(member.name, of: descriptor), in: members),
            of: self
          )
        }
      }
    } else if let values = value as? [Any] {
      let properties = descriptor.properties.filter { $0.access != .none }
      pairs = Array(zip(properties, values))
      if values.count > properties.count {
        ConversionErrors.note(conversion.tooMany(values, properties), of: self)
      }
    } else {
      do { try assign(value, ValueConversion()) } catch { ConversionErrors.note(error, of: self) }
    }
    for (property, value) in pairs {
      do {
        try assign(value, to: property, ValueConversion().property(property.name, of: descriptor.name))
      } catch {
        ConversionErrors.note(named(error, of: property, in: Self.members(pairs)), of: self)
      }
    }
  }
}

extension ValueConversion {
  package func unknownProperty(_ name: String, of descriptor: ObjectDescriptor) -> FiefError {
    let names = descriptor.properties.compactMap { $0.access == .none ? nil : $0.name }
    let advice =
      if let inverse = descriptor.property(named: name) {
        "\(inverse.name) is an inverse, which cannot be assigned"
      } else if let nearest = NearestName.find(name, in: names) {
        "did you mean '\(nearest)'?"
      } else {
        "the properties: " + names.joined(separator: ", ")
      }
    return property(name, of: descriptor.name)
      .error(.unknownProperty, "The type has no such property.", details: [advice])
  }

  fileprivate func tooMany(_ values: [Any], _ properties: [PropertyDescriptor]) -> FiefError {
    error(
      .invalidValue,
      "There are more values than properties.",
      details: ["more values (\(values.count)) than properties (\(properties.count))"]
    )
  }
}

extension ObjectDescriptor {
  /// Returns the stored property with the given name or column name.
  package func assignable(_ name: String) -> PropertyDescriptor? {
    let property = property(named: name) ?? properties.first { $0.column == name }
    return property.flatMap { $0.access == .none ? nil : $0 }
  }
}
