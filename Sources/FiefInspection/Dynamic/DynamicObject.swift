import FiefCore
import LMDB

/// An object that was read without its class: a copy of its record, whose values are read by name.
///
/// Later changes in the store do not change the copy.
public struct DynamicObject: Sendable {
  /// The name of the object's type.
  public let typeName: String
  /// The object's key in the store, or `nil` for an embedded object.
  public let key: ObjectKey?
  let table: Table
  let tables: StoreTables
  let record: [UInt8]

  /// - Throws: ``FiefError`` of code `damagedRecord` if the record is damaged.
  init(_ table: Table, _ tables: StoreTables, key: ObjectKey?, record: [UInt8]) throws {
    typeName = table.name
    self.key = key
    self.table = table
    self.tables = tables
    self.record = record
    try record.withUnsafeBytes { bytes in
      let view = try table.view(bytes)
      // The owner's checksum covers an embedded record.
      try key?.bytes.withUnsafeBytes { try view.verifyChecksum($0, of: table) }
    }
  }

  /// Creates an object whose record includes its large collections.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` if the record is damaged.
  init(
    _ table: Table,
    _ tables: StoreTables,
    key: ObjectKey,
    record: [UInt8],
    in transaction: LMDB.Transaction
  ) throws {
    let whole = try record.withUnsafeBytes { try RecordEditor.expanded($0, table, tables, in: transaction) }
    try self.init(table, tables, key: key, record: whole ?? record)
  }

  /// The names of the properties that have stored values, in the catalogue's order.
  public var propertyNames: [String] {
    table.entry.columns.filter { !$0.isDropped && $0.type.isStored }.map(\.name)
  }

  /// The value of a property. It is `nil` if the value is `nil`, if the type does not have the property or if
  /// the record is damaged; ``value(of:)`` distinguishes these cases.
  public subscript(name: String) -> Any? { try? value(of: name) }

  /// Returns the value of a property.
  ///
  /// - Returns: `nil` for `nil`; integers of every width as `Int`; other single values as their Swift types
  ///   or ``AnyRealmValue``; a link, or an object in an ``AnyRealmValue``, as ``DynamicLink``; an embedded
  ///   object as ``DynamicObject``; lists and sets as arrays of these, and maps as dictionaries of these.
  /// - Throws: ``FiefError`` of code `unknownProperty` or `damagedRecord`, or of code `invalidValue` if a map
  ///   has keys that differ only in Unicode normalization, which a dictionary cannot contain.
  public func value(of name: String) throws -> Any? {
    guard let column = table.entry.column(named: name), column.type.isStored else {
      throw FiefError(.unknownProperty, "The type has no such property.", type: typeName, property: name)
    }
    var result: Any?
    do {
      try withPayload(of: column) { result = try value($0, column.type) }
    } catch {
      throw FiefError.described(
        error,
        store: tables.storeName,
        type: typeName,
        key: (key?.bytes).map(table.shown)
      )
    }
    return result
  }

  /// Returns all values, in the catalogue's order.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  public func values() throws -> [(name: String, value: Any?)] {
    try propertyNames.map { (name: $0, value: try value(of: $0)) }
  }

  /// Returns the object as one line of JSON, in the exact forms described in <doc:TheTool>.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  public func json() throws -> String {
    var json = JSONText()
    try json.append(self)
    return json.text
  }

  /// Returns the values of the primary key in order, or the object's row id if the type has no primary key.
  /// The array is empty for an embedded object.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  public func keyValues() throws -> [Any?] {
    guard let key else { return [] }
    return try DynamicKey.values(of: key.bytes, table)
  }

  /// Calls `body` with the payload of a column, which may be a part of the key.
  func withPayload(of column: ColumnEntry, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
    if let key, let part = table.entry.primaryKey.firstIndex(of: column.id) {
      try key.bytes.withUnsafeBytes { bytes in
        var decoder = KeyDecoder(bytes)
        for _ in 0..<part { try decoder.skip() }
        var writer = ValueWriter()
        guard try table.appendKeyPayload(from: &decoder, of: column, to: &writer) else {
          return try body(nil)
        }
        try writer.withBytes { try body($0) }
      }
    } else {
      try record.withUnsafeBytes { bytes in
        try table.payload(of: column, in: try table.view(bytes), body)
      }
    }
  }

  private func value(_ payload: UnsafeRawBufferPointer?, _ type: ColumnType) throws -> Any? {
    guard type.kind == .link || type.kind == .embedded || type.kind == .any else {
      return try DynamicPayload.value(payload, type: type)
    }
    func element(_ bytes: UnsafeRawBufferPointer?) throws -> Any? {
      if type.kind == .any { return try anyValue(bytes) }
      guard let bytes, let target = type.target.flatMap({ tables[$0] }) else { return nil }
      if type.kind == .link { return DynamicLink(typeName: target.name, key: ObjectKey(bytes)) }
      return try DynamicObject(target, tables, key: nil, record: [UInt8](bytes))
    }
    guard type.container != .none else { return try element(payload) }
    var list: [Any?] = []
    var map: [String: Any?] = [:]
    if let payload {
      try CollectionPayload.forEach(payload, type: type) { key, bytes in
        let value = try element(bytes)
        if let key { try DynamicPayload.add(value, key, to: &map) } else { list.append(value) }
      }
    }
    return type.container == .map ? map : list
  }

  /// Returns the value of an `AnyRealmValue` column. An object is returned as a link.
  private func anyValue(_ payload: UnsafeRawBufferPointer?) throws -> Any? {
    guard let payload, payload.first == NestedKind.object.rawValue else {
      return try DynamicPayload.value(payload, type: ColumnType(.any))
    }
    var reader = ValueReader(UnsafeRawBufferPointer(rebasing: payload[1...]), context: nil)
    let reference = try ObjectReference(from: &reader)
    return tables[number: reference.type].map {
      DynamicLink(typeName: $0.name, key: ObjectKey(bytes: reference.key))
    }
  }
}

extension DynamicObject: KeyedReference {
  package var keyBytes: [UInt8]? { key?.bytes }
}
