import Foundation
import LMDB

/// Key elements of columns of `AnyRealmValue`s. The elements are payloads without an order by value, so only
/// equal values can be looked up.
enum AnyElements {
  static func set(_ comparison: QueryComparison, _ value: QueryValue) -> ElementSet? {
    switch comparison {
    case .equal: equal(to: value)
    case .notEqual: equal(to: value)?.complement()
    default: nil
    }
  }

  private static func equal(to value: QueryValue) -> ElementSet? {
    guard let elements = elements(equalTo: value) else { return nil }
    return .union(elements.map(set(ofElement:)))
  }

  /// Returns the elements of all values that equal a constant, or `nil` if they cannot be listed.
  static func elements(equalTo value: QueryValue) -> [[UInt8]]? {
    var values: [AnyRealmValue]
    switch value {
    case .bool(let value): values = [.bool(value)]
    case .string(let value): values = [.string(value)]
    case .data(let value): values = [.data(Data(value))]
    case .uuid(let value): values = [.uuid(value)]
    case .objectId(let value): values = [.objectId(value)]
    // NaN equals nothing, as in all columns.
    case .date(let seconds) where seconds.isNaN: return []
    case .date(let seconds):
      values = [.date(Date(timeIntervalSinceReferenceDate: seconds))]
      if seconds == 0 {
        values = [0.0, -0.0].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
      }
    case .integer(let value):
      // Up to this magnitude, every numeric type represents an integer exactly.
      guard value.magnitude < 1 << 24 else { return nil }
      values = [
        .int(Int(value)), .float(Float(value)), .double(Double(value)), .decimal128(Decimal(value)),
      ]
      if value == 0 { values += [.float(-0.0), .double(-0.0)] }
    case .null, .double, .decimal, .object, .nested: return nil
    }
    var elements: [[UInt8]] = []
    for value in values {
      var writer = ValueWriter()
      do { try value._append(to: &writer) } catch { return nil }
      var encoder = KeyEncoder()
      encoder.append(bytes: writer.bytes)
      elements.append(encoder.bytes)
    }
    return elements
  }

  private static func set(ofElement element: [UInt8]) -> ElementSet {
    let bounds = ElementBounds(point: element)
    guard let element = bounds.points.first else {
      return ElementSet(ByteRange(prefix: bounds.lower), isExact: false)
    }
    return ElementSet(point: element)
  }
}
