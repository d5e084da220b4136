/// Encoding values by name: the value of a property, or the elements of a collection.
extension DynamicPayload {
  /// Appends one value that is not nil. Returns false if the value is omitted and nothing was appended.
  package typealias Append = (_ value: Any, ValueConversion, _ writer: inout ValueWriter) throws -> Bool

  /// Returns the payload of a value that contains no objects, or `nil` for nil.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` or `missingValue` if the value is not of the column's
  ///   type.
  static func payload(_ value: Any?, type: ColumnType, _ conversion: ValueConversion) throws -> [UInt8]? {
    try payload(value, type: type, conversion) {
      try append($0, type: type, $1, to: &$2)
      return true
    }
  }

  /// Returns the payload of a value, or `nil` for nil and for a single value that is omitted.
  ///
  /// - Parameter append: appends one value or element. Callers treat links and embedded objects differently.
  /// - Throws: ``FiefError`` of code `invalidValue` or `missingValue`, or an error of `append`.
  package static func payload(
    _ value: Any?,
    type: ColumnType,
    _ conversion: ValueConversion,
    append: Append
  ) throws -> [UInt8]? {
    guard let value, !ValueConversion.isNil(value) else {
      if type.isOptional || type.container != .none || type.kind == .link || type.kind == .any { return nil }
      throw conversion.error(.missingValue, "The property is required.")
    }
    switch type.container {
    case .none:
      var writer = ValueWriter()
      return try append(value, conversion, &writer) ? writer.bytes : nil
    case .list, .set:
      guard let elements = value as? [Any?] else { throw conversion.wrongType(value, expected: "an array") }
      return try payload(ofElements: elements, type, conversion, append)
    case .map:
      guard let entries = ValueConversion.members(of: value) else {
        throw conversion.wrongType(value, expected: "a dictionary")
      }
      return try payload(ofEntries: entries, type, conversion, append)
    }
  }

  private static func payload(
    ofElements elements: [Any?],
    _ type: ColumnType,
    _ conversion: ValueConversion,
    _ append: Append
  ) throws -> [UInt8] {
    var kept = ValueWriter()
    var count = 0
    for (index, element) in elements.enumerated()
    where try appendElement(element, type, conversion.element(index), append, to: &kept) {
      count += 1
    }
    var payload = ValueWriter()
    payload.appendCount(count)
    kept.withBytes { payload.append($0) }
    return try CollectionPayload.inOrder(payload.bytes, type: type)
  }

  private static func payload(
    ofEntries entries: [JSONObject.Member],
    _ type: ColumnType,
    _ conversion: ValueConversion,
    _ append: Append
  ) throws -> [UInt8] {
    var kept = ValueWriter()
    var count = 0
    for entry in entries.sorted(by: { $0.name.precedes($1.name) }) {
      let start = kept.count
      kept.appendSized { $0.append(entry.name) }
      if try appendElement(entry.value, type, conversion.element(entry.name), append, to: &kept) {
        count += 1
      } else {
        kept.truncate(to: start)
      }
    }
    var payload = ValueWriter()
    payload.appendCount(count)
    kept.withBytes { payload.append($0) }
    return payload.bytes
  }

  /// - Returns: false if the element is omitted and nothing was appended.
  private static func appendElement(
    _ element: Any?,
    _ type: ColumnType,
    _ conversion: ValueConversion,
    _ append: Append,
    to writer: inout ValueWriter
  ) throws -> Bool {
    let value = element.flatMap { ValueConversion.isNil($0) ? nil : $0 }
    guard value != nil || type.isOptional || type.kind == .any else {
      throw conversion.error(.missingValue, "The element is required.")
    }
    var isKept = true
    try CollectionPayload.appendElement(of: type, to: &writer) { writer in
      if type.isOptional { writer.appendInteger(UInt8(value == nil ? 0 : 1)) }
      if let value { isKept = try append(value, conversion, &writer) }
    }
    return isKept
  }
}
