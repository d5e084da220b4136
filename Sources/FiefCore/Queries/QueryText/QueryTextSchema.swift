/// The part of the schema that is needed to parse the text of a query: which properties are collections, and
/// the types to which values typed by a user are converted.
package struct QueryTextSchema: Sendable {
  /// Returns the type of a property, or `nil` if the type has no such property.
  typealias PropertyLookup = @Sendable (_ name: String, _ type: String) -> ColumnType?

  let storeName: String?
  let property: PropertyLookup
  /// Returns the names of a type's properties, for suggestions in errors.
  let names: @Sendable (_ type: String) -> [String]
  /// Returns the key of an object of a type that is given as text.
  let key: @Sendable (_ type: String, _ text: String) throws -> ObjectKey
  /// Whether there is a schema. Without a schema every name is assumed to be a single value, unless a
  /// quantifier or the following text shows that it is a collection.
  let isKnown: Bool

  /// The absence of a schema.
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
  /// Creates the schema of an open store, with the names of properties or columns.
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

  /// Returns the type and the property of a step that is written `@links.Type.property`.
  static func origin(_ name: String) -> (type: String, property: String)? {
    guard name.hasPrefix("@links.") else { return nil }
    let rest = name.dropFirst("@links.".count)
    guard let dot = rest.lastIndex(of: ".") else { return nil }
    return (String(rest[..<dot]), String(rest[rest.index(after: dot)...]))
  }
}
