import LMDB

/// Walks a store and compares everything in it: records, indexes, links and catalogue.
///
/// It looks at one committed state and changes nothing. Every record is read with its checksum; every
/// entry that a record should have is looked up, and entries that no record has are counted.
final class StoreChecker {
  private let tables: StoreTables
  let transaction: LMDB.Transaction
  private var result = StoreCheck()
  /// How many problems are listed before the rest is only counted.
  private let limit = 100
  private var unlisted = 0
  var words = WordList()
  /// The numbers of texts and words that the records have, by the numbers of their indexes.
  var sums: [UInt16: (texts: Int, words: Int)] = [:]

  init(tables: StoreTables, transaction: LMDB.Transaction) {
    self.tables = tables
    self.transaction = transaction
  }

  func run() throws -> StoreCheck {
    try checkTrees()
    for table in tables.all { try check(table) }
    if unlisted > 0 { result.problems.append("and \(unlisted) more problems") }
    return result
  }

  func report(_ problem: String, _ table: Table, key: UnsafeRawBufferPointer? = nil) {
    guard result.problems.count < limit else {
      unlisted += 1
      return
    }
    let place = key.map { "\(table.name)[\(ObjectKey($0))]" } ?? table.name
    result.problems.append("\(place): \(problem)")
  }

  /// Every tree belongs to the catalogue, and the other way round.
  private func checkTrees() throws {
    let expected = Set(
      [StoreOpening.catalogueTree] + tables.all.flatMap { StoreOpening.treeNames(of: $0.entry) }
    )
    let found = Set(try transaction.databaseNames())
    for name in expected.subtracting(found).sorted() {
      result.problems.append("the tree '\(name)' is missing")
    }
    for name in found.subtracting(expected).sorted() {
      result.problems.append("the tree '\(name)' belongs to nothing in the catalogue")
    }
  }

  private func check(_ table: Table) throws {
    guard let records = table.records else { return }
    var expectedEntries = [Int](repeating: 0, count: table.indexes.count + table.links.count)
    var largestRowID: Int64 = 0
    let cursor = try transaction.cursor(records)
    var found = try cursor.first()
    while found {
      result.records += 1
      let key = cursor.key
      do {
        if table.primaryKey.isEmpty {
          largestRowID = max(largestRowID, try rowID(key))
        } else {
          try checkKey(key, table)
        }
        let view = try table.view(cursor.value)
        try view.verifyChecksum()
        try RecordChecker(tables: tables, table: table).check(view)
        try checkEntries(of: table, view: view, key: key, counts: &expectedEntries)
        try checkLimits(of: table, key: key)
        if let derivations = table.derivations { try checkDerived(derivations, table, view: view, key: key) }
      } catch {
        report("\(FiefError.described(error, store: tables.storeName))", table, key: key)
      }
      found = try cursor.next()
    }
    try checkCounts(of: table, expectedEntries)
    for index in table.indexes where index.entry.isUnique { try checkUnique(index, table) }
    sums = [:]
    try checkRowIDs(of: table, largest: largestRowID)
  }

  private func rowID(_ key: UnsafeRawBufferPointer) throws -> Int64 {
    var decoder = KeyDecoder(key)
    let id = try decoder.nextInteger()
    guard decoder.isAtEnd else { throw FiefError(.damagedRecord, "A row id is followed by more bytes.") }
    return id
  }

  private func checkKey(_ key: UnsafeRawBufferPointer, _ table: Table) throws {
    var decoder = KeyDecoder(key)
    for column in table.primaryKey {
      var writer = ValueWriter()
      _ = try KeyCoding.appendPayload(from: &decoder, kind: column.type.kind, to: &writer)
    }
    guard decoder.isAtEnd else { throw FiefError(.damagedRecord, "The key has more parts than the type's.") }
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
        if try !contains(CompositeKey(first: target, second: objectKey), in: link.backlinks) {
          report("the way back along \(link.column.name) is missing", table, key: key)
        }
        if !link.mayDangle { try checkTarget(target, of: link.column, table, key) }
      }
    }
  }

  private func checkLimits(of table: Table, key: UnsafeRawBufferPointer) throws {
    for limit in tables.rules[table.number].limits {
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
    let records = column.type.target.flatMap { tables[$0]?.records }
    let exists = try records.map { records in
      try target.withUnsafeBytes { try transaction.get(records, $0) } != nil
    }
    if exists != true {
      report("\(column.name) links to \(ObjectKey(bytes: target)), which does not exist", table, key: key)
    }
  }

  func contains(_ entry: CompositeKey, in database: Database) throws -> Bool {
    let value = try entry.key.withUnsafeBytes { try transaction.get(database, $0) }
    return value?.elementsEqual(entry.value) ?? false
  }

  private func checkCounts(of table: Table, _ expected: [Int]) throws {
    for (position, index) in table.indexes.enumerated() {
      var expected = expected[position]
      if index.entry.kind == .fullText, try checkTotals(of: index, table) { expected += 1 }
      try checkCount(of: index.database, expected, "the index of \(index.columnNames)", table)
    }
    for (position, link) in table.links.enumerated() {
      try checkCount(
        of: link.backlinks,
        expected[table.indexes.count + position],
        "the way back along \(link.column.name)",
        table
      )
    }
  }

  private func checkCount(of database: Database, _ expected: Int, _ name: String, _ table: Table) throws {
    let count = try transaction.count(database)
    result.entries += count
    if count != expected { report("\(name) has \(count) entries, and the records say \(expected)", table) }
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
