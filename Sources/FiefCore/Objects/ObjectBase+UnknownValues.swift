extension ObjectBase {
  /// Whether the record has a value that the property's type does not have. The property then reads as a
  /// substitute.
  func hasUnknownValue(of property: PropertyDescriptor) -> Bool {
    switch property.access {
    case .fault, .collection, .none: false
    // An `AnyRealmValue` that contains an object is deferred for another reason: it waits for the first read.
    default: property.type.kind != .any && isDeferred(property)
    }
  }

  /// Takes the stored value of a property from another object of the class.
  func keepUnknownValue(of property: PropertyDescriptor, like other: ObjectBase) {
    _record = _record ?? other._record
    resetDeferred(property, like: other)
  }
}
