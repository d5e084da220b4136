import Fief

/// The type of a property, by the names and numbers that Realm uses.
public enum PropertyType: Int, Sendable, CaseIterable {
  /// Integers of every width.
  case int = 0
  /// Boolean values.
  case bool = 1
  /// 32-bit floating-point numbers.
  case float = 5
  /// 64-bit floating-point numbers.
  case double = 6
  /// Text.
  case string = 2
  /// Bytes.
  case data = 3
  /// Points in time.
  case date = 4
  /// Values of any type.
  case any = 9
  /// Links and embedded objects.
  case object = 7
  /// Inverses of links.
  case linkingObjects = 8
  /// Object identifiers.
  case objectId = 10
  /// Decimal numbers.
  case decimal128 = 11
  /// UUIDs.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UUID = 12

  init(_ kind: ColumnType.Kind) {
    self =
      switch kind {
      case .bool: .bool
      case .int8, .int16, .int32, .int64: .int
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .uuid: .UUID
      case .objectId: .objectId
      case .decimal: .decimal128
      case .link, .embedded: .object
      case .linkingObjects: .linkingObjects
      // A kind that Realm does not have is treated as `AnyRealmValue`.
      default: .any
      }
  }

  /// The type in a description.
  var text: String {
    switch self {
    case .any: "mixed"
    case .linkingObjects: "linking objects"
    case .objectId: "object id"
    case .UUID: "uuid"
    default: "\(self)"
    }
  }
}

/// A persisted property of a class.
public struct Property: Sendable, Equatable, CustomStringConvertible {
  /// The property's name.
  public let name: String
  /// The name of its column in the store.
  public let columnName: String
  /// The type of the value, or of each element.
  public let type: PropertyType
  /// A Boolean value that indicates whether the property has an index or is the primary key.
  public let isIndexed: Bool
  /// A Boolean value that indicates whether the property is the primary key or a part of it.
  public let isPrimaryKey: Bool
  /// A Boolean value that indicates whether the value, or each element, may be `nil`.
  public let isOptional: Bool
  /// A Boolean value that indicates whether the property is a list or an inverse.
  public let isArray: Bool
  /// A Boolean value that indicates whether the property is a set.
  public let isSet: Bool
  /// A Boolean value that indicates whether the property is a map.
  public let isMap: Bool
  /// The name of the linked or embedded class, or of the class whose objects link to this one through an
  /// inverse. `nil` for values.
  public let objectClassName: String?
  /// The name of the property whose links an inverse represents, or `nil` for other properties.
  public let linkOriginPropertyName: String?

  init(_ property: DeclaredType.Property) {
    let column = property.type
    let isObject = column.kind == .link || column.kind == .embedded
    name = property.name
    columnName = property.column
    type = PropertyType(column.kind)
    isIndexed = property.isIndexed || property.isPrimaryKey
    isPrimaryKey = property.isPrimaryKey
    isOptional = column.isOptional || (isObject && (column.container == .none || column.container == .map))
    isArray = column.container == .list || column.kind == .linkingObjects
    isSet = column.container == .set
    isMap = column.container == .map
    objectClassName = column.target
    linkOriginPropertyName = property.originProperty
  }

  /// A description of the property's attributes, one per line.
  public var description: String {
    var lines = ["type = \(type.text)"]
    if let objectClassName {
      lines.append("objectClassName = \(objectClassName)")
      lines.append("linkOriginPropertyName = \(linkOriginPropertyName ?? "(null)")")
    }
    lines.append("columnName = \(columnName)")
    let flags = [
      ("indexed", isIndexed), ("isPrimary", isPrimaryKey), ("array", isArray), ("set", isSet),
      ("dictionary", isMap),
      ("optional", isOptional),
    ]
    lines += flags.map { "\($0) = \($1 ? "YES" : "NO")" }
    return "\(name) {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
  }
}
