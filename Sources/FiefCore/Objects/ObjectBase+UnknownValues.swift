extension ObjectBase {
  /// Whether the record contains a value that the property's type cannot represent. The property then reads
  /// as a substitute.
  func hasUnknownValue(of property: PropertyDescriptor) -> Bool {
    switch property.access {
    case .fault, .collection, .none: false
    // An `AnyRealmValue` that contains an object is deferred until its first read, not because its value is
    // unknown.
    default: property.type.kind != .any && isDeferred(property)
    }
  }

  /// Copies the stored value of a property from another object of the class.
  func keepUnknownValue(of property: PropertyDescriptor, like other: ObjectBase) {
    _record = _record ?? other._record
    resetDeferred(property, like: other)
  }
}
