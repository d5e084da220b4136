/// The canonical order of the elements of sets and maps. It makes the bytes of equal sets equal, and excludes
/// duplicates.
extension CollectionPayload {
  /// Returns the elements of a set as they are stored: without duplicates, in the order of their bytes.
  ///
  /// - Parameter elements: the payloads, without the length that precedes each in a collection.
  static func distinctInOrder(_ elements: [[UInt8]]) -> [[UInt8]] {
    let sorted = elements.sorted { $0.lexicographicallyPrecedes($1) }
    return sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }.map { sorted[$0] }
  }

  /// Appends the payload of a set with the given elements.
  static func appendSet(of elements: [[UInt8]], type: ColumnType, to writer: inout ValueWriter) {
    let distinct = distinctInOrder(
      hasManyForms(type.kind) ? elements.map { identity(of: $0, type: type) } : elements
    )
    writer.appendCount(distinct.count)
    for element in distinct { appendElement(of: type, to: &writer) { $0.append(element) } }
  }

  /// Returns the payload with its elements in their stored order. The payload of a list is unchanged.
  ///
  /// The tree of a large collection keeps elements of more than 400 bytes in the order of their hashes.
  static func inOrder(_ payload: [UInt8], type: ColumnType) throws -> [UInt8] {
    if type.container == .list { return payload }
    // Elements with different bytes may still be equal.
    let mayBeEqual = type.container == .set && hasManyForms(type.kind)
    if try !mayBeEqual && payload.withUnsafeBytes({ try isInOrder($0, type: type) }) { return payload }
    var entries: [(key: String, element: [UInt8])] = []
    try payload.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes, context: nil)
      for _ in 0..<(try reader.count()) {
        let key = type.container == .map ? String(decoding: try reader.sized(), as: UTF8.self) : ""
        entries.append((key, [UInt8](try readElement(of: type, from: &reader))))
      }
    }
    var writer = ValueWriter()
    if type.container == .set {
      appendSet(of: entries.map(\.element), type: type, to: &writer)
      return writer.bytes
    }
    writer.appendCount(entries.count)
    for (key, element) in entries.sorted(by: { $0.key.precedes($1.key) }) {
      writer.appendSized { $0.append(key) }
      appendElement(of: type, to: &writer) { $0.append(element) }
    }
    return writer.bytes
  }

  /// Whether the elements of a set, or the keys of a map, are in the order of their bytes and without
  /// duplicates.
  package static func isInOrder(_ payload: UnsafeRawBufferPointer, type: ColumnType) throws -> Bool {
    try isInOrder(payload, type: type) { $0.compare($1) < 0 }
  }

  /// Whether the keys of a map are sorted as Swift sorts strings. Builds from before 2026-11-28 wrote maps in
  /// this order.
  package static func isInFormerOrder(_ payload: UnsafeRawBufferPointer, type: ColumnType) throws -> Bool {
    guard type.container == .map else { return false }
    return try isInOrder(payload, type: type) {
      String(decoding: $0, as: UTF8.self) < String(decoding: $1, as: UTF8.self)
    }
  }

  private static func isInOrder(
    _ payload: UnsafeRawBufferPointer,
    type: ColumnType,
    _ precedes: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) throws -> Bool {
    guard type.container != .list, !payload.isEmpty else { return true }
    var reader = ValueReader(payload, context: nil)
    var last: UnsafeRawBufferPointer?
    for _ in 0..<(try reader.count()) {
      let key = type.container == .map ? try reader.sized() : nil
      let element = try readElement(of: type, from: &reader)
      if let last, !precedes(last, key ?? element) { return false }
      last = key ?? element
    }
    return true
  }
}
