import LMDB

extension ColumnType {
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
}

extension ColumnType.Kind {
  /// The facts about the kind.
  package var facts: ColumnKind {
    switch self {
    case .bool: ColumnKind("Bool", .bool, .bit)
    case .int8: ColumnKind("Int8", .number, .fixed, canBePrimaryKey: true)
    case .int16: ColumnKind("Int16", .number, .integer, canBePrimaryKey: true)
    case .int32: ColumnKind("Int32", .number, .integer, canBePrimaryKey: true)
    case .int64: ColumnKind("Int", .number, .integer, canBePrimaryKey: true)
    case .float: ColumnKind("Float", .number, .fixed)
    case .double: ColumnKind("Double", .number, .fixed)
    case .string: ColumnKind("String", .text, .varying, canBePrimaryKey: true)
    case .data: ColumnKind("Data", .data, .varying)
    case .date: ColumnKind("Date", .date, .fixed)
    case .uuid: ColumnKind("UUID", .uuid, .fixed, canBePrimaryKey: true, isGenerated: true)
    case .objectId:
      ColumnKind(
        "ObjectId",
        .objectId,
        .fixed,
        jsonName: "objectId",
        canBePrimaryKey: true,
        isGenerated: true
      )
    case .decimal: ColumnKind("Decimal", .number, .varying)
    case .any: ColumnKind("AnyRealmValue", .any, .varying)
    case .link: ColumnKind("Object", .object, .varying, isIndexable: false)
    case .embedded: ColumnKind("EmbeddedObject", .embedded, .varying, isIndexable: false)
    case .linkingObjects: ColumnKind("LinkingObjects", .collection, .varying, isIndexable: false)
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

  /// The key elements of the kind's values, or `nil` if they have no order in keys.
  var domain: KeyDomain? {
    switch self {
    case .bool: .bool
    case .int8, .int16, .int32, .int64: .integer
    case .float: .float
    case .double: .double
    case .date: .date
    case .string: .string
    case .data: .bytes
    case .uuid: .uuid
    case .objectId: .objectID
    case .decimal: .decimal
    case .any, .link, .embedded, .linkingObjects: nil
    }
  }

  /// Whether values are integers.
  var isInteger: Bool {
    switch self {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }
}
