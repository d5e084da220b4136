/// Values of properties that may hold embedded objects.
protocol EmbeddedObjectHolder {
  func holds(_ object: EmbeddedObject) -> Bool
  /// The one object that it is; nil for collections.
  var held: EmbeddedObject? { get }
}

extension EmbeddedObjectHolder {
  var held: EmbeddedObject? { nil }
}

extension Optional: EmbeddedObjectHolder {
  func holds(_ object: EmbeddedObject) -> Bool { (self as? EmbeddedObject) === object }
  var held: EmbeddedObject? { self as? EmbeddedObject }
}
