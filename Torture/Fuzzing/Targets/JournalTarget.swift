import Fief
import Foundation

@testable import FiefCore
@testable import LMDB

extension FuzzTarget {
  /// Journals between stores, with checksums that are made right: rows are written as the same bytes, and the changes of a piece
  /// are refused or made; what is noted of them makes the same changes in another store.
  static let journals = FuzzTarget(
    name: "journals",
    longest: 1500,
    seeds: {
      let row = JointRows.Row(
        id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        participant: 1,
        other: JointRows.Other(storeID: UUID(uuid: zeros), name: "pets", path: "../pets", isInMemory: false),
        time: 1_700_000_000,
        pieces: 2
      )
      var piece = ValueWriter()
      piece.appendInteger(UInt8(1))
      piece.appendSized { $0.append("tree") }
      for key in ["a", "b"] {
        piece.appendInteger(UInt8(3))
        piece.appendSized { $0.append(key) }
        piece.appendSized { $0.append("value") }
      }
      piece.appendInteger(UInt8(4))
      piece.appendSized { $0.append("a") }
      return [[0] + JointRows.value(of: row).dropFirst(4), [1] + piece.bytes]
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      let isRow = rest.byte() & 1 == 0
      let value = JointRows.checked(rest.remaining())
      if isRow { try JournalChecks.checkRow(value) } else { try JournalChecks.checkPiece(value, defect) }
    }
  )
}

private let zeros: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

private enum JournalChecks {
  static func checkRow(_ value: [UInt8]) throws {
    let key = JointRows.markerKey(UUID(uuid: zeros))
    func row(_ value: [UInt8]) throws -> JointRows.Row {
      try key.withUnsafeBytes { key in try value.withUnsafeBytes { try JointRows.row(key, $0) } }
    }
    let found: JointRows.Row
    do { found = try row(value) } catch let error as FiefError where error.code == .damagedStore { return }
    try require(try row(JointRows.value(of: found)) == found, "another row: \(value.hex)")
  }

  private static let environments = Result {
    (
      participant: try FuzzPlace.environment("participant"),
      coordinator: try FuzzPlace.environment("coordinator"),
      other: try FuzzPlace.environment("other")
    )
  }

  static func checkPiece(_ piece: [UInt8], _ defect: PlantedDefect) throws {
    let (participant, coordinator, other) = try environments.get()
    do {
      try participant.write { changed in
        changed.recordChanges()
        try piece.withUnsafeBytes { piece in try JointJournal.replay(pieces: 1, in: changed) { _ in piece } }
        try coordinator.write { noting in
          try repeatChanges(of: changed, noting, in: other, defect)
          throw FuzzRollback()
        }
      }
    } catch is FuzzRollback {} catch let error as FiefError
      where error.code == .damagedStore || error.code == .damagedRecord
    {} catch let error as LMDBError where allowed.contains(error.code) {}
  }

  /// What LMDB has against the name of a tree, a key or a value.
  private static let allowed: [LMDBError.Code] = [
    .keyLengthInvalid, .incompatible, .databasesFull, .notFound, .mapFull, .damaged, .lmdb,
  ]

  private static func repeatChanges(
    of changed: LMDB.WritableTransaction,
    _ noting: LMDB.WritableTransaction,
    in other: LMDB.Environment,
    _ defect: PlantedDefect
  ) throws {
    func key(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
    let notes = try noting.openDatabase(named: "notes")
    let count = try JointJournal.write(changesOf: changed, to: noting, notes, key: key)
    var names: [String] = []
    try changed.forEachRecordedChange { if case .database(let name) = $0 { names.append(name) } }
    do {
      try other.write { repeated in
        try JointJournal.replay(pieces: count, in: repeated) { number in
          try key(number).withUnsafeBytes { try noting.get(notes, $0) }
        }
        for name in names {
          let wanted = try content(of: name, in: changed)
          var found = try content(of: name, in: repeated)
          // A value without bytes is not put.
          if defect.isPlanted { found = found.filter { $0.last != 0x3D } }
          try require(found == wanted, "tree \(name) is \(found), and should be \(wanted)")
        }
        throw FuzzRollback()
      }
    } catch is FuzzRollback {}
  }

  /// The entries of a tree, as texts.
  private static func content(of name: String, in transaction: LMDB.WritableTransaction) throws -> [[UInt8]] {
    guard let database = try transaction.database(named: name) else { return [] }
    var content: [[UInt8]] = []
    let cursor = try transaction.cursor(database)
    while try cursor.next() { content.append(Array("\(cursor.key.hex)=\(cursor.value.hex)".utf8)) }
    return content
  }
}
