import Foundation

/// A value in a query: one that an application or a person compares with, or one of a column.
package enum QueryValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case data([UInt8])
  /// Seconds since the beginning of 2001 UTC.
  case date(Double)
  case uuid(UUID)
  case objectId(ObjectId)
  /// A list or a dictionary in a value of any type: its payload.
  case nested([UInt8])
  /// An object of a type, by its key. One that is in no store has none, and equals no other.
  case object(type: String, key: ObjectKey?)
}

extension QueryValue {
  /// Texts are equal if their UTF-8 bytes are, as in a store.
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
