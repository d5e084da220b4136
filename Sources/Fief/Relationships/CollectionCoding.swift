/// Elements of lists, sets and maps to and from payloads.
enum CollectionCoding {
  /// The type of elements as far as their payloads depend on it: a class is not asked for its name.
  private static func payloadType<Element: RealmCollectionValue>(of element: Element.Type) -> ColumnType {
    element is ObjectBase.Type ? ColumnType(.link) : element._elementType
  }

  static func append<Element: RealmCollectionValue>(
    _ elements: [Element],
    to writer: inout ValueWriter
  ) throws {
    writer.appendCount(elements.count)
    if Element.self is ObjectBase.Type {
      // SAFETY: the elements are objects of a class; an array of these is an array of `ObjectBase`.
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
    let type = payloadType(of: element)
    guard !reader.isAtEnd else { return [] }
    let count = try reader.count()
    var elements: [Element] = []
    elements.reserveCapacity(min(count, reader.rest.count))
    for _ in 0..<count {
      var element = ValueReader(
        try CollectionPayload.readElement(of: type, from: &reader),
        context: reader.context
      )
      if let value = try Element._readElement(from: &element) { elements.append(value) }
    }
    return elements
  }

  static func readEntries<Value: RealmCollectionValue>(
    _ value: Value.Type,
    from reader: inout ValueReader
  ) throws -> [String: Value] {
    let type = payloadType(of: value)
    guard !reader.isAtEnd else { return [:] }
    var entries: [String: Value] = [:]
    for _ in 0..<(try reader.count()) {
      let key = String(decoding: try reader.sized(), as: UTF8.self)
      var element = ValueReader(
        try CollectionPayload.readElement(of: type, from: &reader),
        context: reader.context
      )
      if let value = try Value._readElement(from: &element) { entries[key] = value }
    }
    return entries
  }

  /// The elements that the record of `owner` has; nil where it has none to be read.
  static func elements<Element: RealmCollectionValue>(
    _ element: Element.Type,
    of owner: ObjectBase,
    at offset: Int
  ) -> [Element]? {
    guard owner.isDeferred(at: offset) else { return nil }
    return owner.withDeferredPayload(at: offset) { try readElements(element, from: &$0) } ?? []
  }

  /// The payload of a value, as something to hash.
  static func bytes(of element: some RealmCollectionValue) -> [UInt8] {
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
    } else if let sequence = value as? any Sequence, !(value is String) {
      values = Array(sequence as any Sequence).map { $0 as Any }
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
