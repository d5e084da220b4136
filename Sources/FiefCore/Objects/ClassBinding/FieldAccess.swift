import Foundation

/// How a field is accessed: directly for common Swift types, otherwise through its wrapper.
enum FieldAccess: UInt8, Sendable {
  case bool, int, int64, int32, int16, int8, float, double, string, data, date, uuid
  case optionalInt, optionalDouble, optionalString, optionalDate
  /// A link or an embedded object, which is read lazily.
  case fault
  /// A list, a set or a map, which is read lazily.
  case collection
  /// All other types.
  case generic
  /// A field whose column has an earlier type in the record.
  case converted
  /// A field that is not stored in records: an inverse.
  case none

  init(valueType: Any.Type, columnType: ColumnType) {
    if columnType.kind == .linkingObjects {
      self = .none
    } else if columnType.container != .none {
      // Swift's own collections are values and are read with their object.
      self = valueType is AnyClass ? .collection : .generic
    } else if columnType.kind == .link || columnType.kind == .embedded && !Self.isCustom(valueType) {
      self = .fault
    } else if columnType.isOptional {
      self = Self.optional(valueType)
    } else {
      self = Self.plain(valueType)
    }
  }

  /// Whether a type is a custom type, or an optional of one. Such values are created from their stored form.
  private static func isCustom(_ type: Any.Type) -> Bool {
    let wrapped = (type as? any TracedOptional.Type)?.wrappedType ?? type
    return wrapped is any _CustomPersistable.Type
  }

  // These functions compare addresses of types. Creating a dictionary of types would take longer than all
  // comparisons together.

  /// Returns the access to values of an earlier type of the column. It is the access of the current type if
  /// the record stores the values in the same form.
  func reading(_ conversion: ColumnConversion?, from form: Layout.Form) -> FieldAccess {
    guard let conversion else { return self }
    if conversion.nilPayload != nil { return .converted }
    if conversion.from == conversion.to { return self }
    switch self {
    case .int, .int64, .int32, .int16, .optionalInt: return form == .integer ? self : .converted
    default: return .converted
    }
  }

  private static func plain(_ type: Any.Type) -> FieldAccess {
    if type == Int.self { return .int }
    if type == String.self { return .string }
    if type == Double.self { return .double }
    if type == Bool.self { return .bool }
    if type == Date.self { return .date }
    if type == UUID.self { return .uuid }
    if type == Data.self { return .data }
    if type == Int64.self { return .int64 }
    if type == Int32.self { return .int32 }
    if type == Int16.self { return .int16 }
    if type == Int8.self { return .int8 }
    if type == Float.self { return .float }
    return .generic
  }

  private static func optional(_ type: Any.Type) -> FieldAccess {
    if type == Int?.self { return .optionalInt }
    if type == String?.self { return .optionalString }
    if type == Double?.self { return .optionalDouble }
    if type == Date?.self { return .optionalDate }
    return .generic
  }
}
