import Foundation
import LMDB

/// The order of a query's rows. It creates a sort key of bytes for each row.
///
/// A sort key is a sequence of elements, each of which contains its own end. Comparing the bytes therefore
/// compares the values one by one. If a text is ordered by the rules of a locale, each element has a length
/// prefix and the elements are compared one by one.
package final class RowOrder {
  package struct Part {
    let operand: RowOperand
    let order: QueryOrder
    let locale: Locale?
  }

  package let parts: [Part]
  // The operands of the parts. Copying a part would retain five references.
  private let operands: [RowOperand]
  let usesLocale: Bool
  /// The buffer for an element whose length is not known yet.
  private var element = ValueWriter()
  private let leadingNumber: LeadingNumber?

  /// The first part of the order, if it is a number.
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

  /// Appends the sort key of a row.
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

  /// Returns a lower bound of the first eight bytes of a row's sort key without building the sort key, or
  /// `nil` if that is not possible.
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

  /// Returns a filter that rejects records whose first sort value makes the first bytes of the sort key
  /// greater than `prefix`. Returns `nil` if the first part is not an integer column that can be read from
  /// blocks.
  func leadingFilter(notAbove prefix: UInt64) -> LeadingFilter? {
    guard case .integer(let operand)? = leadingNumber,
      let reader = (operand as? ColumnOperand)?.column.integers
    else { return nil }
    return LeadingFilter(reader, parts[0].order, prefix)
  }

  /// Returns the values of the parts for a row.
  package func values(of row: QueryRow, in environment: QueryEnvironment) throws -> [QueryValue] {
    try parts.map { try $0.operand.value(of: row, in: environment) }
  }

  /// Appends the number of parts, and their values for a row.
  func appendValues(
    of row: QueryRow,
    in environment: QueryEnvironment,
    to writer: inout ValueWriter
  ) throws {
    writer.appendCount(operands.count)
    for operand in operands { try operand.value(of: row, in: environment).append(to: &writer) }
  }

  /// Compares two sort keys: negative if the first comes before the second, 0 if they are equal.
  package func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    usesLocale ? compareElements(first, second) : ByteRange.compare(first, second)
  }

  /// Compares a sort key with the start of a sort key, which may have fewer elements. Only these elements are
  /// compared.
  func compare(_ key: UnsafeRawBufferPointer, toBeginning beginning: UnsafeRawBufferPointer) -> Int {
    if usesLocale { return compareElements(key, beginning) }
    // Comparing bytes is enough, because no element is a prefix of another.
    return ByteRange.compare(UnsafeRawBufferPointer(rebasing: key.prefix(beginning.count)), beginning)
  }

  /// Compares as many elements as both keys have.
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
