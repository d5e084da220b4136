/// The type of a column: what a record keeps for one property.
///
/// The raw values are part of the on-disk format and are never reused.
public struct ColumnType: Sendable, Hashable {
  /// The kinds of single values.
  public enum Kind: UInt8, Sendable, CaseIterable {
    case bool = 1
    case int8 = 2
    case int16 = 3
    case int32 = 4
    case int64 = 5
    case float = 6
    case double = 7
    case string = 8
    case data = 9
    case date = 10
    case uuid = 11
    case objectId = 12
    case decimal = 13
    case any = 14
    case link = 15
    case embedded = 16
    case linkingObjects = 17
  }

  /// What holds the values.
  public enum Container: UInt8, Sendable, CaseIterable {
    case none = 0
    case list = 1
    case set = 2
    case map = 3
  }

  /// The kind of the value, or of each element.
  public var kind: Kind
  /// Whether the value, or each element, may be nil.
  public var isOptional: Bool
  /// What holds the values.
  public var container: Container
  /// The name of the type that a link or an embedded object has.
  public var target: String?

  init(_ kind: Kind, isOptional: Bool = false, container: Container = .none, target: String? = nil) {
    self.kind = kind
    self.isOptional = isOptional
    self.container = container
    self.target = target
  }
}

extension ColumnType: CustomStringConvertible {
  /// The type as Swift writes it: `Int`, `String?`, `List<Dog>`.
  public var description: String {
    var element = target ?? kind.swiftName
    switch container {
    case .none:
      if isOptional { element += "?" }
      return element
    case .list: return "List<\(element)\(isOptional ? "?" : "")>"
    case .set: return "MutableSet<\(element)\(isOptional ? "?" : "")>"
    case .map: return "Map<String, \(element)\(isOptional ? "?" : "")>"
    }
  }
}

extension ColumnType.Kind {
  var swiftName: String {
    switch self {
    case .bool: "Bool"
    case .int8: "Int8"
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .objectId: "ObjectId"
    case .decimal: "Decimal"
    case .any: "AnyRealmValue"
    case .link: "Object"
    case .embedded: "EmbeddedObject"
    case .linkingObjects: "LinkingObjects"
    }
  }

  /// The bytes of the value's slot, nil where the length varies.
  var fixedWidth: Int? {
    switch self {
    case .bool, .int8: 1
    case .int16: 2
    case .int32, .float: 4
    case .int64, .double, .date: 8
    case .objectId: 12
    case .uuid: 16
    case .string, .data, .decimal, .any, .link, .embedded, .linkingObjects: nil
    }
  }
}

extension ColumnType {
  /// The bytes of the column's slot in a record, nil for a column of varying length.
  var slotWidth: Int? { container == .none ? kind.fixedWidth : nil }
  /// Whether values of the column refer to objects of other trees.
  var isLink: Bool { kind == .link }
  /// Whether the column is kept in records at all.
  var isStored: Bool { kind != .linkingObjects }
  /// Whether an index over the column is possible.
  var isIndexable: Bool {
    guard container == .none else { return false }
    switch kind {
    case .bool, .int8, .int16, .int32, .int64, .float, .double, .string, .date, .uuid, .objectId, .decimal,
      .data, .any:
      return true
    case .link, .embedded, .linkingObjects: return false
    }
  }
  /// Whether the column may be part of a primary key.
  var canBePrimaryKey: Bool {
    guard container == .none else { return false }
    switch kind {
    case .int8, .int16, .int32, .int64, .string, .uuid, .objectId: return true
    default: return false
    }
  }
}
