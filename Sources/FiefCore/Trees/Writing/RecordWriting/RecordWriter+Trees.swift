import Foundation
import LMDB

/// Updates the trees that belong to the records: indexes and backlinks.
extension RecordWriter {
  /// Records the changes of indexes and backlinks from `old` to `new`. A later flush writes them.
  func updateTrees(
    of table: Table,
    key: UnsafeRawBufferPointer,
    old: UnsafeRawBufferPointer?,
    new: UnsafeRawBufferPointer?
  ) throws {
    let oldView = try old.map { try table.view($0) }
    let newView = try new.map { try table.view($0) }
    for index in table.indexes {
      if !index.isPlain {
        try updateEntries(of: index, table, key: key, old: oldView, new: newView)
        continue
      }
      try buffer(index.database).replace(
        objectKey: key,
        old: oldView.map { view in
          { try IndexElement.append(index.column, of: table, in: view, key: key, to: &$0) }
        },
        new: newView.map { view in
          { try IndexElement.append(index.column, of: table, in: view, key: key, to: &$0) }
        }
      )
    }
    if table.hasLimits { try noteLimits(of: table, key: key, old: oldView, new: newView) }
    for index in table.links.indices {
      if let oldView, let newView,
        try Self.haveSameLinks(oldView, newView, column: table.links[index].column.id)
      {
        continue
      }
      // A changed large collection has already written its links.
      let column = table.links[index].column
      if column.type.container != .none,
        try Self.isLarge(column, in: oldView, table) || Self.isLarge(column, in: newView, table)
      {
        continue
      }
      try updateBacklinks(of: table.links[index], table, key: key, old: oldView, new: newView)
    }
    if let derivations = table.derivations, !derivesNothing {
      try noteDerivations(derivations, table, key: key, old: oldView, new: newView)
    }
  }

  static func isLarge(_ column: ColumnEntry, in view: RecordView?, _ table: Table) throws -> Bool {
    guard let view else { return false }
    var isLarge = false
    try table.payload(of: column, in: view) { isLarge = $0.map(CollectionMarker.isMarker) ?? false }
    return isLarge
  }

  /// Whether two records have the same bytes for a link column. Most changes affect other columns.
  static func haveSameLinks(_ old: RecordView, _ new: RecordView, column: UInt16) throws -> Bool {
    guard let before = old.layout.place(ofColumn: column), let after = new.layout.place(ofColumn: column),
      before.form == .varying, after.form == .varying, old.isNil(before) == new.isNil(after)
    else { return false }
    let (first, second) = (try old.varying(before), try new.varying(after))
    guard first.count == second.count else { return false }
    guard let start = first.baseAddress, let other = second.baseAddress else { return true }
    return memcmp(start, other, first.count) == 0
  }

  /// Returns the elements that were appended to a collection of links, or `nil` for any other change and for
  /// single links.
  private static func additions(
    to column: ColumnEntry,
    from old: RecordView,
    to new: RecordView
  ) throws -> (count: Int, elements: UnsafeRawBufferPointer)? {
    guard column.type.container != .none, let before = old.layout.place(ofColumn: column.id),
      let after = new.layout.place(ofColumn: column.id), before.form == .varying, after.form == .varying,
      !before.isConverted, !after.isConverted, !old.isNil(before), !new.isNil(after)
    else { return nil }
    return try CollectionPayload.additions(
      to: try old.varying(before),
      in: try new.varying(after),
      type: column.type
    )
  }

  /// Adds an object to backlink trees that do not contain it yet.
  func addBacklinks(
    along links: [Table.LinkColumn],
    of table: Table,
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer
  ) throws {
    let view = try table.view(record)
    for link in links {
      let backlinks = buffer(link.backlinks)
      try Self.forEachTarget(of: link.column, in: view, table) {
        backlinks.note(first: $0, objectKey: key, isAdded: true)
      }
    }
    try boundTreeBuffers()
  }

  private func updateBacklinks(
    of link: Table.LinkColumn,
    _ table: Table,
    key: UnsafeRawBufferPointer,
    old: RecordView?,
    new: RecordView?
  ) throws {
    let backlinks = buffer(link.backlinks)
    guard let old else {
      // Most objects are new. Recording a target twice does no harm.
      guard let new else { return }
      try Self.forEachTarget(of: link.column, in: new, table) {
        backlinks.note(first: $0, objectKey: key, isAdded: true)
        noteNewLink(link, of: table, key: key, target: $0)
      }
      return
    }
    if let new, let added = try Self.additions(to: link.column, from: old, to: new) {
      return try CollectionPayload.forEach(added.count, in: added.elements, type: link.column.type) {
        guard let target = $1 else { return }
        backlinks.note(first: target, objectKey: key, isAdded: true)
        noteNewLink(link, of: table, key: key, target: target)
      }
    }
    let before = try Self.targets(of: link.column, in: old, table)
    let after = try new.map { try Self.targets(of: link.column, in: $0, table) } ?? []
    for target in before.subtracting(after) {
      target.withUnsafeBytes { backlinks.note(first: $0, objectKey: key, isAdded: false) }
    }
    for target in after.subtracting(before) {
      target.withUnsafeBytes {
        backlinks.note(first: $0, objectKey: key, isAdded: true)
        noteNewLink(link, of: table, key: key, target: $0)
      }
    }
  }

  func noteNewLink(
    _ link: Table.LinkColumn,
    of table: Table,
    key: UnsafeRawBufferPointer,
    target: UnsafeRawBufferPointer
  ) {
    guard collectsNewLinks, newLinks != nil, !link.mayDangle else { return }
    newLinks?.append(target, from: key, link.column, of: table)
  }

  /// Returns the keys to which a link column leads.
  package static func targets(of column: ColumnEntry, in view: RecordView, _ table: Table) throws -> Set<
    [UInt8]
  > {
    var targets: Set<[UInt8]> = []
    try forEachTarget(of: column, in: view, table) { targets.insert([UInt8]($0)) }
    return targets
  }

  static func forEachTarget(
    of column: ColumnEntry,
    in view: RecordView,
    _ table: Table,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    try table.payload(of: column, in: view) { payload in
      guard let payload else { return }
      if column.type.container == .none { return body(payload) }
      try CollectionPayload.forEach(payload, type: column.type) { _, element in
        if let element { body(element) }
      }
    }
  }

  /// A link from one object to another object.
  struct Link {
    let table: Table
    let column: ColumnEntry
    let key: [UInt8]
    let target: [UInt8]
  }
}
