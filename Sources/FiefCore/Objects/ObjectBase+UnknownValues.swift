extension ObjectBase {
  /// Whether a property's value in the record is none of its type's; what it reads as stands for it.
  func hasUnknownValue(of property: PropertyDescriptor) -> Bool {
    switch property.access {
    case .fault, .collection, .none: false
    // An object in a value of any type waits for the first read.
    default: property.type.kind != .any && isDeferred(property)
    }
  }

  /// Takes over the stored value of a property from another object of the class.
  func keepUnknownValue(of property: PropertyDescriptor, like other: ObjectBase) {
    _record = _record ?? other._record
    resetDeferred(property, like: other)
  }
}
