import FiefCore
import LMDB

/// The stamp of a record together with the elements of its large collections. It depends on the object's
/// values, not on their location in the file.
///
/// Whether a collection is stored in the record or in a tree, under which number and in which nodes, depends
/// on its history, and changing its elements does not change the record. A collection too large for a record
/// contributes a hash, wherever it is stored, so a large collection need not fit into memory.
struct ContentStamp {
  private let table: Table
  private let tables: StoreTables
  private let transaction: LMDB.Transaction

  init(_ table: Table, _ tables: StoreTables, in transaction: LMDB.Transaction) {
    self.table = table
    self.tables = tables
    self.transaction = transaction
  }

  /// Returns the stamp of a record without large collections: a hash of everything after the record's
  /// checksum.
  @inline(__always)
  static func of(_ record: UnsafeRawBufferPointer) -> UInt64 {
    KeyedHash.of(UnsafeRawBufferPointer(rebasing: record.dropFirst(Layout.checksumSize)))
  }

  /// Whether the record has collections whose elements are hashed separately from the record's bytes.
  static func isNeeded(by view: RecordView, of table: Table) throws -> Bool {
    let layout = view.layout
    for id in table.collectionIDs {
      guard let place = layout.place(ofColumn: id), place.form == .varying, !view.isNil(place) else {
        continue
      }
      let payload = try view.varying(place)
      // Records of early formats may contain larger collections.
      if payload.count > CollectionPayload.inlineLimit || CollectionMarker.isMarker(payload) { return true }
    }
    return false
  }

  /// The payloads that represent large collections in the stamp, by column.
  typealias LargePayloads = [(column: UInt16, payload: [UInt8])]

  /// Returns the stamp of a stored record.
  ///
  /// - Parameter kept: payloads of large collections whose elements have not changed since. Payloads that had
  ///   to be computed are added.
  func of(_ view: RecordView, _ kept: inout LargePayloads) throws -> UInt64 {
    let layout = view.layout
    var payloads: LargePayloads = []
    for id in table.collectionIDs {
      guard let place = layout.place(ofColumn: id), place.form == .varying, !view.isNil(place) else {
        continue
      }
      let payload = try view.varying(place)
      if let marker = try CollectionMarker(payload) {
        if let known = kept.first(where: { $0.column == id }) {
          payloads.append(known)
          continue
        }
        let type = layout.columns[Int(place.index)].type
        let large = try LargeCollection.at(marker, type: type, tables: tables, in: transaction)
        let contents = (id, try Self.contents(of: large))
        payloads.append(contents)
        kept.append(contents)
      } else if payload.count > CollectionPayload.inlineLimit {
        var contents = Contents()
        contents.add(payload)
        payloads.append((id, contents.bytes))
      }
    }
    if payloads.isEmpty { return Self.of(view.bytes) }
    let whole = try RecordEditor.replacing(view) { id in payloads.first { $0.column == id }?.payload }
    return whole.withUnsafeBytes(Self.of)
  }

  private static func contents(of collection: LargeCollection) throws -> [UInt8] {
    let count = try collection.existingCount()
    var writer = ValueWriter()
    writer.appendCount(count)
    var contents = Contents()
    writer.withBytes { contents.add($0) }
    try collection.forEachRun { run in
      run.bytes.withUnsafeBytes { contents.add($0) }
      return true
    }
    return contents.bytes
  }

  /// Collects a payload that arrives in parts. If the payload exceeds the limit of a record, only a hash is
  /// kept, which does not depend on how the payload was split.
  private struct Contents {
    private var rest: [UInt8] = []
    /// The hash of the bytes before `rest`, or `nil` if there are none.
    private var hash: KeyedHash?

    mutating func add(_ part: UnsafeRawBufferPointer) {
      var part = part
      while rest.count + part.count > CollectionPayload.inlineLimit {
        let room = CollectionPayload.inlineLimit - rest.count
        rest += part[..<room]
        addRest()
        part = UnsafeRawBufferPointer(rebasing: part[room...])
      }
      rest += part
    }

    private mutating func addRest() {
      var hash = hash ?? KeyedHash()
      rest.withUnsafeBytes { hash.add($0) }
      self.hash = hash
      rest.removeAll(keepingCapacity: true)
    }

    var bytes: [UInt8] {
      guard var hash else { return rest }
      rest.withUnsafeBytes { hash.add($0) }
      return withUnsafeBytes(of: hash.value) { [UInt8]($0) }
    }
  }
}
