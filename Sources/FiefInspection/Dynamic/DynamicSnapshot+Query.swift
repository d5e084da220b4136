import FiefCore

extension DynamicSnapshot {
  /// Returns the objects of a type that match a query text; see <doc:QueryLanguage>.
  ///
  /// ```swift
  /// let pups = try snapshot.query("Dog", "age < $0 AND name BEGINSWITH[c] $1 SORT(name) LIMIT(20)", 2, "r")
  /// for dog in try pups.objects() { print(try dog.json()) }
  /// ```
  /// All errors in the text are found now, before anything is read.
  ///
  /// - Parameters:
  ///   - typeName: the type's name.
  ///   - text: the condition and clauses, or an empty text for all objects.
  ///   - arguments: the values for `%@` in order, or for `$0`, `$1` and so on: values as returned by
  ///     ``DynamicObject/value(of:)``, and arrays of them.
  /// - Returns: the query, which is valid as long as the snapshot.
  /// - Throws: ``FiefError`` of code `unknownType`; `malformedQuery` with the position in the text and the
  ///   expected text; `unknownProperty`; `invalidQuery`; `invalidValue` if the type is embedded.
  public final func query(_ typeName: String, _ text: String, _ arguments: Any...) throws -> DynamicQuery {
    try query(typeName, text, variadic: arguments)
  }

  /// Returns the objects of a type that match a query text without arguments; see ``query(_:_:_:)``.
  public final func query(_ typeName: String, _ text: String = "") throws -> DynamicQuery {
    try query(typeName, text, arguments: [])
  }

  /// - Parameter arguments: the values of a variadic parameter.
  func query(_ typeName: String, _ text: String, variadic arguments: [Any]) throws -> DynamicQuery {
    let arguments = try arguments.map { try QueryArgument(dynamic: $0) }
    return try query(typeName, text, arguments: arguments, areVariadic: true)
  }

  /// Returns the objects of a type that match a query text, with arguments that may be texts typed by a user.
  package final func query(
    _ typeName: String,
    _ text: String,
    arguments: [QueryArgument],
    areVariadic: Bool = false
  ) throws -> DynamicQuery {
    let table = try records(of: typeName).table
    let description = try QueryTextForm.parse(
      text,
      arguments: arguments,
      areVariadic: areVariadic,
      type: table.name,
      schema: QueryTextSchema(tables: tables, names: .columns)
    )
    return try described { try DynamicQuery(description, table, self) }
  }
}

extension QueryArgument {
  /// Creates an argument from a value that may be an object without a class.
  init(dynamic value: Any) throws {
    switch value {
    case let link as DynamicLink: self = .value(.object(type: link.typeName, key: link.key))
    case let object as DynamicObject where object.key != nil:
      self = .value(.object(type: object.typeName, key: object.key))
    case let list as [Any]: self = .list(try list.map { try QueryArgument(dynamic: $0) })
    default: try self.init(value)
    }
  }
}
