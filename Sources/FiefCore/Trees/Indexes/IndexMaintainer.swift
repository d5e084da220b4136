import LMDB

/// Maintains the entries of an index that is not ordered, such as a full-text index.
///
/// The writer itself makes the entries of ordered indexes, which are the values of columns. Every other kind
/// has a maintainer, which `IndexEntry.Kind.maintainer` returns. A maintainer belongs to one writer, one
/// build or one check of a store, and to its thread. Its notes end with that work, so a nested write that
/// fails leaves nothing behind.
///
/// Migrations build an index by calling ``update(old:new:key:in:)`` for each record, then ``finish(in:)``.
/// They drop an index with its tree, without calling its maintainer.
package protocol IndexMaintainer: AnyObject {
  /// The kind as an adjective, for descriptions and messages: "full-text" in "full-text index".
  static var adjective: String { get }
  /// Whether the entries depend on the tables of Unicode. Such an index is rebuilt when these tables change.
  static var dependsOnUnicode: Bool { get }

  /// Returns the reason why an index cannot have properties of a type, or `nil` if it can. The reason
  /// completes a sentence about the property.
  ///
  /// - Parameter type: a type that is not a link and whose values can be part of keys.
  static func objection(to type: ColumnType) -> String?

  /// The reason why an index cannot have secret properties, or `nil` if it can. The reason completes a
  /// sentence about the property.
  static var objectionToSecrets: String? { get }

  /// Returns the objects that an index finds for a request, or `nil` if the index does not support requests
  /// of this type.
  static func candidates(for request: any IndexRequest, of index: Table.Index) -> (any IndexCandidates)?

  /// Creates a maintainer without notes.
  init(_ index: Table.Index, of table: Table)

  /// Notes the entries that a change of one record removes and adds. The writer calls this method before it
  /// flushes the buffer.
  ///
  /// - Parameters:
  ///   - old: the record before the change, or `nil` if the object is added.
  ///   - new: the record after the change, or `nil` if the object is deleted.
  ///   - key: the key of the object.
  ///   - buffer: collects the changes, which the writer sorts and writes later.
  func update(old: RecordView?, new: RecordView?, key: UnsafeRawBufferPointer, in buffer: TreeBuffer) throws

  /// Writes the entries that summarize all objects, such as sums. Called whenever the buffer is written.
  func finish(in transaction: LMDB.WritableTransaction) throws

  /// Checks the entries of one object against its record.
  func check(
    _ record: RecordView,
    key: UnsafeRawBufferPointer,
    in transaction: LMDB.Transaction
  ) throws -> IndexFindings

  /// Checks the entries that summarize all objects. All records were checked before.
  func finishCheck(in transaction: LMDB.Transaction) throws -> IndexFindings
}

/// The result of checking entries of an index.
package struct IndexFindings {
  /// The number of entries that the index must have.
  package var entries: Int
  /// The first difference found, as a line of a report.
  package var problem: String?
}
