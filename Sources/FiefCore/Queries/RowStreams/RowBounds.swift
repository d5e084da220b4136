import LMDB

/// The bounds of a query's rows in the query's order, as bytes.
package struct RowBounds {
  private struct Bound {
    let beginning: [UInt8]
    let key: [UInt8]?
    let isInclusive: Bool

    init(_ bound: QueryBound, _ order: RowOrder, _ binder: QueryBinder) throws {
      var writer = ValueWriter()
      try order.append(bound.values, binder, to: &writer)
      beginning = writer.bytes
      key = bound.key?.bytes
      isInclusive = bound.isInclusive
    }

    /// Compares a row with the bound: negative if the row comes before the bound, 0 if it is at the bound.
    func compare(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ order: RowOrder) -> Int {
      let result = beginning.withUnsafeBytes { order.compare(sortKey, toBeginning: $0) }
      guard result == 0, let own = self.key else { return result }
      return own.withUnsafeBytes { ByteRange.compare(key, $0) }
    }
  }

  private let order: RowOrder
  private let start: Bound?
  private let end: Bound?

  /// Returns `nil` if there are no bounds.
  package init?(_ start: QueryBound?, _ end: QueryBound?, _ order: RowOrder, _ binder: QueryBinder) throws {
    if start == nil, end == nil { return nil }
    self.order = order
    self.start = try start.map { try Bound($0, order, binder) }
    self.end = try end.map { try Bound($0, order, binder) }
  }

  /// Whether a row with this sort key is between the bounds.
  package func contain(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) -> Bool {
    if let start {
      let result = start.compare(sortKey, key, order)
      if result < 0 || (result == 0 && !start.isInclusive) { return false }
    }
    return !isBehind(sortKey, key)
  }

  /// Whether a row, and therefore every later row, is after the end.
  func isBehind(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) -> Bool {
    guard let end else { return false }
    let result = end.compare(sortKey, key, order)
    return result > 0 || (result == 0 && !end.isInclusive)
  }
}

extension RowOrder {
  /// Appends the start of a sort key: the elements of the given values.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if there are more values than parts, or if a value does
  ///   not fit its part.
  fileprivate func append(_ values: [QueryValue], _ binder: QueryBinder, to writer: inout ValueWriter) throws
  {
    guard values.count <= parts.count else {
      throw binder.invalid(
        "A position in an order has more values than the order has properties.",
        details: ["properties: \(parts.count)", "values: \(values.count)"]
      )
    }
    for (part, value) in zip(parts, values) {
      let constant = try binder.operand(.value(try part.value(value, binder)))
      var element = ValueWriter()
      OrderElement.append(
        constant.constant ?? .null,
        kind: part.operand.kind,
        part.order,
        isLocalized: part.locale != nil,
        to: &element
      )
      if usesLocale { writer.appendInteger(UInt32(element.count)) }
      element.withBytes { writer.append($0) }
      withExtendedLifetime(constant) {}
    }
  }
}

extension RowOrder.Part {
  /// Converts a value of a position to the kind of the property by which this part sorts.
  fileprivate func value(_ value: QueryValue, _ binder: QueryBinder) throws -> QueryValue {
    guard value != .null, let kind = operand.kind, kind != .any else { return value }
    if let number = value.number(as: kind) { return number }
    if value.kind == kind { return value }
    throw binder.invalid(
      "A position in an order has a value that does not fit the property.",
      details: [
        "value: " + HiddenValue.text("\(value)", summary: value.kind?.facts.swiftName ?? "nil"),
        "property: \(kind.facts.swiftName)",
      ]
    )
  }
}
