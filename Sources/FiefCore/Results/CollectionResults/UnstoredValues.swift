// Aggregates of collections that belong to no object in a store. They use the values of the objects in
// memory.

extension Array where Element: Persistable & RealmCollectionValue {
  /// Returns the minimum value, or `nil` if there are no values. NaN is ignored.
  func least() -> Element? { best(.less) }

  /// Returns the maximum value, or `nil` if there are no values. NaN is ignored.
  func greatest() -> Element? { best(.greater) }

  /// Returns the minimum or the maximum value, comparing the stored forms.
  private func best(_ comparison: QueryComparison) -> Element? {
    let kind = Element._columnType.kind
    var best: (value: Element, payload: [UInt8])?
    do {
      for value in self {
        var writer = ValueWriter()
        try value._append(to: &writer)
        let payload = writer.bytes
        let isBetter = try payload.withUnsafeBytes { bytes in
          let new = try RowValue(bytes, kind)
          guard let best else { return RowValue.holds(new, .equal, new) }
          return try best.payload.withUnsafeBytes {
            RowValue.holds(new, comparison, try RowValue($0, kind))
          }
        }
        if isBetter { best = (value, payload) }
      }
    } catch { reportUnstored(error) }
    return best?.value
  }
}

extension Array where Element: AggregatableNumber {
  /// Returns the sum. If the sum does not fit the type, returns 0 and reports an error.
  func sum() -> Element {
    do { return try ValueFold.sum(self) } catch {
      reportUnstored(error)
      return Element._defaultValue()
    }
  }

  /// Returns the mean, or `nil` if there are no values.
  func average() -> Double? {
    do { return try ValueFold.average(self) } catch {
      reportUnstored(error)
      return nil
    }
  }
}

extension Array where Element: Object {
  /// Returns the values of the named property that are not nil. Values of another type are left out and
  /// reported.
  func values<Value: RealmCollectionValue>(_ property: String) -> [Value] {
    guard let found = values(of: property) else { return [] }
    let values = found.compactMap { $0 as? Value }
    if values.count < found.count {
      reportUnstored(unexpected(property, "The property has a different type.", "requested: \(Value.self)"))
    }
    return values
  }

  /// Returns the mean of the named property, or `nil` if there are no values.
  func average(_ property: String) -> Double? {
    guard let found = values(of: property) else { return nil }
    let numbers = found.compactMap { value in
      (value as? any AggregatableNumber).flatMap { Self.number($0) }
    }
    if numbers.count < found.count {
      reportUnstored(unexpected(property, "The property is not numeric.", nil))
      return nil
    }
    return numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }

  private static func number(_ value: some AggregatableNumber) -> Double? { [value].average() }

  private func values(of property: String) -> [any Persistable]? {
    var found: [any Persistable] = []
    for object in self {
      guard let descriptor = object.descriptor.property(named: property) else {
        reportUnstored(unexpected(property, "The type has no property of that name.", nil))
        return nil
      }
      let value = object.value(of: descriptor)
      if !value._isNil {
        found.append(((value as? any OptionalValue)?.containedValue as? any Persistable) ?? value)
      }
    }
    return found
  }

  private func unexpected(_ property: String, _ message: String, _ detail: String?) -> FiefError {
    FiefError(
      .invalidQuery,
      message,
      type: Element.className(),
      property: property,
      details: detail.map { [$0] } ?? []
    )
  }
}

extension Array {
  fileprivate func reportUnstored(_ error: any Error) {
    ObjectContext.ofNoStore().report(error, type: "", property: (error as? FiefError)?.property)
  }
}
