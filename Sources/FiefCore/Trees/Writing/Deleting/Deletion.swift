import LMDB

/// The deletion of the objects of one call, and all further deletions and changes that the relationship rules
/// require.
///
/// An object's record is deleted first, so that cycles end. The objects to which the deletion cascades are
/// pushed onto a stack. When the stack is empty, the links to deleted objects are cleared; by then the only
/// remaining links belong to objects that stay. Deny rules are checked last, because the objects that deny
/// may have been deleted in the meantime. Memory use does not depend on the number of objects, and the depth
/// of the call stack does not grow with a cascade.
final class Deletion {
  /// The number of sources of one target that are read in one batch.
  private static let sourcesAtOnce = 1024

  enum Item {
    /// An object of a table.
    case object(table: Int, key: [UInt8])
    /// The objects of a table whose link refers to a target, beginning after an entry of the backlinks.
    case sources(table: Int, link: Int, target: [UInt8], after: [UInt8])
  }

  let writer: RecordWriter
  let tables: StoreTables
  /// The table of the last deletion and its rules. They are cached because copying the rules retains six
  /// references.
  @exclusivity(unchecked) private var table: Table?
  @exclusivity(unchecked) private var rules = TableRules()
  private var waiting = SpillingStack("deleting:waiting")
  /// The deleted objects to which other objects may link.
  var unlinked = SpillingStack("deleting:linked")
  /// The relationships of deleted objects whose delete rule is deny.
  var denying = SpillingStack("deleting:denying")

  init(_ writer: RecordWriter) throws {
    self.writer = writer
    tables = writer.tables
    // After this, backlinks are only removed. Stale backlinks of deleted objects do no harm.
    try writer.flushBuffers()
  }

  var transaction: LMDB.WritableTransaction { writer.transaction }
  var tree: Database { tables.catalogueTree }

  /// Deletes an object. ``finish()`` deletes the objects to which the deletion cascades.
  ///
  /// - Returns: `false` if the object does not exist.
  func delete(_ key: UnsafeRawBufferPointer, from table: Table) throws -> Bool {
    if self.table !== table {
      self.table = table
      rules = tables.rules(of: table)
    }
    if let earlierState = writer.earlierState { try earlierState.keep(key, of: table) }
    if table.needsOldRecord { try writer.boundTreeBuffers() }
    let cursor = try writer.cursor(of: table)
    if table.needsOldRecord || table.hasDeleteRules {
      guard let old = try cursor.get(key) else { return false }
      if !table.collections.isEmpty { writer.trace?.willDelete(old, key: key, in: table, writer) }
      if try table.hasLargeCollections(old) {
        let copy = [UInt8](old)
        try copy.withUnsafeBytes { try noteStored(of: table, key: key, $0) }
        try writer.removeCollections(of: copy, key: key, from: table)
        try copy.withUnsafeBytes { try writer.updateTrees(of: table, key: key, old: $0, new: nil) }
      } else {
        try noteStored(of: table, key: key, old)
        try writer.updateTrees(of: table, key: key, old: old, new: nil)
      }
    }
    guard try cursor.delete(key) else { return false }
    writer.noteDeletion(of: key, table)
    if !rules.actions.isEmpty { noteInverse(rules.actions, of: table, key: key) }
    if !rules.incoming.isEmpty || writer.trace != nil && !rules.dangling.isEmpty {
      unlinked.push { Item.append(table.number, key, to: &$0) }
      try unlinked.bound(tree, in: transaction)
    }
    if table.hasDeleteRules {
      try waiting.bound(tree, in: transaction)
      try denying.bound(tree, in: transaction)
    }
    return true
  }

  /// Deletes the objects to which the deletions cascade, clears the links to all deleted objects, and checks
  /// whether the deletions are allowed.
  ///
  /// - Throws: ``FiefError`` of code `deletionDenied` if a rule denies a deletion. The transaction must then
  ///   not be committed.
  func finish() throws {
    try followCascades()
    try clearLinks()
    try checkDenials()
  }

  func followCascades() throws {
    while let bytes = try waiting.pop(tree, in: transaction) {
      switch try Item(bytes) {
      case .object(let number, let key):
        _ = try key.withUnsafeBytes { try delete($0, from: tables.all[number]) }
      case .sources(let number, let link, let target, let after):
        try followSources(number, link, target, after)
      }
    }
  }

