/// Encodes and decodes the elements of lists, sets and maps.
package enum CollectionCoding {
  static func append<Element: RealmCollectionValue>(
    _ elements: [Element],
    to writer: inout ValueWriter
  ) throws {
    writer.appendCount(elements.count)
    if Element.self is ObjectBase.Type {
      // SAFETY: the elements are objects of a class, so their array has the layout of an array of
      // `ObjectBase`.
      for object in unsafeBitCast(elements, to: [ObjectBase].self) {
        try writer.appendSized { try object._appendElement(to: &$0) }
      }
      return
    }
    let type = Element._elementType
    for element in elements {
      try CollectionPayload.appendElement(of: type, to: &writer) { try element._appendElement(to: &$0) }
    }
  }

  static func readElements<Element: RealmCollectionValue>(
    _ element: Element.Type,
    from reader: inout ValueReader
  ) throws -> [Element] {
    let type = element._payloadType
    guard !reader.isAtEnd else { return [] }
    if let whole = try wholePayload(reader) {
      return try whole.withUnsafeBytes { bytes in
        var inner = ValueReader(bytes, context: reader.context)
        defer { reader.foundUnknown = reader.foundUnknown || inner.foundUnknown }
        return try readElements(element, from: &inner)
      }
    }
    let count = try reader.count()
    var elements: [Element] = []
    elements.reserveCapacity(min(count, reader.rest.count))
    for _ in 0..<count {
      var element = ValueReader(
        try CollectionPayload.readElement(of: type, from: &reader),
        context: reader.context
      )
      if let value = try Element._readElement(from: &element) { elements.append(value) }
      if element.foundUnknown { reader.foundUnknown = true }
    }
    return elements
  }

  /// Returns the elements of a run in order. An element is `nil` if the class cannot represent it.
  static func elements<Element: RealmCollectionValue>(
    _ element: Element.Type,
    of run: ElementRun,
    context: ObjectContext?
  ) throws -> [Element?] {
    let type = element._payloadType
    return try run.bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes, context: context)
      return try (0..<run.count).map { _ in
        var element = ValueReader(
          try CollectionPayload.readElement(of: type, from: &reader),
          context: context
        )
        return try Element._readElement(from: &element)
      }
    }
  }

  static func readEntries<Value: RealmCollectionValue>(
    _ value: Value.Type,
    from reader: inout ValueReader
  ) throws -> [(key: String, value: Value)] {
    let type = value._payloadType
    guard !reader.isAtEnd else { return [] }
    if let whole = try wholePayload(reader) {
      return try whole.withUnsafeBytes { bytes in
        var inner = ValueReader(bytes, context: reader.context)
        defer { reader.foundUnknown = reader.foundUnknown || inner.foundUnknown }
        return try readEntries(value, from: &inner)
      }
    }
    var entries: [(key: String, value: Value)] = []
    for _ in 0..<(try reader.count()) {
      let key = String(decoding: try reader.sized(), as: UTF8.self)
      var element = ValueReader(
        try CollectionPayload.readElement(of: type, from: &reader),
        context: reader.context
      )
      if let value = try Value._readElement(from: &element) { entries.append((key, value)) }
      if element.foundUnknown { reader.foundUnknown = true }
    }
    return entries
  }

  /// Returns the whole payload to which a marker refers, or `nil` if the reader already has the elements.
  private static func wholePayload(_ reader: ValueReader) throws -> [UInt8]? {
    guard let marker = try CollectionMarker(reader.rest) else { return nil }
    return try withCollection(of: marker, reader) { try $0.payload() }
  }

  /// Calls `body` with the large collection to which a reader's marker refers.
  ///
  /// - Throws: ``FiefError`` of code `storeClosed` if the reader has no store, `objectNotFound` or `conflict`
  ///   if the collection was removed or changed since the marker was read, or `damagedRecord` if the
  ///   collection is missing.
  static func withCollection<Value>(
    of marker: CollectionMarker,
    _ reader: ValueReader,
    _ body: (LargeCollection) throws -> Value
  ) throws -> Value {
    let context = reader.context
    let value = try context?.withTransaction { transaction, tables in
      guard let type = tables.type(of: marker) else { throw RecordView.damaged }
      let collection = try LargeCollection.at(marker, type: type, tables: tables, in: transaction)
      // Outside a scope, the collection may have changed since the marker was read.
      if context?.currentScope == nil, try !collection.isUnchanged(since: marker) {
        throw FiefError.staleCollection(exists: try collection.count() != nil)
      }
      return try body(collection)
    }
    guard let value else {
      throw FiefError(.storeClosed, "The collection cannot be read without its store.")
    }
    return value
  }

  /// Returns the elements of a payload of links.
  static func slots<Element: RealmCollectionValue>(
    _ payload: [UInt8],
    context: ObjectContext?
  ) throws -> ElementSlots<Element> {
    var count = 0
    var offset = 0
    if !payload.isEmpty {
      try payload.withUnsafeBytes { bytes in
        var reader = ValueReader(bytes, context: nil)
        count = try reader.count()
        offset = bytes.count - reader.rest.count
      }
    }
    return try ElementSlots(payload, from: offset, count: count, context: context)
  }

  /// Returns the payload of a value, for hashing.
  package static func bytes(of element: some RealmCollectionValue) -> [UInt8] {
    var writer = ValueWriter()
    try? element._appendElement(to: &writer)
    return writer.bytes
  }

  static func convertElements<Element: RealmCollectionValue>(
    _ element: Element.Type,
    _ value: Any,
    _ conversion: ValueConversion
  ) throws -> [Element] {
    let values: [Any]
    if ValueConversion.isNil(value) {
      values = []
    } else if let array = value as? [Any] {
      values = array
    } else if let sequence = value as? any Sequence, !(value is String), !(value is [String: Any]) {
      values = Array(sequence as any Sequence).map { $0 as Any }
    } else if let list = (value as? AnyRealmValue)?.listValue {
      values = list
    } else {
      throw conversion.wrongType(value, expected: "an array of \(Element._elementType)")
    }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      elements.append(try Element._convertElement(value, conversion.element(index)))
    }
    return elements
  }
}

extension Array where Element == Any {
  fileprivate init(_ sequence: any Sequence) {
    self = []
    func add(_ sequence: some Sequence) { for element in sequence { append(element) } }
    add(sequence)
  }
}
