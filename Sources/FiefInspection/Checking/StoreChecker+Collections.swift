import FiefCore
import LMDB

/// Compares the tree of large collections with the records.
extension StoreChecker {
  /// Checks the large collections of a record: their nodes, counts and elements.
  func checkCollections(of table: Table, view: RecordView, key: UnsafeRawBufferPointer) throws {
    for column in table.collections {
      var marker: CollectionMarker?
      try table.payload(of: column.column, in: view) { marker = try $0.flatMap { try CollectionMarker($0) } }
      guard let marker else { continue }
      let name = column.column.name
      guard marker.belongs(to: column.column.id, of: table.entry.id) else {
        report("\(name) refers to a collection of another property", table, key: key)
        continue
      }
      guard collections.insert(marker.prefix).inserted else {
        report("\(name) refers to the collection of another object", table, key: key)
        continue
      }
      let collection = try LargeCollection.at(
        marker,
        type: column.column.type,
        tables: tables,
        in: transaction
      )
      guard let count = try collection.count() else {
        report("\(name) refers to a collection that does not exist", table, key: key)
        continue
      }
      if count != marker.count {
        report("\(name) has \(count) elements, but the record states \(marker.count)", table, key: key)
      }
      let version = try collection.version()
      if version != 0 { collectionEntries &+= 1 }
      if marker.version != 0, marker.version != version {
        report("\(name) has a different version than the record states", table, key: key)
      }
      try checkNumber(of: marker, name, table, key)
      try checkElements(of: collection, count: count, column, table, key)
    }
  }

  private func checkNumber(
    of marker: CollectionMarker,
    _ name: String,
    _ table: Table,
    _ key: UnsafeRawBufferPointer
  ) throws {
    guard let tree = try tables.collectionTree(in: transaction) else { return }
    let counter = marker.prefix.prefix(6) + [UInt8](repeating: 0, count: 8)
    counters.insert(Array(counter))
    let number = marker.prefix[6...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let next = try counter.withUnsafeBytes { try transaction.get(tree, $0) }
    guard let next, next.count == 8 else {
      return report("the counter of the large collections of \(name) is missing", table, key: key)
    }
    if number >= UInt64(littleEndian: next.loadUnaligned(as: UInt64.self)) {
      report("the number of the collection of \(name) was never assigned", table, key: key)
    }
  }

  private func checkElements(
    of collection: LargeCollection,
    count: Int,
    _ column: Table.CollectionColumn,
    _ table: Table,
    _ key: UnsafeRawBufferPointer
  ) throws {
    let name = column.column.name
    var found = 0
    var all = ElementRun()
    if let list = collection as? LargeList {
      let root = try list.existingNode(0)
      if try !checkNodes(of: list, root, next: root.nextNumber) {
        report("the nodes of \(name) are inconsistent", table, key: key)
      }
    } else {
      collectionEntries &+= 1 + count
      if let entries = collection as? LargeTable, try !entries.hasRightKeys() {
        report("\(name) has an element under another element's key", table, key: key)
      }
    }
    let checker = RecordChecker(tables: tables, table: table)
    try collection.forEachRun { run in
      found += run.count
      try checker.check(run, column.column.type)
      if column.column.type.kind == .link {
        all.bytes += run.bytes
        all.count += run.count
      }
      return true
    }
    if found != count { report("\(name) states \(count) elements but has \(found)", table, key: key) }
    guard column.column.type.kind == .link else { return }
    try checkLinks(all, of: collection, column, table, key)
  }

  /// Walks the nodes of a list. Returns whether their counts and levels are correct and no node is empty.
  private func checkNodes(of list: LargeList, _ node: ListNode, next: UInt64) throws -> Bool {
    collectionEntries += 1
    for child in node.children {
      guard child.number > 0, child.number < next, let lower = try list.node(child.number),
        lower.level == node.level - 1, lower.count == child.count, child.count > 0,
        try checkNodes(of: list, lower, next: next)
      else { return false }
    }
    return true
  }

  private func checkLinks(
    _ all: ElementRun,
    of collection: LargeCollection,
    _ column: Table.CollectionColumn,
    _ table: Table,
    _ key: UnsafeRawBufferPointer
  ) throws {
    let none = try LinkTargets(.none, type: column.column.type)
    let position = table.links.firstIndex { $0.column.id == column.column.id }
    try LinkTargets.compare(try LinkTargets(all, type: column.column.type), none) { target, count, _ in
      if try collection.repetitions(of: target) != count - 1 {
        report("\(column.column.name) has a wrong count for an object", table, key: key)
      }
      if count > 1 { collectionEntries += 1 }
      guard let position else { return }
      try checkLink([UInt8](target), along: table.links[position], table, key)
      linkedFromCollections[position, default: 0] += 1
    }
  }

  /// Compares the number of entries in the tree with the number expected from the records.
  func checkCollectionTree() throws {
    guard let tree = try tables.collectionTree(in: transaction) else { return }
    let count = try transaction.statedCount(tree)
    noteEntries(count)
    let cursor = try transaction.cursor(tree)
    var found = try cursor.first()
    var spare = 0
    while found {
      guard cursor.key.count >= CollectionMarker.prefixCount else {
        reportStore("the tree of large collections has an invalid key")
        return
      }
      let prefix = [UInt8](cursor.key[..<CollectionMarker.prefixCount])
      let isCounter = cursor.key.count == CollectionMarker.prefixCount
      if isCounter {
        if prefix[6...].contains(where: { $0 != 0 }) {
          reportStore("a counter of large collections is damaged")
        }
        spare += 1
        found = try cursor.next()
        continue
      }
      if !collections.contains(prefix) {
        reportStore("the tree of large collections has a collection that no record refers to")
      }
      // Skips the other entries of the collection.
      found = try (prefix + [0xFF]).withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    }
    if count != collectionEntries + spare {
      reportStore(
        "the tree of large collections has \(count) entries, but records state \(collectionEntries + spare)"
      )
    }
  }
}
