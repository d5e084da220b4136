import Foundation
import LMDB

/// The values of a kind as key elements: their range, and the positions of constants among them.
struct ElementDomain {
  let kind: ColumnType.Kind
  private let range: KeyDomain

  /// Returns `nil` if values of the kind are not ordered in keys.
  init?(_ kind: ColumnType.Kind) {
    guard let range = kind.domain else { return nil }
    self.kind = kind
    self.range = range
  }

  var all: ByteRange { ByteRange(lower: range.lower, upper: range.upper) }

  /// Returns the elements for which a comparison with a constant other than nil may hold, or `nil` if
  /// elements cannot decide the comparison.
  func set(_ comparison: QueryComparison, _ value: QueryValue) -> ElementSet? {
    switch comparison {
    case .equal: equal(to: value)
    case .notEqual: equal(to: value)?.complement()
    case .less, .lessOrEqual, .greater, .greaterOrEqual: ordered(comparison, value)
    case .beginsWith: beginning(with: value)
    case .like: like(value)
    case .contains, .endsWith: nil
    }
  }

  private func equal(to value: QueryValue) -> ElementSet? {
    if Self.isNotANumber(value) { return ElementSet.none }
    guard let bounds = bounds(of: value) else { return nil }
    guard bounds.isExact else {
      return ElementSet(ByteRange(lower: bounds.lower, upper: bounds.upper), isExact: false)
    }
    return ElementSet(
      parts: bounds.points.map { ElementSet.Part(range: ByteRange(prefix: $0), isPoint: true) },
      isExact: true
    )
  }

  /// Returns the elements of all values that equal a constant, as stored in a unique index, or `nil` if they
  /// cannot be listed.
  func elements(equalTo value: QueryValue) -> [[UInt8]]? {
    if Self.isNotANumber(value) { return [] }
    var encoder = KeyEncoder()
    switch (kind, value) {
    case (.string, .string(let text)): encoder.append(string: text)
    case (.data, .data(let bytes)): encoder.append(bytes: bytes)
    default:
      guard let bounds = bounds(of: value), bounds.isExact else { return nil }
      // A zero has two points; the last one is positive zero.
      return bounds.points.last.map { [$0] } ?? []
    }
    return [encoder.bytes]
  }

  private func ordered(_ comparison: QueryComparison, _ value: QueryValue) -> ElementSet? {
    if Self.isNotANumber(value) { return ElementSet.none }
    guard kind != .bool, let bounds = bounds(of: value) else { return nil }
    let rest: ByteRange
    switch comparison {
    case .less: rest = ByteRange(lower: range.lower, upper: bounds.isExact ? bounds.lower : bounds.upper)
    case .lessOrEqual: rest = ByteRange(lower: range.lower, upper: bounds.upper)
    case .greater: rest = ByteRange(lower: bounds.isExact ? bounds.upper : bounds.lower, upper: range.upper)
    default: rest = ByteRange(lower: bounds.lower, upper: range.upper)
    }
    return ElementSet(rest, isExact: bounds.isExact)
  }

  private func beginning(with value: QueryValue) -> ElementSet? {
    switch (kind, value) {
    case (.string, .string), (.data, .data):
      guard let element = bounds(of: value) else { return nil }
      // Without its terminator, an element is a prefix of all longer texts that begin with it.
      guard let point = element.points.first else {
        return ElementSet(ByteRange(prefix: element.lower), isExact: false)
      }
      return ElementSet(ByteRange(prefix: Array(point.dropLast())))
    default: return nil
    }
  }

  /// Returns the elements that begin with the part of a pattern before its first wildcard.
  private func like(_ value: QueryValue) -> ElementSet? {
    guard kind == .string, case .string(let pattern) = value else { return nil }
    let literal = pattern.unicodeScalars.prefix { $0 != "?" && $0 != "*" && $0 != "\\" }
    guard !literal.isEmpty else { return nil }
    return beginning(with: .string(String(String.UnicodeScalarView(literal))))?.inexact()
  }

  private static func isNotANumber(_ value: QueryValue) -> Bool {
    switch value {
    case .double(let value), .date(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }

  /// Returns the bounds of a constant, or `nil` if elements of the kind cannot be compared with the constant.
  func bounds(of value: QueryValue) -> ElementBounds? {
    var encoder = KeyEncoder()
    switch (kind, value) {
    case (.bool, .bool(let value)): encoder.append(value)
    case (.int8, _), (.int16, _), (.int32, _), (.int64, _): return integerBounds(of: value)
    case (.float, _): return floatBounds(of: value)
    case (.double, _): return doubleBounds(of: value)
    case (.date, .date(let seconds)): return .number(seconds) { KeyElementImage(date: $0) }
    case (.string, .string(let text)): encoder.append(string: text)
    case (.data, .data(let bytes)): encoder.append(bytes: bytes)
    case (.uuid, .uuid(let uuid)): encoder.append(uuid: uuid.uuid)
    case (.objectId, .objectId(let id)):
      do { try id.withBytes { try encoder.append(objectID: $0) } } catch { return nil }
    case (.decimal, _): return decimalBounds(of: value)
    default: return nil
    }
    return ElementBounds(point: encoder.bytes)
  }
}
