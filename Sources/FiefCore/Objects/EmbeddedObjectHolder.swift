/// Values of properties that may hold embedded objects.
protocol EmbeddedObjectHolder {
  func holds(_ object: EmbeddedObject) -> Bool
  /// The one object that it is; nil for collections.
  var held: EmbeddedObject? { get }
  /// Called when one of the embedded objects was changed.
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
  /// Whether a property of this object has the embedded object; one that was not read yet does not.
  func holds(_ object: EmbeddedObject) -> Bool {
    descriptor.properties.contains { property in
      guard property.type.kind == .embedded, !isDeferred(property) else { return false }
      return withFields { property.field.value($0 + property.offset) as? any EmbeddedObjectHolder }?
        .holds(object) ?? false
    }
  }
}
