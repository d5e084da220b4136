/// The type of a column, which determines how a record stores one property.
///
/// The raw values are part of the on-disk format and are never reused.
public struct ColumnType: Sendable, Hashable {
  /// The kinds of single values.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// A truth value.
    case bool = 1
    /// An integer of 8 bits.
    case int8 = 2
    /// An integer of 16 bits.
    case int16 = 3
    /// An integer of 32 bits.
    case int32 = 4
    /// An integer of 64 bits.
    case int64 = 5
    /// A floating-point number of 32 bits.
    case float = 6
    /// A floating-point number of 64 bits.
    case double = 7
    /// Text.
    case string = 8
    /// Bytes.
    case data = 9
    /// A point in time.
    case date = 10
    /// A UUID.
    case uuid = 11
    /// An ``ObjectId``.
    case objectId = 12
    /// A decimal number.
    case decimal = 13
    /// An ``AnyRealmValue``.
    case any = 14
    /// The key of an object.
    case link = 15
    /// An embedded object.
    case embedded = 16
    /// An inverse, which is not stored.
    case linkingObjects = 17
  }

  /// The collection that holds the values.
  public enum Container: UInt8, Sendable, CaseIterable {
    /// No collection: a single value.
    case none = 0
    /// A ``List``.
    case list = 1
    /// A ``MutableSet``.
    case set = 2
    /// A ``Map``.
    case map = 3
  }

  /// The kind of the value, or of each element.
  public var kind: Kind
  /// A Boolean value that indicates whether the value, or each element, may be nil.
  public var isOptional: Bool
  /// The collection that holds the values.
  public var container: Container
  /// The name of the type of a linked or embedded object.
  public var target: String?

  package init(_ kind: Kind, isOptional: Bool = false, container: Container = .none, target: String? = nil) {
    self.kind = kind
    self.isOptional = isOptional
    self.container = container
    self.target = target
  }
}

extension ColumnType: CustomStringConvertible {
  /// The type in Swift's notation: `Int`, `String?`, `List<Dog>`.
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
  package var swiftName: String {
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

  /// The size of the value's slot in bytes; `nil` if the length varies.
  package var fixedWidth: Int? {
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
  /// The size of the column's slot in a record, in bytes; `nil` for a column of varying length.
  var slotWidth: Int? { container == .none ? kind.fixedWidth : nil }
  /// Whether values of the column link to objects of other trees.
  var isLink: Bool { kind == .link }
  /// Whether records contain the column.
  package var isStored: Bool { kind != .linkingObjects }
  /// Whether an index can include the column.
  var isIndexable: Bool {
    guard container == .none else { return false }
    switch kind {
    case .bool, .int8, .int16, .int32, .int64, .float, .double, .string, .date, .uuid, .objectId, .decimal,
      .data, .any:
      return true
    case .link, .embedded, .linkingObjects: return false
    }
  }

  /// Whether the column is a link to at most one object. A unique index may include such a column.
  package var isToOneLink: Bool { kind == .link && container == .none }

  /// Whether the column may be part of a primary key.
  var canBePrimaryKey: Bool {
    guard container == .none else { return false }
    switch kind {
    case .int8, .int16, .int32, .int64, .string, .uuid, .objectId: return true
    default: return false
    }
  }
}
