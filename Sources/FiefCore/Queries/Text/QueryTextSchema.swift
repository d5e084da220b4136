/// The schema that parsing a query's text needs: the names that lead through collections, and the types of
/// values that a user typed.
package struct QueryTextSchema: Sendable {
  /// The type of a property; nil where there is none.
  typealias PropertyLookup = @Sendable (_ name: String, _ type: String) -> ColumnType?

  let storeName: String?
  let property: PropertyLookup
  /// The names of a type's properties, for suggestions.
  let names: @Sendable (_ type: String) -> [String]
  /// The key of an object of a type for a text.
  let key: @Sendable (_ type: String, _ text: String) throws -> ObjectKey
  /// Whether there is a schema at all. Without one, every name is taken for a single value, except where a
  /// quantifier or the text behind the name shows a collection.
  let isKnown: Bool

  /// No schema.
  package static let unknown = QueryTextSchema(
    storeName: nil,
    property: { _, _ in nil },
    names: { _ in [] },
    key: { type, _ in
      throw FiefError(.invalidQuery, "The key of an object cannot be read without a schema.", type: type)
    },
    isKnown: false
  )
}

extension QueryTextSchema {
  /// The types of an open store, by the names of properties or of columns.
  package init(tables: StoreTables, names: QueryNames) {
    self.init(
      storeName: tables.storeName,
      property: { name, type in
        if let origin = QueryTextSchema.origin(name) {
          guard let table = tables[origin.type],
            let column = names.column(origin.property, origin.type).flatMap(table.entry.column(named:)),
            column.type.kind == .link, column.type.target == type
          else { return nil }
          return ColumnType(.linkingObjects, target: origin.type)
        }
        return names.column(name, type).flatMap { tables[type]?.entry.column(named: $0) }?.type
      },
      names: { type in names.names(type) ?? tables[type]?.entry.currentColumns.map(\.name) ?? [] },
      key: { type, text in
        guard let table = tables[type], table.records != nil else {
          throw FiefError(.unknownType, "The store has no such type.", store: tables.storeName, type: type)
        }
        var conversion = ValueConversion()
        conversion.store = tables.storeName
        conversion.type = type
        conversion.source = .json(.default)
        conversion.key = text
        let parts = try DynamicKey.parts(fromText: text, table, conversion)
        return ObjectKey(bytes: try DynamicKey.key(of: table, parts: parts, conversion))
      },
      isKnown: true
    )
  }

  /// The type and the property of a step that is written `@links.Type.property`.
  static func origin(_ name: String) -> (type: String, property: String)? {
    guard name.hasPrefix("@links.") else { return nil }
    let rest = name.dropFirst("@links.".count)
    guard let dot = rest.lastIndex(of: ".") else { return nil }
    return (String(rest[..<dot]), String(rest[rest.index(after: dot)...]))
  }
}
