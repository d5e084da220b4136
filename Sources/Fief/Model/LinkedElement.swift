/// A type of properties that lead to many objects.
protocol LinkedElement {
  /// The class of the objects; nil where these are values.
  static var linkedType: ObjectBase.Type? { get }
}

extension List: LinkedElement {
  static var linkedType: ObjectBase.Type? { Element.self as? ObjectBase.Type }
}

extension MutableSet: LinkedElement {
  static var linkedType: ObjectBase.Type? { Element.self as? ObjectBase.Type }
}

extension Map: LinkedElement {
  static var linkedType: ObjectBase.Type? {
    (Value.self as? any TracedLink.Type)?.tracedType ?? Value.self as? ObjectBase.Type
  }
}

extension LinkingObjects: LinkedElement {
  static var linkedType: ObjectBase.Type? { Element.self }
}
