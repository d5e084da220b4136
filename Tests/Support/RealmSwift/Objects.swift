// The names are Realm's own, and its documentation describes them. Tests alone use this stand-in.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import Realm

// A stand-in for the module RealmSwift, as far as the exporter of *Coming from Realm* uses it. Like Realm, it
// has objects and embedded objects without a common superclass `Object`, gives typed objects as dynamic ones,
// and gives Objective-C's forms of values that are read by their names.

public typealias ObjectBase = RLMObjectBase

open class Object: ObjectBase, RLMValue {
  /// The number of the object in its class, starting at 0.
  public internal(set) var row = 0
  public internal(set) var objectSchema = ObjectSchema("")
  public var values: [String: Any] = [:]

  public required override init() {}

  open class func className() -> String { "\(self)" }

  open subscript(key: String) -> Any? {
    objectSchema.properties.contains { $0.name == key } ? values[key] : preconditionFailure("no \(key)")
  }
}

open class EmbeddedObject: ObjectBase {
  public let objectSchema: ObjectSchema
  public let values: [String: Any]

  public init(_ schema: ObjectSchema, _ values: [String: Any]) {
    (objectSchema, self.values) = (schema, values)
  }

  open subscript(key: String) -> Any? {
    objectSchema.properties.contains { $0.name == key } ? values[key] : preconditionFailure("no \(key)")
  }
}

public final class DynamicObject: Object {}

public struct Property: Sendable {
  public let name: String
  public let columnName: String
  public let type: PropertyType
  public let isArray: Bool
  public let isSet: Bool
  public let isMap: Bool

  public enum Container { case none, array, set, map }

  public init(_ name: String, _ type: PropertyType, _ container: Container = .none, column: String? = nil) {
    (self.name, self.type, columnName) = (name, type, column ?? name)
    (isArray, isSet, isMap) = (container == .array, container == .set, container == .map)
  }
}

public enum PropertyType: Sendable {
  case int, bool, float, double, UUID, string, data, any, date, object, linkingObjects, objectId, decimal128
}

public struct ObjectSchema: Sendable {
  public let className: String
  public let isEmbedded: Bool
  public let properties: [Property]
  public let primaryKeyProperty: Property?

  public init(
    _ className: String,
    isEmbedded: Bool = false,
    key: String? = nil,
    _ properties: [Property] = []
  ) {
    (self.className, self.isEmbedded, self.properties) = (className, isEmbedded, properties)
    primaryKeyProperty = properties.first { $0.name == key }
  }
}

public struct Schema: Sendable {
  public let objectSchema: [ObjectSchema]

  public subscript(className: String) -> ObjectSchema? { objectSchema.first { $0.className == className } }
}
