import Foundation

/// How a field is read and written: directly for the frequent Swift types, through its wrapper otherwise.
enum FieldAccess: UInt8, Sendable {
  case bool, int, int64, int32, int16, int8, float, double, string, data, date, uuid
  case optionalInt, optionalDouble, optionalString, optionalDate
  /// A link or an embedded object, read at its first use.
  case fault
  /// A list, a set or a map, read at its first use.
  case collection
  /// Anything else.
  case generic
  /// Not in records: an inverse.
  case none

  init(valueType: Any.Type, columnType: ColumnType) {
    if columnType.kind == .linkingObjects {
      self = .none
    } else if columnType.container != .none {
      self = .collection
    } else if columnType.kind == .link || columnType.kind == .embedded {
      self = .fault
    } else {
      self = Self.direct[ObjectIdentifier(valueType)] ?? .generic
    }
  }

  private static let direct: [ObjectIdentifier: FieldAccess] = [
    ObjectIdentifier(Bool.self): .bool,
    ObjectIdentifier(Int.self): .int,
    ObjectIdentifier(Int64.self): .int64,
    ObjectIdentifier(Int32.self): .int32,
    ObjectIdentifier(Int16.self): .int16,
    ObjectIdentifier(Int8.self): .int8,
    ObjectIdentifier(Float.self): .float,
    ObjectIdentifier(Double.self): .double,
    ObjectIdentifier(String.self): .string,
    ObjectIdentifier(Data.self): .data,
    ObjectIdentifier(Date.self): .date,
    ObjectIdentifier(UUID.self): .uuid,
    ObjectIdentifier(Int?.self): .optionalInt,
    ObjectIdentifier(Double?.self): .optionalDouble,
    ObjectIdentifier(String?.self): .optionalString,
    ObjectIdentifier(Date?.self): .optionalDate,
  ]
}