  private func followSources(_ number: Int, _ link: Int, _ target: [UInt8], _ after: [UInt8]) throws {
    var sources = BacklinkRange(target, after: after)
    let column = tables.all[number].links[link]
    let found = try sources.next(Self.sourcesAtOnce, of: column, in: transaction)
    if !sources.isAtEnd {
      waiting.push { Item.append(number, link, target, after: sources.after, to: &$0) }
    }
    // The stack returns the last object first, so the objects are pushed in reverse: lookups are faster in
    // the order of the keys.
    for source in found.reversed() {
      waiting.push { bytes in source.withUnsafeBytes { Item.append(number, $0, to: &bytes) } }
    }
    try waiting.bound(tree, in: transaction)
  }

  // MARK: Objects deleted with another one

  /// Records the objects that the record's relationships delete or that may deny the deletion. The record may
  /// be in a page, so nothing may be written during the call. Only a record with large collections is a copy
  /// and permits writes.
  private func noteStored(of table: Table, key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer)
    throws
  {
    guard table.hasDeleteRules else { return }
    let actions = rules.actions
    guard actions.contains(where: \.isStored) else { return }
    let view = try table.view(record)
    for (place, action) in actions.enumerated() where action.isStored {
      func note(_ target: UnsafeRawBufferPointer) {
        if action.deleteRule == .cascade {
          waiting.push { Item.append(action.other, target, to: &$0) }
        } else {
          denying.push { Denial.append(table.number, place, key, target: target, to: &$0) }
        }
      }
      let type = action.column.type
      try table.payload(of: action.column, in: view) { payload in
        guard let payload else { return }
        guard type.container != .none, let marker = try CollectionMarker(payload) else {
          return try CollectionPayload.forEachLink(payload, type: type, note)
        }
        let collection = try LargeCollection.at(marker, type: type, tables: tables, in: transaction)
        try collection.forEachRun { run in
          try run.forEach(type: type) { _, element in
            if let target = try CollectionPayload.value(element, type: type) { note(target) }
          }
          try waiting.bound(tree, in: transaction)
          try denying.bound(tree, in: transaction)
          return true
        }
      }
    }
  }

  private func noteInverse(_ actions: [TableRules.Relation], of table: Table, key: UnsafeRawBufferPointer) {
    for (place, action) in actions.enumerated() where !action.isStored {
      if action.deleteRule == .cascade {
        let target = [UInt8](key)
        waiting.push { Item.append(action.other, action.link, target, after: [], to: &$0) }
      } else {
        denying.push { Denial.append(table.number, place, key, target: nil, to: &$0) }
      }
    }
  }
}

extension Deletion.Item {
  private static let ofSources: UInt16 = 0x8000

  static func append(_ table: Int, _ key: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.appendShort(UInt16(truncatingIfNeeded: table))
    bytes.append(contentsOf: key)
  }

  static func append(_ table: Int, _ link: Int, _ target: [UInt8], after: [UInt8], to bytes: inout [UInt8]) {
    bytes.appendShort(UInt16(truncatingIfNeeded: table) | ofSources)
    bytes.appendShort(UInt16(truncatingIfNeeded: link))
    bytes.appendShort(UInt16(truncatingIfNeeded: target.count))
    bytes += target
    bytes += after
  }

  init(_ bytes: [UInt8]) throws {
    let table = try bytes.short(at: 0)
    guard table & Self.ofSources != 0 else {
      self = .object(table: Int(table), key: Array(bytes[2...]))
      return
    }
    let end = 6 + Int(try bytes.short(at: 4))
    guard bytes.count >= end else { throw RecordView.damaged }
    self = .sources(
      table: Int(table & ~Self.ofSources),
      link: Int(try bytes.short(at: 2)),
      target: Array(bytes[6..<end]),
      after: Array(bytes[end...])
    )
  }
}

extension [UInt8] {
  mutating func appendShort(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  /// - Throws: ``FiefError`` of code `damagedRecord` if the index is beyond the end.
  func short(at index: Int) throws -> UInt16 {
    guard index + 1 < count else { throw RecordView.damaged }
    return UInt16(self[index]) | UInt16(self[index + 1]) << 8
  }
}
