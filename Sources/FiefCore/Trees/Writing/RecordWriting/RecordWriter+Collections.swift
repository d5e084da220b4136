import LMDB

/// Writes collections that are too large for the records of their owners.
///
/// A record to be written contains all elements inline, or the marker of the stored record. If the elements
/// are too large, they move to the tree of large collections, where only differences are written, and the
/// record gets the marker.
extension RecordWriter {
  /// Stores a record if it or the stored record has large collections.
  ///
  /// - Parameter old: A copy of the stored record.
  func putWithLargeCollections(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    old: [UInt8]?,
    into table: Table
  ) throws {
    let moved = try movingLargeCollections(record, old: old, key: key, table)
    try moved.withUnsafeBytes { new in
      if let old {
        try old.withUnsafeBytes { old in
          try updateTrees(of: table, key: key, old: old, new: new)
          if let collector { try noteChange(of: key, from: old, to: new, in: table, collector) }
        }
      } else {
        try updateTrees(of: table, key: key, old: nil, new: new)
        collector?.insert(key, table)
      }
      try store(key, new, in: table, try cursor(of: table))
    }
  }

  /// Moves the elements of large collections to their tree, updates their backlinks, and returns the record
  /// with markers.
  ///
  /// - Parameter notesLinks: `false` if the caller updates the backlinks.
  func movingLargeCollections(
    _ record: UnsafeRawBufferPointer,
    old: [UInt8]?,
    key: UnsafeRawBufferPointer,
    _ table: Table,
    notesLinks: Bool = true
  ) throws -> [UInt8] {
    let view = try table.view(record)
    var replaced: [(column: UInt16, payload: [UInt8])] = []
    for collection in table.collections {
      var before: [UInt8]?
      try old?.withUnsafeBytes { old in
        try table.payload(of: collection.column, in: try table.view(old)) { before = $0.map { [UInt8]($0) } }
      }
      try table.payload(of: collection.column, in: view) { payload in
        guard let payload else { return }
        let place = Owner(collection, table, key, notesLinks: notesLinks)
        if let payload = try replacement(for: payload, before: before, place) {
          replaced.append((collection.column.id, payload))
        }
      }
    }
    if replaced.isEmpty { return [UInt8](record) }
    return try RecordEditor.replacing(view) { id in replaced.first { $0.column == id }?.payload }
  }

  /// A collection of an object.
  struct Owner {
    let collection: Table.CollectionColumn
    let table: Table
    let key: UnsafeRawBufferPointer
    let notesLinks: Bool

    var type: ColumnType { collection.column.type }
    /// The link column of the elements, or `nil` if the elements are not links or the caller updates the
    /// backlinks.
    var link: Table.LinkColumn? { notesLinks ? collection.link : nil }

    init(
      _ collection: Table.CollectionColumn,
      _ table: Table,
      _ key: UnsafeRawBufferPointer,
      notesLinks: Bool = true
    ) {
      self.collection = collection
      self.table = table
      self.key = key
      self.notesLinks = notesLinks
    }
  }

  /// Returns the payload that replaces `payload` in the record, or `nil` to keep it.
  private func replacement(for payload: UnsafeRawBufferPointer, before: [UInt8]?, _ owner: Owner) throws
    -> [UInt8]?
  {
    let stored = try before?.withUnsafeBytes { try CollectionMarker($0) }
    if let marker = try CollectionMarker(payload) {
      let additions = try marker.additions(in: payload)
      if let stored, try isPresent(marker, in: stored, owner) {
        try add(additions, to: stored, owner)
        return try refreshed(stored, owner)
      }
      // The flush has ensured that the collection exists.
      guard additions.count == 0 else { throw FiefError.lostElements }
      let copy = try elements(of: marker, owner)
      return try copy.withUnsafeBytes { try replacement(for: $0, before: before, owner) } ?? copy
    }
    guard let stored else {
      guard payload.count > CollectionPayload.inlineLimit else { return nil }
      // For a new object, the insertion already covers its collections.
      if let before, collector != nil, !before.withUnsafeBytes({ $0.hasSameBytes(as: payload) }) {
        noteContents(of: owner)
      }
      return try spill(payload, before: before, owner)
    }
    let collection = try LargeCollection.at(stored, type: owner.type, tables: tables, in: transaction)
    guard payload.count > CollectionPayload.inlineLimit / 2, try collection.count() != nil else {
      if collector != nil, try !collection.hasContents(of: payload) { noteContents(of: owner) }
      try dissolve(collection, for: payload, owner)
      return nil
    }
    try rewrite(collection, with: try ElementRun(payload: payload), owner)
    collectionChanges &+= 1
    return try collection.marker().payload
  }

