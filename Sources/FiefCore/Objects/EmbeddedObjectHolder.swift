/// A property value that may contain embedded objects.
protocol EmbeddedObjectHolder {
  func holds(_ object: EmbeddedObject) -> Bool
  /// The embedded object if the value is a single embedded object; `nil` for collections.
  var held: EmbeddedObject? { get }
  /// Called when one of the embedded objects has changed.
  func didChangePart()
}

extension EmbeddedObjectHolder {
  var held: EmbeddedObject? { nil }
  func didChangePart() {}
}

extension Optional: EmbeddedObjectHolder {
  func holds(_ object: EmbeddedObject) -> Bool { (self as? EmbeddedObject) === object }
  var held: EmbeddedObject? { self as? EmbeddedObject }
}

extension ObjectBase {
  /// Whether a property of this object contains the embedded object. A property that was not read yet does
  /// not count.
  func holds(_ object: EmbeddedObject) -> Bool {
    descriptor.properties.contains { property in
      guard property.type.kind == .embedded, !isDeferred(property) else { return false }
      return withFields { property.field.value($0 + property.offset) as? any EmbeddedObjectHolder }?
        .holds(object) ?? false
    }
  }
}
