/// Finds the properties that a class refers to in its declarations, by name or by key path.
///
/// It also works while the class's descriptor is being created.
struct DeclaredProperties {
  let type: ObjectBase.Type
  let typeName: String
  let properties: [PropertyDescriptor]

  /// Finds a property. If it does not exist, returns `nil` and adds to `violations`.
  ///
  /// - Parameters:
  ///   - function: the function in which the class refers to the property.
  ///   - thing: the kind of declaration.
  func find(
    _ property: IndexDefinition.Property,
    in function: String,
    thing: String,
    _ violations: inout [String]
  )
    -> PropertyDescriptor?
  {
    switch property {
    case .name(let name):
      if let property = properties.first(where: { $0.name == name }) { return property }
      violations.append("\(typeName): \(thing) is declared for '\(name)', which is not a property")
    case .keyPath(let keyPath):
      if let property = self.property(keyPath) { return property }
      violations.append(
        "\(typeName): \(function) has a key path that is not a persisted property of the class"
      )
    }
    return nil
  }

  /// Returns the property of a key path, or `nil` if the key path has further components or does not lead to
  /// a property.
  func property(_ keyPath: AnyKeyPath) -> PropertyDescriptor? {
    guard let root = Swift.type(of: keyPath).rootType as? ObjectBase.Type, isInherited(root) else {
      return nil
    }
    let object = type.init()
    let offsets = OffsetTracer.offsets(of: keyPath, in: object, properties)
    guard offsets.count == 1, let property = properties.first(where: { $0.offset == offsets[0] }),
      Swift.type(of: keyPath).valueType == property.field.valueType
    else { return nil }
    return property
  }

  /// Whether a key path belongs to the class or a superclass. A key path of another class would read beyond
  /// the object.
  private func isInherited(_ root: ObjectBase.Type) -> Bool {
    var ancestor: AnyClass? = type
    while let current = ancestor {
      if current == root { return true }
      ancestor = _getSuperclass(current)
    }
    return false
  }
}