  /// Whether a marker in a record to be written refers to the current elements of the stored record's
  /// collection.
  private func isPresent(_ marker: CollectionMarker, in stored: CollectionMarker, _ owner: Owner) throws
    -> Bool
  {
    guard stored.prefix == marker.prefix else { return false }
    if stored.version == marker.version || marker.version == 0 { return true }
    // This write may have changed the collection and not yet updated its owner's record.
    return try LargeCollection.at(stored, type: owner.type, tables: tables, in: transaction).version()
      == marker.version
  }

  /// Returns the elements that a collection had when a record with its marker was read. The collection may
  /// belong to another object, or may have been changed or removed since then.
  ///
  /// - Throws: ``FiefError`` of code `conflict` if these elements exist neither in this write nor in the
  ///   state before it.
  private func elements(of marker: CollectionMarker, _ owner: Owner) throws -> [UInt8] {
    func found(_ transaction: LMDB.Transaction) throws -> [UInt8]? {
      guard try tables.collectionTree(in: transaction) != nil else { return nil }
      let collection = try LargeCollection.at(marker, type: owner.type, tables: tables, in: transaction)
      return try collection.isUnchanged(since: marker) ? try collection.recordPayload() : nil
    }
    if let elements = try found(transaction) { return elements }
    var elements: [UInt8]?
    try readCommitted? { elements = try found($0) }
    if let elements { return elements }
    var error = FiefError.lostElements
    error.property = owner.table.propertyName(owner.collection.column)
    throw error
  }

  /// Returns the current marker of a collection that was changed in its tree, or its elements if few are
  /// left.
  private func refreshed(_ marker: CollectionMarker, _ owner: Owner) throws -> [UInt8] {
    let collection = try LargeCollection.at(marker, type: owner.type, tables: tables, in: transaction)
    let count = try collection.existingCount()
    if count == marker.count || count > CollectionPayload.inlineLimit {
      return try collection.marker().payload
    }
    if try collection.mayBeSmall(count: count) {
      let payload = try collection.recordPayload()
      if payload.count <= CollectionPayload.inlineLimit / 2 {
        try willChange(collection)
        try collection.removeAll()
        collectionChanges &+= 1
        return payload
      }
    }
    return try collection.marker().payload
  }

  private func add(_ additions: ElementRun, to marker: CollectionMarker, _ owner: Owner) throws {
    if additions.count == 0 { return }
    let collection = try LargeCollection.at(marker, type: owner.type, tables: tables, in: transaction)
    if let list = collection as? LargeList {
      let count = try list.existingCount()
      try replace(count..<count, of: list, with: additions, owner)
    } else if let table = collection as? LargeTable {
      try additions.forEach(type: owner.type) { name, element in
        if let name {
          try set(element, of: name, in: table, owner)
        } else {
          _ = try change(table, element, isAdded: true, owner)
        }
      }
    }
  }

  // MARK: Changing the form of storage

  private func spill(_ payload: UnsafeRawBufferPointer, before: [UInt8]?, _ owner: Owner) throws -> [UInt8] {
    let run = try ElementRun(payload: payload)
    let tree = try tables.collectionTree(in: transaction) ?? makeCollectionTree()
    let number = try nextCollection(of: owner, in: tree)
    var marker = CollectionMarker(
      type: owner.table.entry.id,
      column: owner.collection.column.id,
      number: number,
      count: run.count
    )
    let collection = LargeCollection.make(marker.prefix, type: owner.type, tree: tree, in: transaction)
    marker.count = try collection.fill(with: run)
    marker.version = version
    try collection.setVersion(version)
    tally.putElements(of: owner.table, bytes: run.bytes.count)
    if owner.type.kind == .link {
      let former = try before.map { try $0.withUnsafeBytes { try ElementRun(payload: $0) } } ?? .none
      try LinkTargets.compare(
        try LinkTargets(former, type: owner.type),
        try LinkTargets(run, type: owner.type)
      ) { target, before, now in
        if now > 1 { try collection.setRepetitions(now - 1, of: target) }
        if (before > 0) != (now > 0) { noteLink(target, isAdded: now > 0, owner) }
      }
    }
    try boundBuffers()
    collectionChanges &+= 1
    return marker.payload
  }

