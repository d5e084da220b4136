/// A property type that links to several objects.
protocol LinkedElement {
  /// The class of the objects, or `nil` if the elements are values.
  static var linkedType: ObjectBase.Type? { get }
}

/// Optional links and embedded objects, which a tracer follows.
protocol TracedLink {
  static var tracedType: ObjectBase.Type { get }
}

extension Optional: TracedLink where Wrapped: ObjectBase {
  static var tracedType: ObjectBase.Type { Wrapped.self }
}

/// The part of an inverse that the schema uses, independent of its element type.
protocol LinkingObjectsValue {
  var originPropertyName: String { get }
  /// Returns the inverse of an object. The property's own value cannot be used, because an inverse is created
  /// at each read.
  func inverse(of owner: ObjectBase, _ property: PropertyDescriptor) -> Any
}
