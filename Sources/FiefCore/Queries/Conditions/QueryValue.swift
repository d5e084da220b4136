import Foundation

/// A value in a query: a value to compare with, or the value of a column.
package enum QueryValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case data([UInt8])
  /// Seconds since 1 January 2001, 00:00 UTC.
  case date(Double)
  case uuid(UUID)
  case objectId(ObjectId)
  /// The payload of a list or dictionary in an `AnyRealmValue`.
  case nested([UInt8])
  /// An object, by its type and key. An object without a store has no key and equals no other object.
  case object(type: String, key: ObjectKey?)
}

extension QueryValue {
  /// Compares two values. Texts are equal if their UTF-8 bytes are equal, as in a store.
  package static func == (first: QueryValue, second: QueryValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.bool(let first), .bool(let second)): first == second
    case (.integer(let first), .integer(let second)): first == second
    case (.double(let first), .double(let second)), (.date(let first), .date(let second)): first == second
    case (.decimal(let first), .decimal(let second)): first == second
    case (.string(let first), .string(let second)): first.hasSameBytes(as: second)
    case (.data(let first), .data(let second)), (.nested(let first), .nested(let second)): first == second
    case (.uuid(let first), .uuid(let second)): first == second
    case (.objectId(let first), .objectId(let second)): first == second
    case (.object(let type, let key), .object(let otherType, let otherKey)):
      type == otherType && key == otherKey
    default: false
    }
  }
}
