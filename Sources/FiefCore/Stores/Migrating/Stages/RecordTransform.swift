import LMDB

/// Converts the records of one state of a stage into the records of another state, including their embedded
/// objects.
///
/// Its closures determine how links are mapped, and how objects become embedded or separate.
final class RecordTransform {
  /// Returns the key of a link's new target, or `nil` if the target no longer exists.
  typealias LinkMapping = (_ column: ColumnEntry, _ type: String, _ key: UnsafeRawBufferPointer) throws
    -> [UInt8]?
  /// Creates a separate object from an embedded record, and returns its key.
  typealias Extraction = (_ type: String, _ record: UnsafeRawBufferPointer, _ depth: Int) throws -> [UInt8]
  /// Returns the embedded record of an object.
  typealias Inlining = (_ type: String, _ key: UnsafeRawBufferPointer, _ depth: Int) throws -> [UInt8]?

  /// Converts a payload to another type. Nil stays `nil`.
  typealias Conversion = (_ type: String, _ from: ColumnEntry, _ to: ColumnEntry, _ payload: [UInt8]?) throws
    -> [UInt8]?

  enum Source {
    case copy(ColumnEntry)
    case convert(ColumnEntry)
    case generate
    case links(own: ColumnEntry?, pending: [ColumnEntry])
    case extract(ColumnEntry)
    case inline(ColumnEntry)
    case nested(ColumnEntry)
    /// Values of any type, whose references are mapped.
    case values(ColumnEntry)
    case missing
  }

  let from: StoreTables
  let to: StoreTables
  let store: String
  /// Returns the source of a column in a type's new layout.
  var source: (_ column: ColumnEntry, _ from: Table, _ to: Table) -> Source = { _, _, _ in .missing }
  /// Returns the new reference to an object in an `AnyRealmValue`, or `nil` if the object was deleted.
  var mapReference: (ObjectReference) throws -> ObjectReference? = { $0 }
  var mapLink: LinkMapping = { _, _, key in [UInt8](key) }
  var extract: Extraction = { _, _, _ in [] }
  var inline: Inlining = { _, _, _ in nil }
  var convert: Conversion = { _, _, _, payload in payload }
  private var plans: [String: [(column: ColumnEntry, source: Source)]] = [:]

  init(from: StoreTables, to: StoreTables) {
    self.from = from
    self.to = to
    self.store = to.storeName
  }

  private func plan(_ source: Table, _ target: Table) -> [(column: ColumnEntry, source: Source)] {
    if let known = plans[target.name] { return known }
    let plan = target.currentLayout.columns.map { ($0, self.source($0, source, target)) }
    plans[target.name] = plan
    return plan
  }

  /// Returns the record of an object in the current layout of its new table.
  ///
  /// - Parameters:
  ///   - key: the object's key, with which its record is verified, or `nil` for an embedded object.
  ///   - depth: the number of embedded objects around the record.
  /// - Throws: ``FiefError`` of code `damagedRecord`. Without this check, the new record of a damaged record
  ///   would have a valid checksum.
  func record(
    _ record: UnsafeRawBufferPointer,
    key: UnsafeRawBufferPointer?,
    type: String,
    isEmbedded: Bool,
    depth: Int = 0
  ) throws -> [UInt8] {
    guard let source = from[type], let target = to[type] else {
      throw FiefError(.unknownType, "The store has no such type.", store: store, type: type)
    }
    guard depth < ObjectGraph.deepestEmbedding else {
      throw FiefError(
        .migrationFailed,
        "Objects that become embedded link to each other in a cycle.",
        store: store,
        type: type,
        details: ["the limit: \(ObjectGraph.deepestEmbedding)"]
      )
    }
    let view = try source.view(record)
    if let key { try verify(view, key, of: source) }
    var writer = ValueWriter(reserving: record.count + 64)
    var builder = RecordBuilder(layout: target.currentLayout, in: &writer)
    for (place, (column, from)) in zip(target.currentLayout.places, plan(source, target)) {
      switch from {
      case .copy(let old):
        try source.payload(of: old, in: view, key: key) { builder.set($0, place, in: &writer) }
      case .generate:
        let old = source.entry.column(named: column.name)
        if let old, !source.lacks(old, in: view) {
          try source.payload(of: old, in: view, key: key) { builder.set($0, place, in: &writer) }
        } else {
          ClassDefaults.generated(column.type).withUnsafeBytes { builder.set($0, place, in: &writer) }
        }
      default:
        let payload = try payload(column, from, source, view, depth)
        if let payload {
          payload.withUnsafeBytes { builder.set($0, place, in: &writer) }
        } else {
          builder.set(nil, place, in: &writer)
        }
      }
    }
    let start = try builder.finish(withChecksum: !isEmbedded, in: &writer)
    return writer.withBytes { [UInt8]($0[start...]) }
  }

