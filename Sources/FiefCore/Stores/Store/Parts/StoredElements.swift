import LMDB

/// The elements of a collection in memory that a write has already stored in the tree of large collections.
/// The next flush adds only the elements that follow.
final class StoredElements {
  /// The version of the write's collections, which is unique to the write. A weak reference to the write
  /// would make every retain of it slower.
  private let write: UInt64
  /// The marker of the collection in its owner's record.
  let marker: CollectionMarker
  /// The state of the tree, as numbered by ``LargeCollectionCache``.
  private let state: UInt64
  /// The number of earlier deletions. A deletion may change elements that are not plain links.
  private let deletions: Int?
  /// The number of stored elements. In a list or a set, they are the first elements.
  let count: Int
  /// The keys of a map that were set after the elements were stored.
  var names: Set<ExactText> = []

  fileprivate init(_ marker: CollectionMarker, _ type: ColumnType, in write: WriteTransaction) {
    self.write = write.writer.version
    self.marker = marker
    count = marker.count
    state = write.writer.knownCollections.noteState(of: marker.prefix)
    deletions = type.kind == .any || type.kind == .embedded ? write.deletions : nil
  }

  /// Whether the tree contains exactly these elements.
  fileprivate func areStored(in write: WriteTransaction) -> Bool {
    self.write == write.writer.version && deletions.map { $0 == write.deletions } ?? true
      && write.writer.knownCollections.isUnchanged(marker.prefix, since: state)
  }
}

/// The large collections in memory that a flush writes.
final class FlushedCollections {
  private let write: WriteTransaction
  private let droppedLinks: Int
  private var all: [(collection: OwnedCollection, owner: Object, count: Int)] = []
  /// The last object for which only additions are written.
  private var lastAddedTo: Object?

  init(of write: WriteTransaction) {
    self.write = write
    droppedLinks = write.writer.droppedLinks
  }

  /// Whether the record that was encoded last belongs to the object and contains additions to a collection.
  /// It then differs from the stored record.
  func hasAdditions(to object: ObjectBase) -> Bool { lastAddedTo === object }

  fileprivate func owner(of collection: OwnedCollection) -> Object? {
    guard let owner = collection.owner as? Object, owner._context === write.context else { return nil }
    return owner
  }

  fileprivate func hasStored(_ elements: StoredElements) -> Bool { elements.areStored(in: write) }

  fileprivate func noteAdditions(to owner: Object) { lastAddedTo = owner }

  fileprivate func note(_ collection: OwnedCollection, of owner: Object, count: Int) {
    all.append((collection, owner, count))
  }

  /// Records the stored elements, after the records were written.
  func noteStored() throws {
    for (collection, owner, count) in all {
      collection.stored = nil
      let binding = try write.store.binding(of: Swift.type(of: owner))
      // Derived properties are computed from all elements. Links to missing objects exist only in memory.
      guard !binding.table.hasDerived, droppedLinks == write.writer.droppedLinks,
        let id = binding.columnID(ofPropertyAt: collection.offset),
        let column = binding.table.entry.column(id),
        let marker = try marker(of: column, owner, binding), marker.version != 0, marker.count == count
      else { continue }
      collection.stored = StoredElements(marker, column.type, in: write)
    }
  }

  private func marker(of column: ColumnEntry, _ owner: Object, _ binding: ObjectBinding) throws
    -> CollectionMarker?
  {
    guard let records = binding.table.records else { return nil }
    let transaction = try write.liveTransaction()
    return try binding.key(of: owner).withUnsafeBytes { key in
      guard let record = try transaction.get(records, key) else { return nil }
      var marker: CollectionMarker?
      try binding.table.payload(of: column, in: try binding.table.view(record)) {
        marker = try $0.flatMap { try CollectionMarker($0) }
      }
      return marker
    }
  }
}

extension RealmCollectionValue {
  /// Whether adopting elements can affect an owner or the elements. The first read of a collection after each
  /// flush checks this.
  static func _mayNeedAdoption(by owner: ObjectBase) -> Bool {
    if _linkType != nil { return !owner._holdsObjects }
    switch _elementType.kind {
    case .embedded: return true
    case .any: return !owner._holdsObjects
    default: return false
    }
  }
}

extension _OwnedCollection {
  /// Appends the payload of the elements. In a flush, elements that the write has already stored are omitted:
  /// the payload then consists of their marker and of the additions.
  ///
  /// - Parameters:
  ///   - count: the number of elements.
  ///   - all: appends a payload of all elements.
  ///   - additions: appends a payload of the elements that are not stored yet.
  final func appendElements(
    to writer: inout ValueWriter,
    count: Int,
    all: (inout ValueWriter) throws -> Void,
    additions: (StoredElements, inout ValueWriter) throws -> Void
  ) throws {
    guard let flush = writer.graph?.flushed, let owner = flush.owner(of: self) else {
      return try all(&writer)
    }
    if let stored, stored.count <= count, flush.hasStored(stored) {
      writer.append(stored.marker.payload)
      try additions(stored, &writer)
      flush.noteAdditions(to: owner)
    } else {
      let start = writer.count
      try all(&writer)
      // A smaller payload always stays in the record.
      guard writer.count - start > CollectionPayload.inlineLimit / 2 else { return }
    }
    flush.note(self, of: owner, count: count)
  }
}
