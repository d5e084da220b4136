extension ObjectBase {
  /// A deep copy that belongs to no store: linked and embedded objects are copied too, each once, so that
  /// cycles stay cycles.
  public func detached() -> Self {
    var copies: [ObjectIdentifier: ObjectBase] = [:]
    return copy(&copies)
  }

  func copy(_ copies: inout [ObjectIdentifier: ObjectBase]) -> Self {
    if let known = copies[ObjectIdentifier(self)] as? Self { return known }
    let result = Self()
    copies[ObjectIdentifier(self)] = result
    let descriptor = descriptor
    for property in descriptor.properties where property.access != .none {
      let value = value(of: property)
      let copied = (value as? any DeepCopyable)?.deepCopy(&copies) ?? value
      result.setValue(copied, of: property)
    }
    return result
  }
}

/// Values that hold objects, which a deep copy replaces.
protocol DeepCopyable {
  func deepCopy(_ copies: inout [ObjectIdentifier: ObjectBase]) -> Any
}

extension ObjectBase: DeepCopyable {
  func deepCopy(_ copies: inout [ObjectIdentifier: ObjectBase]) -> Any { copy(&copies) }
}

extension Optional: DeepCopyable {
  func deepCopy(_ copies: inout [ObjectIdentifier: ObjectBase]) -> Any {
    guard let wrapped = self, let copyable = wrapped as? any DeepCopyable else { return self as Any }
    return (copyable.deepCopy(&copies) as? Wrapped) as Any
  }
}

extension List: DeepCopyable {
  func deepCopy(_ copies: inout [ObjectIdentifier: ObjectBase]) -> Any {
    List(map { element in Self.copy(element, &copies) })
  }

  private static func copy(_ element: Element, _ copies: inout [ObjectIdentifier: ObjectBase]) -> Element {
    (element as? any DeepCopyable)?.deepCopy(&copies) as? Element ?? element
  }
}

extension MutableSet: DeepCopyable {
  func deepCopy(_ copies: inout [ObjectIdentifier: ObjectBase]) -> Any {
    MutableSet(map { element in (element as? any DeepCopyable)?.deepCopy(&copies) as? Element ?? element })
  }
}

extension Map: DeepCopyable {
  func deepCopy(_ copies: inout [ObjectIdentifier: ObjectBase]) -> Any {
    let result = Map()
    for (key, value) in self {
      result[key] = (value as? any DeepCopyable)?.deepCopy(&copies) as? Value ?? value
    }
    return result
  }
}
