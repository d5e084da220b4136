import Fief
import Foundation

@testable import FiefCore
@testable import LMDB

extension FuzzTarget {
  /// Payloads of columns as elements of keys and entries: the order of keys is that of the values, and keys give payloads back.
  static let values = FuzzTarget(
    name: "values",
    longest: 700,
    seeds: {
      [
        [ColumnType.Kind.int64.rawValue, 8, 5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0],
        [ColumnType.Kind.string.rawValue, 1, 0x61, 0x62],
        [ColumnType.Kind.decimal.rawValue, 3]
          + DecimalCoding.encode(12) + DecimalCoding.encode(-7) + DecimalCoding.encode(345),
      ]
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      guard let kind = ColumnType.Kind(rawValue: rest.byte()) else { return }
      let (first, second) = (rest.sized(), rest.remaining())
      guard let key = try ValueChecks.key(first, kind, defect),
        let other = try ValueChecks.key(second, kind, defect)
      else { return }
      try ValueChecks.checkOrder(first, key, second, other, kind)
      try ValueChecks.checkEntry(key, other)
    }
  )
}

private enum ValueChecks {
  /// The element of a payload; nil where it is none of the kind.
  static func key(_ payload: [UInt8], _ kind: ColumnType.Kind, _ defect: PlantedDefect) throws -> [UInt8]? {
    var encoder = KeyEncoder()
    do {
      try payload.withUnsafeBytes { try KeyCoding.append($0, kind: kind, to: &encoder) }
      _ = try payload.withUnsafeBytes { try KeyCoding.text(ofPayload: $0, kind: kind) }
    } catch let error as FiefError where error.code == .damagedRecord { return nil }
    let key = encoder.bytes
    _ = ObjectKey(bytes: key).description
    guard ColumnType(kind).canBePrimaryKey else { return key }
    var found = ValueWriter()
    try key.withUnsafeBytes { buffer in
      var decoder = KeyDecoder(buffer)
      try require(try KeyCoding.appendPayload(from: &decoder, kind: kind, to: &found), "nil: \(payload.hex)")
      try require(decoder.isAtEnd, "more than one element: \(payload.hex)")
    }
    var bytes = found.bytes
    // The sign of a negative integer of two bytes is lost.
    if defect.isPlanted, kind == .int16, bytes[1] & 0x80 != 0 { bytes[1] &= 0x7F }
    let isText = kind == .string && String(validating: payload, as: UTF8.self) == nil
    try require(isText || bytes == payload, "another payload of \(kind): \(payload.hex)")
    return key
  }

  static func checkOrder(
    _ first: [UInt8],
    _ key: [UInt8],
    _ second: [UInt8],
    _ other: [UInt8],
    _ kind: ColumnType.Kind
  ) throws {
    guard let before = try isBefore(first, second, kind), let behind = try isBefore(second, first, kind)
    else {
      return
    }
    let text = "\(kind): \(first.hex) \(second.hex)"
    if before {
      try require(key.lexicographicallyPrecedes(other), "keys are not in the order of values: \(text)")
    }
    if behind {
      try require(other.lexicographicallyPrecedes(key), "keys are not in the order of values: \(text)")
    }
  }

  /// Whether a value is less than another; nil where they have no order.
  private static func isBefore(_ first: [UInt8], _ second: [UInt8], _ kind: ColumnType.Kind) throws -> Bool? {
    let (one, two) = (try scalar(first, kind), try scalar(second, kind))
    switch (one, two) {
    case (let one as Int, let two as Int): return one < two
    case (let one as Float, let two as Float): return one.isNaN || two.isNaN ? nil : one < two
    case (let one as Double, let two as Double): return one.isNaN || two.isNaN ? nil : one < two
    case (let one as Date, let two as Date):
      let (one, two) = (one.timeIntervalSinceReferenceDate, two.timeIntervalSinceReferenceDate)
      return one.isNaN || two.isNaN ? nil : one < two
    case (let one as Decimal, let two as Decimal):
      try require(DecimalCoding.encode(one) == first || !isCanonical(first, one), "decimal \(first.hex)")
      return one.isNaN || two.isNaN ? nil : one < two
    case (let one as String, let two as String):
      return one.unicodeScalars.lexicographicallyPrecedes(two.unicodeScalars)
    default: return nil
    }
  }

  /// Whether the bytes are those that the number is written as.
  private static func isCanonical(_ bytes: [UInt8], _ value: Decimal) -> Bool {
    bytes.withUnsafeBytes { DecimalCoding.decode($0) } == value
      && DecimalCoding.encode(value).count == bytes.count
  }

  private static func scalar(_ payload: [UInt8], _ kind: ColumnType.Kind) throws -> Any? {
    do {
      return try payload.withUnsafeBytes { try DynamicPayload.value($0, type: ColumnType(kind)) }
    } catch let error as FiefError where error.code == .damagedRecord { return nil }
  }

  /// An entry of an index fits LMDB's keys and gives its object key back.
  static func checkEntry(_ first: [UInt8], _ second: [UInt8]) throws {
    let entry = CompositeKey(first: first, second: second)
    try require(entry.key.count <= ObjectKey.maximumLength, "an entry has \(entry.key.count) bytes")
    let found = entry.key.withUnsafeBytes { key in
      entry.value.withUnsafeBytes {
        CompositeKey.objectKey(key: key, value: $0, prefixCount: entry.firstCount)
      }
    }
    try require(found.bytes == second, "another object key: \(first.hex) \(second.hex)")
  }
}
