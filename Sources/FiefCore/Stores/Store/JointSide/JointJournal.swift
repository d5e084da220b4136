import LMDB

/// The changes of a participant as bytes, so that they can be repeated: LMDB's puts and deletions.
///
/// Values of encrypted stores are written as they are in the participant's file. The coordinator therefore
/// need not be encrypted, and the values are replayed without being decrypted. The commit of an encrypted
/// participant still requires its key: see ``JointRecovery``.
///
/// A journal matches only the state of the participant from which it was written. Replaying it on that state,
/// or on the state that already has the changes, gives the same result.
package enum JointJournal {
  private enum Operation {
    static let database: UInt8 = 1
    static let removeAll: UInt8 = 2
    static let put: UInt8 = 3
    static let delete: UInt8 = 4
    static let drop: UInt8 = 5
  }

  /// The length of a piece in bytes. Only a piece with a single larger value is longer.
  private static let pieceLength = 256 << 10

  /// Writes the changes of a participant's transaction into the coordinator's transaction.
  ///
  /// - Returns: the number of pieces.
  package static func write(
    changesOf participant: LMDB.WritableTransaction,
    to coordinator: LMDB.WritableTransaction,
    _ tree: Database,
    key: (UInt32) -> [UInt8]
  ) throws -> UInt32 {
    var writer = ValueWriter()
    var count: UInt32 = 0
    func finishPiece(_ writer: inout ValueWriter) throws {
      if writer.count == 0 { return }
      let value = JointRows.checked(writer.bytes)
      try key(count).withUnsafeBytes { key in
        try value.withUnsafeBytes { try coordinator.put(tree, key, $0) }
      }
      count += 1
      writer.removeAll()
    }
    var database = ""
    try participant.forEachRecordedChange { change in
      if writer.count >= pieceLength {
        try finishPiece(&writer)
        append(.database(database), to: &writer)
      }
      if case .database(let name) = change { database = name }
      append(change, to: &writer)
    }
    try finishPiece(&writer)
    return count
  }

  private static func append(_ change: RecordedChange, to writer: inout ValueWriter) {
    switch change {
    case .database(let name):
      writer.appendInteger(Operation.database)
      writer.appendSized { $0.append(name) }
    case .removeAll: writer.appendInteger(Operation.removeAll)
    case .drop: writer.appendInteger(Operation.drop)
    case .put(let key, let value):
      writer.appendInteger(Operation.put)
      writer.appendSized { $0.append(key) }
      writer.appendSized { $0.append(value) }
    case .delete(let key):
      writer.appendInteger(Operation.delete)
      writer.appendSized { $0.append(key) }
    }
  }

  /// Repeats the changes of a journal.
  ///
  /// - Parameter piece: returns the bytes of a piece, or nil if the piece is missing.
  static func replay(
    pieces: UInt32,
    in participant: LMDB.WritableTransaction,
    _ piece: (UInt32) throws -> UnsafeRawBufferPointer?
  ) throws {
    var database: Database?
    for number in 0..<pieces {
      guard let bytes = try piece(number) else { throw JointRows.damaged }
      var reader = ValueReader(try JointRows.contents(of: bytes), context: nil)
      while !reader.isAtEnd { try replayOne(&reader, &database, in: participant) }
    }
  }

  private static func replayOne(
    _ reader: inout ValueReader,
    _ database: inout Database?,
    in participant: LMDB.WritableTransaction
  ) throws {
    let operation = try reader.integer(UInt8.self)
    if operation == Operation.database {
      database = try participant.openDatabase(named: String(decoding: try reader.sized(), as: UTF8.self))
      return
    }
    guard let database else { throw JointRows.damaged }
    switch operation {
    case Operation.removeAll: try participant.removeAll(database)
    case Operation.drop: try participant.drop(database)
    case Operation.put: try participant.put(asInFile: database, try reader.sized(), try reader.sized())
    case Operation.delete: _ = try participant.delete(database, try reader.sized())
    default: throw JointRows.damaged
    }
  }
}
