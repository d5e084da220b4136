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
