/// The kinds of an `AnyRealmValue` in addition to the kinds of columns.
///
/// The raw values are part of the format on disk. They differ from the raw values of column kinds.
package enum NestedKind: UInt8 {
  case list = 18
  case dictionary = 19
  /// A link to an object; see ``ObjectReference``.
  case object = 20
}

/// A list is encoded as the number of its elements, followed by each element with its size. In a dictionary
/// the key with its size precedes each element. The entries are sorted by the bytes of their keys, so equal
/// values have equal bytes.
extension AnyRealmValue {
  /// The maximum depth of nested lists and dictionaries.
  package static let deepest = 100

  func appendNested(depth: Int, to writer: inout ValueWriter) throws {
    switch self {
    case .list(let values):
      try Self.check(depth)
      writer.appendInteger(NestedKind.list.rawValue)
      writer.appendCount(values.count)
      for value in values { try writer.appendSized { try value.append(depth: depth + 1, to: &$0) } }
    case .dictionary(let values):
      try Self.check(depth)
      writer.appendInteger(NestedKind.dictionary.rawValue)
      writer.appendCount(values.count)
      for (key, value) in Self.sorted(values) {
        writer.appendSized { $0.append(key) }
        try writer.appendSized { try value.append(depth: depth + 1, to: &$0) }
      }
    case .object(let object): try appendObject(object, to: &writer)
    default: break
    }
  }

  /// Returns the entries in the order in which they are stored.
  static func sorted(_ values: [String: AnyRealmValue]) -> [(key: String, value: AnyRealmValue)] {
    values.sorted { $0.key.precedes($1.key) }
  }

  private static func check(_ depth: Int) throws(FiefError) {
    guard depth < deepest else { throw FiefError.nestedTooDeeply }
  }

  static func readNested(
    _ kind: NestedKind,
    depth: Int,
    from reader: inout ValueReader
  ) throws -> AnyRealmValue {
    if kind == .object { return try readObject(from: &reader) }
    // A damaged record can be nested to any depth, which would overflow the stack.
    guard depth < deepest else { throw RecordView.damaged }
    let count = try reader.count()
    var list: [AnyRealmValue] = []
    var dictionary: [String: AnyRealmValue] = [:]
    var last: UnsafeRawBufferPointer?
    for _ in 0..<count {
      var key: String?
      if kind == .dictionary {
        let bytes = try reader.sized()
        // Queries rely on the order to find a key, so entries in any other order are damaged.
        if let last, last.compare(bytes) >= 0 { throw RecordView.damaged }
        last = bytes
        key = String(validating: bytes, as: UTF8.self)
        if key == nil { throw FiefError(.damagedRecord, "A string is not valid UTF-8.") }
      }
      var element = ValueReader(try reader.sized(), context: reader.origin)
      let value = try read(depth: depth + 1, from: &element) ?? .none
      guard element.isAtEnd else { throw RecordView.damaged }
      if let key {
        guard dictionary.updateValue(value, forKey: key) == nil else { throw RecordView.damaged }
      } else {
        list.append(value)
      }
    }
    guard reader.isAtEnd else { throw RecordView.damaged }
    return kind == .list ? .list(list) : .dictionary(dictionary)
  }

  /// Converts a list or a dictionary of an application's or a document's values. Returns `nil` for any other
  /// value.
  static func convertNested(
    _ value: Any,
    depth: Int,
    _ conversion: ValueConversion
  ) throws -> AnyRealmValue? {
    if let collection = value as? any AnyValueCollection { return collection.asValue }
    if let object = ValueConversion.cast(value, to: Object.self) {
      return .object(try conversion.copied(object))
    }
    if let entries = ValueConversion.members(of: value) {
      return try dictionary(of: entries, depth: depth, conversion)
    }
    guard let values = value as? [Any] else { return nil }
    try check(depth, conversion)
    // The loop avoids a closure, which would take more stack space for each level.
    var list: [AnyRealmValue] = []
    list.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      list.append(try convert(value, depth: depth + 1, conversion.element(index)))
    }
    return .list(list)
  }

  static func dictionary(
    of entries: [JSONObject.Member],
    depth: Int,
    _ conversion: ValueConversion
  ) throws -> AnyRealmValue {
    try check(depth, conversion)
    var result: [String: AnyRealmValue] = [:]
    for entry in entries {
      let value = try convert(entry.value, depth: depth + 1, conversion.element(entry.name))
      guard result.updateValue(value, forKey: entry.name) == nil else { throw conversion.heldEqual }
    }
    return .dictionary(result)
  }

  private static func check(_ depth: Int, _ conversion: ValueConversion) throws {
    guard depth >= deepest else { return }
    let error = FiefError.nestedTooDeeply
    throw conversion.error(error.code, error.message, details: error.details)
  }
}

extension FiefError {
  fileprivate static var nestedTooDeeply: FiefError {
    FiefError(
      .invalidValue,
      "Lists and dictionaries of values of any type are nested too deeply.",
      details: ["the limit: \(AnyRealmValue.deepest)"]
    )
  }
}

/// A collection whose elements are of type `AnyRealmValue`.
protocol AnyValueCollection {
  /// The contents of the collection as one value.
  var asValue: AnyRealmValue { get }
}
