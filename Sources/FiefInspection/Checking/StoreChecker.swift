import FiefCore
import LMDB

/// Walks through a store and compares all its parts: records, indexes, links and catalogue.
///
/// The checker reads one committed state and changes nothing. It verifies the checksum of every record, looks
/// up every entry that a record must have, and counts the entries to find entries that belong to no record.
package final class StoreChecker {
  let tables: StoreTables
  let transaction: LMDB.Transaction
  private var result = IntegrityReport()
  /// The maximum number of listed problems. Further problems are only counted.
  private let limit = 100
  private var unlisted = 0
  /// The maintainers that check the current table's indexes, by the numbers of the indexes.
  private var maintainers: [UInt16: any IndexMaintainer] = [:]

  /// The large collections of records.
  var collections: Set<[UInt8]> = []
  /// The counters from which new large collections get their numbers, by column.
  var counters: Set<[UInt8]> = []
  /// The number of entries that the large collections must have.
  var collectionEntries = 0
  /// The number of targets in the large collections of a table, by column index.
  var linkedFromCollections: [Int: Int] = [:]

  package init(tables: StoreTables, transaction: LMDB.Transaction) {
    self.tables = tables
    self.transaction = transaction
  }

  package func run() throws -> IntegrityReport {
    let arePagesWhole = try checkPages()
    /// Runs a part of the check. If the pages are damaged, the part may fail, and the next one runs.
    ///
    /// - Returns: whether the part was complete.
    func attempt(_ table: Table? = nil, _ part: () throws -> Void) throws -> Bool {
      do { try part() } catch {
        let described = FiefError.described(error, store: tables.storeName)
        let code = (described as? FiefError)?.code
        guard !arePagesWhole, code == .damagedStore || code == .damagedRecord else { throw error }
        if let table { report("\(described)", table) } else { reportStore("\(described)") }
        return false
      }
      return true
    }
    _ = try attempt { try checkSeal() }
    _ = try attempt { try checkTrees() }
    _ = try attempt { try checkJointRows() }
    checkKeptUsage()
    var areAllRead = true
    for table in tables.all {
      (linkedFromCollections, maintainers) = ([:], [:])
      let isRead = try attempt(table) { try check(table) }
      areAllRead = areAllRead && isRead
    }
    // Collections of records that could not be read would seem to belong to nothing.
    if areAllRead { _ = try attempt { try checkCollectionTree() } }
    for table in tables.all {
      _ = try attempt(table) {
        for problem in try ManagedChecks.problems(of: table, tables, transaction) {
          reportStore("\(table.name): \(problem)")
        }
      }
    }
    if unlisted > 0 { result.problems.append("and \(unlisted) more problems") }
    // The damage is listed in the report, so the scope need not fail because of it.
    if !result.problems.isEmpty { transaction.acknowledgeDamage() }
    return result
  }

  /// Checks the structure of every page and LMDB's own counts, and that no page is used twice or is both free
  /// and in use.
  private func checkPages() throws -> Bool {
    do throws(LMDBError) {
      _ = try transaction.verifyPages()
      return true
    } catch {
      guard error.code == .damaged || error.code == .truncated else { throw error }
      reportStore("the pages are damaged: \(error.detail ?? error.message)")
      return false
    }
  }

  /// Compares the trees of an encrypted store with the record of the last commit.
  private func checkSeal() throws {
    for flaw in try transaction.sealFlaws() {
      if let table = tables.all.first(where: { flaw.tree.map($0.entry.treeNames.contains) == true }) {
        report(flaw.text, table)
      } else {
        reportStore(flaw.text)
      }
    }
  }

  /// Reports a problem that concerns the whole store rather than one type.
  func reportStore(_ problem: String) {
    guard result.problems.count < limit else {
      unlisted += 1
      return
    }
    result.problems.append(problem)
  }

  func noteEntries(_ count: Int) { result.entries += count }

  func report(_ problem: String, _ table: Table, key: UnsafeRawBufferPointer? = nil) {
    guard result.problems.count < limit else {
      unlisted += 1
      return
    }
    let place = key.map { "\(table.name)[\(table.text(ofKey: [UInt8]($0)))]" } ?? table.name
    result.problems.append("\(place): \(problem)")
  }

  /// Checks the rows of writes to several stores. An unfinished write is not a problem.
  private func checkJointRows() throws {
    result.problems += try JointRows.problems(tables.catalogueTree, in: transaction)
    if result.problems.isEmpty {
      result.unfinishedWrites = try JointRows.unfinished(tables.catalogueTree, in: transaction)
    }
  }

  private func checkKeptUsage() {
    do { _ = try UsageRecord.stored(tables.catalogueTree, in: transaction) } catch {
      reportStore("\(FiefError.described(error, store: tables.storeName))")
    }
  }

  /// Checks that every tree belongs to the catalogue, and that every tree of the catalogue exists.
  private func checkTrees() throws {
    let expected = Set(
      [Catalogue.treeName] + tables.all.flatMap { $0.entry.treeNames }
    )
    let found = Set(try transaction.databaseNames())
    for name in expected.subtracting(found).sorted() {
      result.problems.append("the tree '\(name)' is missing")
    }
    // The tree of large collections exists only after the first such collection.
    for name in found.subtracting(expected).sorted() where name != Catalogue.collectionTreeName {
      result.problems.append("the tree '\(name)' is not listed in the catalogue")
    }
  }

  private func check(_ table: Table) throws {
    guard let records = table.records else { return }
    var expectedEntries = [Int](repeating: 0, count: table.indexes.count + table.links.count)
    var largestRowID: Int64 = 0
    let before = result.records
    let cursor = try transaction.cursor(records)
    var found = try cursor.nextKey()
    while found {
      result.records += 1
      let key = cursor.key
      do {
        if table.primaryKey.isEmpty {
          largestRowID = max(largestRowID, try rowID(key))
        } else {
          try checkKey(key, table)
        }
        let view = try table.view(cursor.readValue())
        try view.verifyChecksum(key, of: table)
        try RecordChecker(tables: tables, table: table).check(view)
        try checkEntries(of: table, view: view, key: key, counts: &expectedEntries)
        try checkCollections(of: table, view: view, key: key)
        if let derivations = table.derivations { try checkDerived(derivations, table, view: view, key: key) }
        try checkLimits(of: table, key: key)
      } catch {
        report("\(FiefError.described(error, store: tables.storeName))", table, key: key)
      }
      found = try cursor.nextKey()
    }
    let (stated, seen) = (try transaction.statedCount(records), result.records - before)
    if stated != seen { report("the tree of records states \(stated) entries but has \(seen)", table) }
    for (position, count) in linkedFromCollections {
      expectedEntries[table.indexes.count + position] += count
    }
    try checkCounts(of: table, expectedEntries)
    for index in table.indexes where index.entry.isUnique { try checkUnique(index, table) }
    try checkRowIDs(of: table, largest: largestRowID)
  }

  private func rowID(_ key: UnsafeRawBufferPointer) throws -> Int64 {
    var decoder = KeyDecoder(key)
    let id = try decoder.nextInteger()
    guard decoder.isAtEnd else { throw FiefError(.damagedRecord, "A row id has extra bytes after its end.") }
    return id
  }

  private func checkKey(_ key: UnsafeRawBufferPointer, _ table: Table) throws {
    var decoder = KeyDecoder(key)
    for column in table.primaryKey {
      var writer = ValueWriter()
      _ = try table.appendKeyPayload(from: &decoder, of: column, to: &writer)
    }
    guard decoder.isAtEnd else {
      throw FiefError(.damagedRecord, "The key has more parts than the type's primary key.")
    }
  }

  /// Returns the maintainer that checks an index, or `nil` for an ordered index.
  func maintainer(of index: Table.Index, _ table: Table) -> (any IndexMaintainer)? {
    guard let kind = index.entry.kind.maintainer else { return nil }
    if let known = maintainers[index.entry.id] { return known }
    let maintainer = kind.init(index, of: table)
    maintainers[index.entry.id] = maintainer
    return maintainer
  }

  private func checkEntries(
    of table: Table,
    view: RecordView,
    key: UnsafeRawBufferPointer,
    counts: inout [Int]
  ) throws {
    let objectKey = [UInt8](key)
    for (position, index) in table.indexes.enumerated() {
      counts[position] += try checkEntries(of: index, table, view: view, key: key)
    }
    for (position, link) in table.links.enumerated() {
      for target in try RecordWriter.targets(of: link.column, in: view, table) {
        counts[table.indexes.count + position] += 1
        try checkLink(target, along: link, table, objectKey)
      }
    }
  }

  func checkLink(
    _ target: [UInt8],
    along link: Table.LinkColumn,
    _ table: Table,
    _ key: UnsafeRawBufferPointer
  ) throws {
    try checkLink(target, along: link, table, [UInt8](key))
  }

  private func checkLink(_ target: [UInt8], along link: Table.LinkColumn, _ table: Table, _ key: [UInt8])
    throws
  {
    try key.withUnsafeBytes { bytes in
      if try !contains(CompositeKey(first: target, second: key), in: link.backlinks) {
        report("the backlink of \(link.column.name) is missing", table, key: bytes)
      }
      if !link.mayDangle { try checkTarget(target, of: link.column, table, bytes) }
    }
  }

  private func checkLimits(of table: Table, key: UnsafeRawBufferPointer) throws {
    for limit in tables.rules(of: table).limits {
      guard let violation = try LimitViolations.find(limit, of: table, key: key, tables, transaction) else {
        continue
      }
      report("\(violation.property): \(violation.text)", table, key: key)
    }
  }

  private func checkTarget(
    _ target: [UInt8],
    of column: ColumnEntry,
    _ table: Table,
    _ key: UnsafeRawBufferPointer
  )
    throws
  {
    let other = column.type.target.flatMap { tables[$0] }
    let exists = try (other?.records).map { records in
      try target.withUnsafeBytes { try transaction.get(records, $0) } != nil
    }
    if exists != true {
      report(
        "\(column.name) links to \(other?.text(ofKey: target) ?? "?"), which does not exist",
        table,
        key: key
      )
    }
  }

  func contains(_ entry: CompositeKey, in database: Database) throws -> Bool {
    let value = try entry.key.withUnsafeBytes { try transaction.get(database, $0) }
    return value?.elementsEqual(entry.value) ?? false
  }

  private func checkCounts(of table: Table, _ expected: [Int]) throws {
    for (position, index) in table.indexes.enumerated() {
      var expected = expected[position]
      if let findings = try maintainer(of: index, table)?.finishCheck(in: transaction) {
        expected += findings.entries
        if let problem = findings.problem { report(problem, table) }
      }
      try checkCount(of: index.database, expected, "the index of \(index.columnNames)", table)
    }
    for (position, link) in table.links.enumerated() {
      try checkCount(
        of: link.backlinks,
        expected[table.indexes.count + position],
        "the tree of backlinks of \(link.column.name)",
        table
      )
    }
  }

  private func checkCount(of database: Database, _ expected: Int, _ name: String, _ table: Table) throws {
    let stated = try transaction.statedCount(database)
    // Counts the entries of the whole tree from the headers of its leaves.
    let count = try transaction.exactCount(database, from: UnsafeRawBufferPointer(start: nil, count: 0))
    if stated != count { report("\(name) states \(stated) entries but has \(count)", table) }
    result.entries += count
    if count != expected {
      report("\(name) has \(count) entries, but the records require \(expected)", table)
    }
  }

  private func checkRowIDs(of table: Table, largest: Int64) throws {
    guard table.primaryKey.isEmpty, largest > 0 else { return }
    let next: Int64
    do {
      next = try RecordWriter.nextRowID(of: table, tree: tables.catalogueTree, in: transaction)
    } catch let error as FiefError {
      return report(error.message, table)
    }
    if largest >= next { report("the row id \(largest) was never reserved", table) }
  }
}
