import Foundation
import LMDB

/// The order of a query's rows: for each row bytes that are compared.
///
/// The elements of a row's key follow one another, each of which ends by itself, so that comparing the bytes
/// compares the values one after another. Where a text is ordered as a language has it, each element has its
/// length before it, and the elements are compared one by one.
package final class RowOrder {
  package struct Part {
    let operand: RowOperand
    let order: QueryOrder
    let locale: Locale?
  }

  package let parts: [Part]
  // The operands of the parts; copying a part would copy five references.
  private let operands: [RowOperand]
  let usesLocale: Bool
  /// The buffer in which an element is put together before its length is known.
  private var element = ValueWriter()
  private let leadingNumber: LeadingNumber?

  /// The first part, where it is a number.
  private enum LeadingNumber {
    case integer(RowOperand)
    case double(RowOperand)
    case date(RowOperand)
  }

  package init(_ parts: [Part]) {
    self.parts = parts
    operands = parts.map(\.operand)
    let usesLocale = parts.contains { $0.locale != nil }
    self.usesLocale = usesLocale
    leadingNumber =
      switch usesLocale ? nil : parts.first?.operand.kind {
      case .int8, .int16, .int32, .int64: .integer(parts[0].operand)
      case .float, .double: .double(parts[0].operand)
      case .date: .date(parts[0].operand)
      default: nil
      }
  }

  /// Appends the key of a row.
  package func append(_ row: QueryRow, in environment: QueryEnvironment, to writer: inout ValueWriter) throws
  {
    for part in parts {
      if usesLocale {
        element.removeAll()
        try append(part, of: row, in: environment, to: &element)
        writer.appendInteger(UInt32(element.count))
        element.withBytes { writer.append($0) }
      } else {
        try append(part, of: row, in: environment, to: &writer)
      }
    }
  }

  @inline(__always)
  private func append(
    _ part: Part,
    of row: QueryRow,
    in environment: QueryEnvironment,
    to writer: inout ValueWriter
  ) throws {
    OrderElement.append(
      try part.operand.evaluate(row, in: environment),
      kind: part.operand.kind,
      part.order,
      isLocalized: part.locale != nil,
      to: &writer
    )
  }

  /// A number that is not above the first eight bytes of a row's key, found without making the key; nil where
  /// that is not possible.
  @inline(__always)
  func leastPrefix(of row: QueryRow, in environment: QueryEnvironment) throws -> UInt64? {
    guard let number = leadingNumber else { return nil }
    let order = parts[0].order
    switch number {
    case .integer(let operand):
      guard let value = try operand.integer(of: row, in: environment) else { break }
      return OrderElement.leastPrefix(KeyElementImage(value), ascending: order.ascending)
    case .double(let operand):
      guard let value = try operand.double(of: row, in: environment) else { break }
      return OrderElement.leastPrefix(KeyElementImage(value == 0 ? 0 : value), ascending: order.ascending)
    case .date(let operand):
      guard let value = try operand.double(of: row, in: environment) else { break }
      return OrderElement.leastPrefix(
        KeyElementImage(date: value == 0 ? 0 : value),
        ascending: order.ascending
      )
    }
    return UInt64(OrderElement.nilMark(order)) << 56
  }

  /// A filter of the integers that the first part of a key may have if the key is not above one with some
  /// first bytes; nil where the first part is not a column of integers that is read from blocks.
  func leadingFilter(notAbove prefix: UInt64) -> LeadingFilter? {
    guard case .integer(let operand)? = leadingNumber,
      let reader = (operand as? ColumnOperand)?.column.integers
    else { return nil }
    return LeadingFilter(reader, parts[0].order, prefix)
  }

  /// The values that the parts have for a row.
  package func values(of row: QueryRow, in environment: QueryEnvironment) throws -> [QueryValue] {
    try parts.map { try $0.operand.value(of: row, in: environment) }
  }

  /// Appends the number of the parts, and the values that they have for a row.
  func appendValues(
    of row: QueryRow,
    in environment: QueryEnvironment,
    to writer: inout ValueWriter
  ) throws {
    writer.appendCount(operands.count)
    for operand in operands { try operand.value(of: row, in: environment).append(to: &writer) }
  }

  /// Negative where the first key comes before the second, 0 where they tie.
  package func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    usesLocale ? compareElements(first, second) : ByteRange.compare(first, second)
  }

  /// As ``compare(_:_:)``, where the second key may have fewer elements, which are then compared alone.
  func compare(_ key: UnsafeRawBufferPointer, toBeginning beginning: UnsafeRawBufferPointer) -> Int {
    if usesLocale { return compareElements(key, beginning) }
    // No element is the beginning of another one.
    return ByteRange.compare(UnsafeRawBufferPointer(rebasing: key.prefix(beginning.count)), beginning)
  }

  /// Compares as many elements as both have.
  private func compareElements(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    var first = first
    var second = second
    for part in parts {
      guard let a = Self.removeFirst(&first), let b = Self.removeFirst(&second) else { break }
      let order = part.locale.map { OrderElement.compare(a, b, part.order, $0) } ?? ByteRange.compare(a, b)
      if order != 0 { return order }
    }
    return 0
  }

  private static func removeFirst(_ key: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard key.count >= 4 else { return nil }
    let end = 4 + Int(UInt32(littleEndian: key.loadUnaligned(as: UInt32.self)))
    guard end <= key.count else { return nil }
    defer { key = UnsafeRawBufferPointer(rebasing: key[end...]) }
    return UnsafeRawBufferPointer(rebasing: key[4..<end])
  }
}