  /// Creates the tree with the first large collection of a store, and raises the store's format to the first
  /// format that supports the tree.
  private func makeCollectionTree() throws -> Database {
    let stored = try Catalogue.stored(in: tables.catalogueTree, of: transaction)
    // A migration performs this check before it begins, and has created trees since then.
    if let stored, !isMigration { try stored.checkCollectionTree(in: transaction) }
    let tree = try transaction.openDatabase(named: Catalogue.collectionTreeName)
    if var catalogue = stored, catalogue.format < Catalogue.formatWithLargeCollections {
      catalogue.format = Catalogue.formatWithLargeCollections
      try Catalogue.key.withUnsafeBytes { key in
        try catalogue.encoded().withUnsafeBytes { try transaction.put(tables.catalogueTree, key, $0) }
      }
    }
    return tree
  }

  private func nextCollection(of owner: Owner, in tree: Database) throws -> UInt64 {
    let key =
      CollectionMarker.columnPrefix(type: owner.table.entry.id, column: owner.collection.column.id)
      + [UInt8](repeating: 0, count: 8)
    return try key.withUnsafeBytes { key in
      var number: UInt64 = 1
      if let stored = try transaction.get(tree, key) {
        guard stored.count == 8 else { throw RecordView.damaged }
        number = UInt64(littleEndian: stored.loadUnaligned(as: UInt64.self))
      }
      try withUnsafeBytes(of: (number &+ 1).littleEndian) { try transaction.put(tree, key, $0) }
      return number
    }
  }

  /// Removes a large collection from its tree, because `payload` replaces it in the owner's record.
  private func dissolve(_ collection: LargeCollection, for payload: UnsafeRawBufferPointer, _ owner: Owner)
    throws
  {
    if owner.link != nil {
      let now = try LinkTargets(try ElementRun(payload: payload), type: owner.type)
      var kept: Set<[UInt8]> = []
      try LinkTargets.compare(now, try LinkTargets(.none, type: owner.type)) { target, _, _ in
        kept.insert([UInt8](target))
        noteLink(target, isAdded: true, owner)
      }
      try removeLinks(of: collection, owner) { kept.contains([UInt8]($0)) }
    }
    try willChange(collection)
    try collection.removeAll()
    collectionChanges &+= 1
  }

  /// Removes the large collections of a record that is being deleted, and their backlinks.
  func removeCollections(of record: [UInt8], key: UnsafeRawBufferPointer, from table: Table) throws {
    try record.withUnsafeBytes { bytes in
      let view = try table.view(bytes)
      for column in table.collections {
        var marker: CollectionMarker?
        try table.payload(of: column.column, in: view) {
          marker = try $0.flatMap { try CollectionMarker($0) }
        }
        guard let marker else { continue }
        let owner = Owner(column, table, key)
        let collection = try LargeCollection.at(marker, type: owner.type, tables: tables, in: transaction)
        if owner.link != nil { try removeLinks(of: collection, owner) { _ in false } }
        try willChange(collection)
        try collection.removeAll()
        collectionChanges &+= 1
      }
    }
  }

  /// Removes the large collections of a record. The caller updates their backlinks.
  func removeCollections(of record: [UInt8], from table: Table) throws {
    try record.withUnsafeBytes { bytes in
      let view = try table.view(bytes)
      for column in table.collections {
        var marker: CollectionMarker?
        try table.payload(of: column.column, in: view) {
          marker = try $0.flatMap { try CollectionMarker($0) }
        }
        guard let marker, let tree = try tables.collectionTree(in: transaction) else { continue }
        try walks.willChange(marker.prefix)
        knownCollections.willChange(marker.prefix)
        try LargeCollection.removeAll(marker.prefix, in: tree, of: transaction)
      }
    }
  }

