/// A type of properties that lead to many objects.
protocol LinkedElement {
  /// The class of the objects; nil where these are values.
  static var linkedType: ObjectBase.Type? { get }
}

/// Optional links and embedded objects, which a tracer follows.
protocol TracedLink {
  static var tracedType: ObjectBase.Type { get }
}

extension Optional: TracedLink where Wrapped: ObjectBase {
  static var tracedType: ObjectBase.Type { Wrapped.self }
}

/// What the schema asks of an inverse, whatever its element.
protocol LinkingObjectsValue {
  var originPropertyName: String { get }
  /// The inverse of an object, which the value in its property is not: that is made at each read.
  func inverse(of owner: ObjectBase, _ property: PropertyDescriptor) -> Any
}
