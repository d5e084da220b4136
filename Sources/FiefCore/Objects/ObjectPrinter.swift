/// Creates the description of an object, for logs and debuggers.
enum ObjectPrinter {
  static func text(of object: ObjectBase) -> String {
    object.willBeRead()
    let descriptor = object.descriptor
    let lines = descriptor.properties.compactMap { property -> String? in
      guard property.access != .none else { return nil }
      return "  \(property.name) = \(value(of: property, in: object));"
    }
    return "\(descriptor.name) {\n" + lines.joined(separator: "\n") + "\n}"
  }

  private static func value(of property: PropertyDescriptor, in object: ObjectBase) -> String {
    if object.hasUnknownValue(of: property) { return "(unknown value)" }
    if object.isDeferred(property) { return "(not read yet)" }
    let value = object.value(of: property)
    if value._isNil { return "nil" }
    if property.type.kind == .any, hasObject(value) {
      return property.type.container == .none ? "object" : "\(property.type)"
    }
    switch property.access {
    case .fault: return property.type.target ?? "object"
    case .collection where property.type.kind == .link || property.type.kind == .embedded:
      return "\(property.type)"
    default: return String(ValuePrinter.text(of: value).prefix(200))
    }
  }

  /// Whether an `AnyRealmValue`, or a collection of them, contains objects. These may link back to the
  /// printed object.
  private static func hasObject(_ value: any Persistable) -> Bool {
    (value as? any AnyValueHolder)?.hasObject ?? false
  }
}

/// An `AnyRealmValue`, or a collection of them.
protocol AnyValueHolder {
  /// Whether a value is an object or contains one.
  var hasObject: Bool { get }
}

extension AnyRealmValue: AnyValueHolder {}

extension Array: AnyValueHolder where Element == AnyRealmValue {
  var hasObject: Bool { contains(where: \.hasObject) }
}

extension Set: AnyValueHolder where Element == AnyRealmValue {
  var hasObject: Bool { contains(where: \.hasObject) }
}

extension Dictionary: AnyValueHolder where Key == String, Value == AnyRealmValue {
  var hasObject: Bool { values.contains(where: \.hasObject) }
}