  /// Returns the elements of a record's collection, which may be large.
  func elements(of column: ColumnEntry, in record: UnsafeRawBufferPointer, _ table: Table) throws -> [UInt8] {
    var elements: [UInt8] = [0]
    try table.payload(of: column, in: try table.view(record)) { payload in
      guard let payload else { return }
      elements =
        try CollectionMarker(payload).map {
          try LargeCollection.at($0, type: column.type, tables: tables, in: transaction).recordPayload()
        } ?? [UInt8](payload)
    }
    return elements
  }

  private func removeLinks(
    of collection: LargeCollection,
    _ owner: Owner,
    isKept: (UnsafeRawBufferPointer) -> Bool
  ) throws {
    try collection.forEachRun { run in
      try run.forEach(type: owner.type) { _, element in
        guard let target = try CollectionPayload.value(element, type: owner.type), !isKept(target) else {
          return
        }
        noteLink(target, isAdded: false, owner)
      }
      try boundBuffers()
      return true
    }
  }

  /// Removes the large collections of all objects of a type.
  func removeAllCollections(of table: Table) throws {
    guard !table.collections.isEmpty, let tree = try tables.collectionTree(in: transaction),
      try transaction.count(tree) > 0
    else { return }
    for column in table.collections {
      let prefix = CollectionMarker.columnPrefix(type: table.entry.id, column: column.column.id)
      // The counter is not removed, so that no number is reused.
      let counter = prefix + [UInt8](repeating: 0, count: 8)
      let next = try counter.withUnsafeBytes { try transaction.get(tree, $0).map { [UInt8]($0) } }
      try walks.willChange(prefix)
      knownCollections.willChange(prefix)
      try LargeCollection.removeAll(prefix, in: tree, of: transaction)
      guard let next else { continue }
      try counter.withUnsafeBytes { key in try next.withUnsafeBytes { try transaction.put(tree, key, $0) } }
    }
    collectionChanges &+= 1
  }

  // MARK: Links

  /// Writes the pending changes of a tree of backlinks.
  func flushLinks(along link: Table.LinkColumn) throws {
    let buffer = buffer(link.backlinks)
    if !buffer.isEmpty { try buffer.flush(in: transaction, suspects: &suspects) }
  }

  func noteLink(_ target: UnsafeRawBufferPointer, isAdded: Bool, _ owner: Owner) {
    guard let link = owner.link else { return }
    buffer(link.backlinks).note(first: target, objectKey: owner.key, isAdded: isAdded)
    if isAdded { noteNewLink(link, of: owner.table, key: owner.key, target: target) }
    if owner.table.hasLimits { noteLimit(ofTarget: target, along: owner.collection.column.id, owner.table) }
    noteDerivations(ofTarget: target, along: owner.collection.column.id, owner.table)
  }

  /// Updates the backlinks and repetitions of a large collection for removed and added elements.
  func noteLinks(_ collection: LargeCollection, gone: ElementRun, come: ElementRun, _ owner: Owner) throws {
    guard owner.type.kind == .link, let link = owner.collection.link, gone.count + come.count > 0 else {
      return
    }
    let backlinks = link.backlinks
    if owner.notesLinks { try flushLinks(along: link) }
    let key = [UInt8](owner.key)
    try LinkTargets.compare(
      try LinkTargets(gone, type: owner.type),
      try LinkTargets(come, type: owner.type)
    ) { target, gone, come in
      if gone == come { return }
      let entry = CompositeKey(first: [UInt8](target), second: key)
      let isLinked = try entry.key.withUnsafeBytes { try transaction.get(backlinks, $0) } != nil
      let before = isLinked ? try collection.repetitions(of: target) + 1 : 0
      let now = max(0, before + come - gone)
      if (before > 0) != (now > 0) { noteLink(target, isAdded: now > 0, owner) }
      if max(before, 1) != max(now, 1) { try collection.setRepetitions(now - 1, of: target) }
    }
    try boundBuffers()
  }
}
