import Fief

extension ObjectImport {
  /// Writes the objects of some records. Rejected records are reported as invalid lines.
  ///
  /// - Parameter expectsKnown: whether existing objects are assumed to come from an interrupted run.
  func perform(
    _ records: [RecordReader.Record],
    in transaction: DynamicTransaction,
    expectsKnown: Bool
  ) throws -> Batch {
    let hasUnique = transaction.types.contains { $0.indexes.contains(where: \.isUnique) }
    guard hasUnique else { return try perform(records[...], in: transaction, expectsKnown) }
    var batch = Batch()
    try divide(records[...], in: transaction, expectsKnown, &batch)
    return batch
  }

  /// Writes records whose values may conflict with unique indexes.
  ///
  /// All records are written together, because two of them may exchange values. After a failure the records
  /// are divided into halves until the invalid line is found. If two lines have the same value, the later one
  /// is invalid.
  private func divide(
    _ records: ArraySlice<RecordReader.Record>,
    in transaction: DynamicTransaction,
    _ expectsKnown: Bool,
    _ batch: inout Batch
  ) throws {
    do {
      batch.append(try transaction.nested { try perform(records, in: $0, expectsKnown) })
    } catch let error as FiefError where error.code == .duplicateValue {
      guard records.count > 1 else {
        for record in records {
          batch.wrong.append(problem(record.line, error) ?? ImportProblem(line: record.line, error))
        }
        return
      }
      let middle = records.startIndex + records.count / 2
      try divide(records[..<middle], in: transaction, expectsKnown, &batch)
      try divide(records[middle...], in: transaction, expectsKnown, &batch)
    }
  }

  private func perform(
    _ records: ArraySlice<RecordReader.Record>,
    in transaction: DynamicTransaction,
    _ expectsKnown: Bool
  ) throws -> Batch {
    var batch = Batch()
    for record in records {
      var isWaiting = false
      do {
        let done = try put(record, conflict, .leaveOut { _, _ in isWaiting = true }, nil, in: transaction)
        batch.counts[done.put.outcome, default: 0] += 1
        guard isWaiting, done.put.outcome != .skipped else { continue }
        batch.waiting.append(
          LinkSpool.Entry(
            line: record.line,
            typeName: done.typeName,
            key: done.put.key,
            bytes: record.bytes
          )
        )
      } catch {
        if expectsKnown, (error as? FiefError)?.code == .duplicatePrimaryKey {
          batch.known += 1
          continue
        }
        guard let problem = problem(record.line, error) else { throw error }
        batch.wrong.append(problem)
      }
    }
    return batch
  }

  /// Sets the deferred links, and inserts the objects that are written inline in them.
  func makeLinks(_ entries: [LinkSpool.Entry], in transaction: DynamicTransaction) throws -> Links {
    var result = Links()
    for entry in entries {
      let record = RecordReader.Record(line: entry.line, bytes: entry.bytes)
      var made = Links()
      let policy = DynamicLinkPolicy.insert {
        made.inserted += 1
      } missing: { property, target in
        let text = "\(property) leads to \(target), which does not exist; the link was left out"
        let error = FiefError(
          .objectNotFound,
          "The link leads to an object that does not exist, and was left out.",
          type: entry.typeName,
          property: property
        )
        made.missing.append(ImportProblem(line: entry.line, error, text: text))
      }
      do { _ = try put(record, .merge, policy, entry, in: transaction) } catch {
        guard let problem = problem(entry.line, error) else { throw error }
        made = Links(wrong: [problem.adding("; the links of this line were left out")])
      }
      result.append(made)
    }
    return result
  }

  private func put(
    _ record: RecordReader.Record,
    _ conflict: DynamicConflict,
    _ links: DynamicLinkPolicy,
    _ entry: LinkSpool.Entry?,
    in transaction: DynamicTransaction
  ) throws -> (typeName: String, put: DynamicPut) {
    if isCSV, let type {
      let put = try transaction.put(
        type.name,
        cells: try cells(of: record.bytes),
        conflict: conflict,
        links: links,
        linksOf: entry?.key
      )
      return (type.name, put)
    }
    return try record.bytes.withUnsafeBytes { line in
      try transaction.put(type?.name, line: line, conflict: conflict, links: links, linksOf: entry?.key)
    }
  }

  /// Returns the cells of a row with the names of their columns.
  func cells(of row: [UInt8]) throws -> [(name: String, cell: CSVCell)] {
    let cells = try CSVText.cells(of: row)
    guard cells.count == columns.count else {
      throw CSVError.wrongCount(cells.count, expected: columns.count)
    }
    return zip(columns, cells).map { (name: $0, cell: $1) }
  }

  /// Returns the problem of a line, or `nil` if the line did not cause the error.
  func problem(_ line: Int, _ error: any Error) -> ImportProblem? {
    ImportProblem(line: line, error, showsValues: showsValues)
  }
}