  private func verify(_ view: RecordView, _ key: UnsafeRawBufferPointer, of table: Table) throws {
    do throws(FiefError) { try view.verifyChecksum(key, of: table) } catch {
      var error = error
      error.store = store
      error.type = table.name
      error.key = table.text(ofKey: [UInt8](key))
      throw error
    }
  }

  private func payload(
    _ column: ColumnEntry,
    _ from: Source,
    _ source: Table,
    _ view: RecordView,
    _ depth: Int
  ) throws -> [UInt8]? {
    var result: [UInt8]?
    switch from {
    case .links(let own, let pending):
      for old in [own].compactMap({ $0 }) + pending where result == nil {
        let mapped = try elements(of: old, as: column.type, source, view) { [mapLink] in
          try mapLink(old, column.type.target ?? "", $0)
        }
        // An empty collection is replaced by the links that wait for their objects to be moved.
        if let mapped, column.type.container == .none || mapped.first != 0 { result = mapped }
      }
    case .extract(let old):
      result = try elements(of: old, as: column.type, source, view) { [extract] in
        try extract(column.type.target ?? "", $0, depth + 1)
      }
    case .inline(let old):
      result = try elements(of: old, as: column.type, source, view) { [inline] in
        try inline(column.type.target ?? "", $0, depth + 1)
      }
    case .nested(let old):
      result = try elements(of: old, as: column.type, source, view) { record in
        try self.record(
          record,
          key: nil,
          type: column.type.target ?? "",
          isEmbedded: true,
          depth: depth + 1
        )
      }
    case .values(let old):
      result = try elements(of: old, as: column.type, source, view) { [mapReference] in
        try AnyRealmValue.mappingObjects($0, mapReference)
      }
    case .convert(let old):
      var payload: [UInt8]?
      try source.payload(of: old, in: view) { payload = $0.map { [UInt8]($0) } }
      result = try convert(source.name, old, column, payload)
    case .missing: result = column.defaultPayload
    case .copy, .generate: break
    }
    return result
  }

  /// Returns a column's payload with each element, or the single value, replaced. Elements for which `body`
  /// returns `nil` are removed.
  private func elements(
    of column: ColumnEntry,
    as type: ColumnType,
    _ table: Table,
    _ view: RecordView,
    _ body: (UnsafeRawBufferPointer) throws -> [UInt8]?
  ) throws -> [UInt8]? {
    var old: [UInt8]?
    // The payload is copied, because a write in `body` may move the page of the record.
    try table.payload(of: column, in: view) { old = $0.map { [UInt8]($0) } }
    guard let old else { return nil }
    return try old.withUnsafeBytes { payload in
      if type.container == .none { return try body(payload) }
      return try CollectionPayload.mapping(payload, from: column.type, to: type, body)
    }
  }
}

extension CollectionPayload {
  /// Returns the payload with each element that is not nil replaced. If `body` returns `nil`, the element is
  /// omitted, or becomes nil in a map with optional values.
  static func mapping(
    _ payload: UnsafeRawBufferPointer,
    from: ColumnType,
    to: ColumnType,
    _ body: (UnsafeRawBufferPointer) throws -> [UInt8]?
  ) throws -> [UInt8] {
    var elements: [(key: [UInt8]?, element: [UInt8]?)] = []
    try forEach(payload, type: from) { key, element in
      let mapped = try element.flatMap { try body($0) }
      if mapped == nil, !to.isOptional || (element != nil && to.container != .map) { return }
      elements.append((key.map { [UInt8]($0) }, mapped))
    }
    var writer = ValueWriter()
    writer.appendCount(elements.count)
    for (key, element) in elements {
      if let key { writer.appendSized { $0.append(key) } }
      appendElement(of: to, to: &writer) { writer in
        if to.isOptional { writer.appendInteger(UInt8(element == nil ? 0 : 1)) }
        if let element { writer.append(element) }
      }
    }
    // The order of a set, and which elements are equal, depends on the new elements.
    return try inOrder(writer.bytes, type: to)
  }
}
