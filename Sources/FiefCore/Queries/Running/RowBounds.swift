import LMDB

/// The places in the order of a query between which its rows are, as bytes.
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

    /// Negative where a row comes before the bound, 0 where it is at it.
    func compare(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ order: RowOrder) -> Int {
      let result = beginning.withUnsafeBytes { order.compare(sortKey, toBeginning: $0) }
      guard result == 0, let own = self.key else { return result }
      return own.withUnsafeBytes { ByteRange.compare(key, $0) }
    }
  }

  private let order: RowOrder
  private let start: Bound?
  private let end: Bound?

  /// nil where there are none.
  package init?(_ start: QueryBound?, _ end: QueryBound?, _ order: RowOrder, _ binder: QueryBinder) throws {
    if start == nil, end == nil { return nil }
    self.order = order
    self.start = try start.map { try Bound($0, order, binder) }
    self.end = try end.map { try Bound($0, order, binder) }
  }

  /// Whether a row with this sort key is between them.
  package func contain(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) -> Bool {
    if let start {
      let result = start.compare(sortKey, key, order)
      if result < 0 || (result == 0 && !start.isInclusive) { return false }
    }
    return !isBehind(sortKey, key)
  }

  /// Whether a row, and so each that follows it, is behind the end.
  func isBehind(_ sortKey: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) -> Bool {
    guard let end else { return false }
    let result = end.compare(sortKey, key, order)
    return result > 0 || (result == 0 && !end.isInclusive)
  }
}

extension RowOrder {
  /// Appends the beginning of a key: the elements of values.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for more values than there are parts, and for values that
  ///   the parts cannot have.
  fileprivate func append(_ values: [QueryValue], _ binder: QueryBinder, to writer: inout ValueWriter) throws
  {
    guard values.count <= parts.count else {
      throw binder.invalid(
        "A place in an order has at most as many values as the order has properties.",
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
  /// A value as the part can have it.
  fileprivate func value(_ value: QueryValue, _ binder: QueryBinder) throws -> QueryValue {
    guard value != .null, let kind = operand.kind, kind != .any else { return value }
    if let number = value.number(as: kind) { return number }
    if value.kind == kind { return value }
    throw binder.invalid(
      "A place in an order has a value that the property cannot have.",
      details: [
        "value: " + HiddenValue.text("\(value)", summary: value.kind?.swiftName ?? "nil"),
        "property: \(kind.swiftName)",
      ]
    )
  }
}
