import FiefCore

/// Reads objects from the lines of a file.
extension DynamicSnapshot {
  final func jsonConversion(_ typeName: String) -> ValueConversion {
    var conversion = conversion(typeName)
    conversion.source = .json(jsonOptions)
    return conversion
  }

  /// Returns the type that a line of JSON names in `$type`, or `nil` if it names none.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`.
  package final func typeName(ofLine line: UnsafeRawBufferPointer) throws -> String? {
    (try JSONParser.parse(line) as? JSONObject)?[DynamicTransaction.typeName] as? String
  }

  /// Returns the key of the object in a line of JSON, or `nil` if the store assigns the row id.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON`, `unknownType`, `invalidValue` or `missingPrimaryKey`.
  package final func key(ofType typeName: String, line: UnsafeRawBufferPointer) throws -> ObjectKey? {
    try key(ofType: typeName, members: try members(ofType: typeName, line: line).members)
  }

  /// Returns the key of the object in a row of cells, or `nil` if the store assigns the row id.
  ///
  /// - Throws: ``FiefError`` of code `unknownType`, `unknownProperty`, `invalidValue` or `missingPrimaryKey`.
  package final func key(ofType typeName: String, cells: [(name: String, cell: CSVCell)]) throws -> ObjectKey?
  {
    try key(ofType: typeName, members: try members(ofType: typeName, cells: cells))
  }

  private func key(ofType typeName: String, members: [JSONObject.Member]) throws -> ObjectKey? {
    let rowID = members.first { $0.name == DynamicTransaction.rowIDName }?.value
    return try key(of: try table(typeName), members, rowID: rowID, jsonConversion(typeName))
      .map { ObjectKey(bytes: $0) }
  }

  /// - Parameter given: the type of the line's object, or `nil` if the line names the type.
  final func members(ofType given: String?, line: UnsafeRawBufferPointer) throws
    -> (typeName: String, members: [JSONObject.Member])
  {
    let value = try JSONParser.parse(line, acceptsDuplicates: false)
    guard let object = value as? JSONObject else {
      throw FiefError(
        .invalidValue,
        value is [Any]
          ? "Expected a JSON object, found an array: write each object in its own line."
          : "Expected a JSON object.",
        store: tables.storeName,
        type: given
      )
    }
    guard let named = object[DynamicTransaction.typeName] else {
      if let given { return (given, object.members) }
      throw FiefError(
        .unknownType,
        "The line has no $type, and no type was given for all lines.",
        store: tables.storeName
      )
    }
    guard let name = named as? String, given == nil || name == given else {
      throw FiefError(
        .invalidValue,
        "The object has a different type.",
        store: tables.storeName,
        type: given,
        details: ["its $type: \(named)"]
      )
    }
    return (name, object.members.filter { $0.name != DynamicTransaction.typeName })
  }

  final func members(ofType typeName: String, cells: [(name: String, cell: CSVCell)]) throws
    -> [JSONObject.Member]
  {
    let table = try table(typeName)
    let conversion = jsonConversion(typeName)
    var members: [JSONObject.Member] = []
    for (name, cell) in cells {
      if name == DynamicTransaction.rowIDName {
        if cell.isNil { continue }
        members.append(JSONObject.Member(name: name, value: JSONParser.number(cell.text) ?? cell.text))
        continue
      }
      let conversion = conversion.property(name, of: typeName)
      guard let column = table.entry.column(named: name) else {
        throw conversion.unknownProperty(name, of: table)
      }
      do {
        members.append(JSONObject.Member(name: name, value: try cell.value(column.type, tables, conversion)))
      } catch {
        throw FiefError.described(error, property: name, type: typeName, store: tables.storeName)
      }
    }
    return members
  }

  /// Returns the key that the values specify, or `nil` for a new object of a type without a primary key.
  final func key(
    of table: Table,
    _ members: [JSONObject.Member],
    rowID: Any?,
    _ conversion: ValueConversion
  ) throws -> [UInt8]? {
    guard !table.primaryKey.isEmpty else {
      return try rowID.map { try DynamicKey.key(of: table, parts: [$0], conversion) }
    }
    if rowID != nil {
      throw conversion.property(DynamicTransaction.rowIDName, of: table.name)
        .error(.unknownProperty, "The type has a primary key, so its objects have no numbers.")
    }
    let parts = try table.primaryKey.map { column -> Any? in
      if let member = members.first(where: { $0.name == column.name }) { return member.value }
      switch column.type.kind {
      case _ where column.type.isOptional: return nil
      case .uuid, .objectId:
        return try DynamicEncoder.unset(column.type)
          .flatMap { payload in
            try payload.withUnsafeBytes { try DynamicPayload.value($0, type: column.type) }
          }
      default:
        throw conversion.property(column.name, of: table.name)
          .error(.missingPrimaryKey, "The primary key has no value.")
      }
    }
    return try DynamicKey.key(of: table, parts: parts, conversion)
  }
}

extension FiefError {
  fileprivate static func described(
    _ error: any Error,
    property: String,
    type: String,
    store: String
  ) -> any Error {
    guard var error = described(error, store: store, type: type) as? FiefError else { return error }
    error.property = error.property ?? property
    return error
  }
}
