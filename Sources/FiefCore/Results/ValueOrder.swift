/// The order of single values as in queries, for use outside queries.
enum ValueOrder {
  /// Returns bytes that sort like the values in queries. Nil sorts first if ascending.
  static func element<Value: Persistable>(of value: Value, ascending: Bool = true) -> [UInt8] {
    element(isNil: value._isNil, kind: Value._columnType.kind, ascending) { try value._append(to: &$0) }
  }

  /// Returns bytes that sort like the elements in queries. Nil sorts first.
  static func element<Value: PersistableScalar>(of value: Value?) -> [UInt8] {
    element(isNil: value == nil, kind: Value._elementType.kind, true) { try value?._appendElement(to: &$0) }
  }

  private static func element(
    isNil: Bool,
    kind: ColumnType.Kind,
    _ ascending: Bool,
    _ append: (inout ValueWriter) throws -> Void
  ) -> [UInt8] {
    var writer = ValueWriter()
    let order = QueryOrder(.path(.element), ascending: ascending)
    do {
      var payload = ValueWriter()
      if !isNil { try append(&payload) }
      try payload.withBytes { bytes in
        let value = isNil ? RowValue.null : try RowValue(bytes, kind)
        OrderElement.append(value, kind: kind, order, isLocalized: false, to: &writer)
      }
      return writer.bytes
    } catch {
      // A value that cannot be stored is in no collection of a store; it sorts last.
      return [UInt8.max]
    }
  }
}
