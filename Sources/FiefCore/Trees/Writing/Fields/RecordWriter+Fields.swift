import LMDB

/// Field operations: changes of properties that are applied to the record as it is in the transaction.
extension RecordWriter {
  /// Applies operations to one object.
  ///
  /// - Throws: as ``record(after:)``, and what a put throws.
  func perform(_ edit: ObjectEdit) throws {
    try put(try record(after: edit), of: edit)
  }

  /// The record of an object after operations.
  ///
  /// - Parameter checksTargets: whether the objects have to be there that are linked by their keys.
  /// - Throws: ``FiefError`` of code `objectNotFound` where there is no such object, `invalidValue` where an operation does
  ///   not suit the value; nothing was changed.
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

  /// Puts the record of an object after operations.
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

  /// Applies operations to one of many objects, which exists.
  ///
  /// - Throws: as above, with the object's key.
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
    FiefError(.objectNotFound, "There is no object with the key, so that nothing of it can be changed.")
  }

  /// Calls a closure that applies operations; links that they have set to objects that are gone are cleared after it.
  func linking<Value>(_ edits: FieldEdits, _ body: () throws -> Value) throws -> Value {
    guard edits.hasLinks else {
      collectsNewLinks = false
      return try body()
    }
    newLinks = []
    collectsNewLinks = true
    defer {
      newLinks = nil
      collectsNewLinks = false
    }
    let value = try body()
    try dropLinksToNothing()
    return value
  }

  /// - Throws: ``FiefError`` of code `objectNotFound` where an object is gone that is linked by its key.
  func checkTargets(of edits: FieldEdits) throws {
    for target in edits.targets {
      let exists = try target.key.withUnsafeBytes { try cursor(of: target.table).get($0) != nil }
      if exists { continue }
      throw FiefError(
        .objectNotFound,
        "The link leads to an object that does not exist.",
        details: [
          "the object: \(target.table.name) " + HiddenValue.text(target.table.text(ofKey: target.key))
        ]
      )
    }
  }

  /// The record of the object with a key after operations.
  ///
  /// - Parameter missing: the record that they are applied to where there is no such object.
  /// - Returns: nil where there is none, and no record for it.
  /// - Throws: ``FiefError`` of code `invalidValue`.
  func record(after edits: FieldEdits, of key: UnsafeRawBufferPointer, missing: [UInt8]? = nil) throws
    -> [UInt8]?
  {
    let table = edits.table
    if let stored = try cursor(of: table).get(key) {
      // A damaged record would get a checksum that is right.
      try table.view(stored).verifyChecksum(key, of: table)
      return try edits.applied(to: stored, key: key, in: self)
    }
    return try missing?.withUnsafeBytes { try edits.applied(to: $0, key: key, in: self) }
  }
}
