import LMDB

/// Field operations: changes that are applied to the stored properties in the transaction.
extension RecordWriter {
  /// Applies operations to one object.
  ///
  /// - Throws: The errors of ``record(after:)`` and of a put.
  func perform(_ edit: ObjectEdit) throws {
    try put(try record(after: edit), of: edit)
  }

  /// Returns the record of an object after operations. Does not change anything.
  ///
  /// - Parameter checksTargets: Whether objects to which the operations link by their keys must exist.
  /// - Throws: ``FiefError`` of code `objectNotFound` if the object does not exist, or `invalidValue` if an
  ///   operation does not suit the value.
  package func record(after edit: ObjectEdit, checksTargets: Bool = true) throws -> [UInt8] {
    do {
      if checksTargets { try checkTargets(of: edit.edits) }
      let record = try edit.key.withUnsafeBytes {
        try self.record(after: edit.edits, of: $0, missing: edit.missing)
      }
      guard let record else { throw Self.notUpdated }
      return record
    } catch { throw described(error, edit) }
  }

  /// Stores the record of an object after operations.
  func put(_ record: [UInt8], of edit: ObjectEdit) throws {
    do {
      try edit.key.withUnsafeBytes { key in
        try linking(edit.edits) {
          try record.withUnsafeBytes {
            try put(key: key, record: $0, into: edit.edits.table, hasChecksum: true)
          }
        }
      }
    } catch { throw described(error, edit) }
  }

  /// Applies operations to one of many existing objects.
  ///
  /// - Throws: The same errors as for a single object, with the object's key.
  func perform(_ edits: FieldEdits, on key: UnsafeRawBufferPointer) throws {
    do {
      guard let record = try record(after: edits, of: key) else { throw Self.notUpdated }
      try record.withUnsafeBytes { try put(key: key, record: $0, into: edits.table, hasChecksum: true) }
    } catch {
      throw FiefError.described(
        error,
        store: tables.storeName,
        type: edits.table.name,
        key: edits.table.shown([UInt8](key))
      )
    }
  }

  private func described(_ error: any Error, _ edit: ObjectEdit) -> any Error {
    let table = edit.edits.table
    return FiefError.described(error, store: tables.storeName, type: table.name, key: table.shown(edit.key))
  }

  static var notUpdated: FiefError {
    FiefError(.objectNotFound, "The object cannot be changed because no object has the key.")
  }

  /// Calls `body`, which applies operations, and then clears the new links to objects that do not exist.
  func linking<Value>(_ edits: FieldEdits, _ body: () throws -> Value) throws -> Value {
    guard edits.hasLinks else {
      collectsNewLinks = false
      return try body()
    }
    newLinks = NewLinks()
    collectsNewLinks = true
    defer {
      newLinks = nil
      collectsNewLinks = false
    }
    let value = try body()
    try dropLinksToNothing()
    return value
  }

  /// - Throws: ``FiefError`` of code `objectNotFound` if an object to which the operations link by its key
  ///   does not exist.
  func checkTargets(of edits: FieldEdits) throws {
    for (property, target) in edits.targets {
      let exists = try target.key.withUnsafeBytes { try cursor(of: target.table).get($0) != nil }
      if exists { continue }
      throw FiefError(
        .objectNotFound,
        "The link leads to an object that does not exist.",
        property: property,
        details: [
          "the object: \(target.table.name) " + HiddenValue.text(target.table.text(ofKey: target.key))
        ]
      )
    }
  }

  /// Returns the record of the object with a key after operations.
  ///
  /// - Parameter missing: The record to which the operations are applied if the object does not exist.
  /// - Returns: `nil` if the object does not exist and `missing` is `nil`.
  /// - Throws: ``FiefError`` of code `invalidValue` if an operation does not suit the value.
  func record(after edits: FieldEdits, of key: UnsafeRawBufferPointer, missing: [UInt8]? = nil) throws
    -> [UInt8]?
  {
    let table = edits.table
    if let stored = try cursor(of: table).get(key) {
      // A damaged record must not be rewritten with a correct checksum.
      try table.view(stored).verifyChecksum(key, of: table)
      return try edits.applied(to: stored, key: key, in: self)
    }
    return try missing?.withUnsafeBytes { try edits.applied(to: $0, key: key, in: self) }
  }
}
