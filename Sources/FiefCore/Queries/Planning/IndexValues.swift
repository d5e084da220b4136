import Foundation
import LMDB

/// The values of one column, read from the entries of an index, for a query whose whole condition the index
/// answers.
///
/// A record is read only if the value was shortened in the entry, if the index contains another form of it,
/// or to verify the minimum or maximum.
struct IndexValues {
  let match: TreeMatch
  /// The position of the column among the columns of the index.
  let place: Int
  /// The operand that reads the column from records.
  let operand: RowOperand

  private var tree: PlannedTree { match.tree }
  private var column: ColumnEntry { tree.columns[place] }

  private var isUnique: Bool { if case .index(let index) = tree.kind { index.entry.isUnique } else { false } }

  /// The value of a column in an index entry.
  private enum EntryValue {
    case value(RowValue)
    /// The value is only in the record.
    case unknown
  }

  /// Adds the values of all entries.
  ///
  /// - Returns: the number of records that had to be read.
  func add(to fold: inout RowFold, in environment: QueryEnvironment) throws -> Int {
    var visited = 0
    var (integers, count): (Int128, Int) = (0, 0)
    let isInteger = column.type.kind.isInteger
    let source = match.source
    for range in source.ranges {
      try range.forEachRun(of: tree.database, in: environment.transaction) { run in
        for index in 0..<run.count {
          let entry = run.key(index)
          guard source.passes(entry) else { continue }
          if isInteger, let value = integer(entry) {
            integers &+= Int128(value)
            count &+= 1
            continue
          }
          switch number(entry) {
          case .value(let value): fold.add(value)
          case .unknown:
            let key = try source.objectKey(
              of: entry,
              value: run.value(index),
              in: range,
              environment.transaction
            )
            guard let key, let row = try row(key, in: environment) else { continue }
            visited &+= 1
            try fold.add(operand, row, in: environment)
          }
        }
        return true
      }
    }
    fold.add(integers: integers, count: count)
    return visited
  }

  /// Returns the minimum or maximum value.
  ///
  /// Every column before this one has a single value, so the result is in the first or the last entry. The
  /// object of this entry is read too, because entries have no checksums.
  ///
  /// - Returns: `.null` if there are no values, or `nil` if the entry does not contain the value.
  /// - Throws: ``FiefError`` of code `damagedRecord` if the object has a different value.
  func extreme(isLeast: Bool, in environment: QueryEnvironment) throws -> QueryValue? {
    var source = match.source
    if place == match.fixedColumns {
      guard let values else { return nil }
      source.ranges = source.ranges.compactMap { $0.intersection(values) }
    }
    for range in isLeast ? source.ranges : source.ranges.reversed() {
      var found: QueryValue??
      try range.withBounds { lower, upper in
        try environment.transaction.forEachRun(
          tree.database,
          from: lower,
          to: upper,
          reversed: !isLeast
        ) { run in
          for index in 0..<run.count {
            let entry = run.key(isLeast ? index : run.count - 1 - index)
            guard source.passes(entry) else { continue }
            found = .some(nil)
            if let value = value(entry),
              let key = try source.objectKey(
                of: entry,
                value: run.value(isLeast ? index : run.count - 1 - index),
                in: range,
                environment.transaction
              )
            {
              found = .some(try verified(value, of: key, in: environment))
            }
            return false
          }
          return true
        }
      }
      if let found { return found }
    }
    return .null
  }

  /// Returns the value of an entry after checking that its object has the same value. Returns `nil` if the
  /// object is damaged and damage is collected.
  private func verified(
    _ value: QueryValue,
    of key: UnsafeRawBufferPointer,
    in environment: QueryEnvironment
  ) throws -> QueryValue? {
    guard let row = try row(key, in: environment) else { return nil }
    guard try operand.value(of: row, in: environment) == value else {
      try environment.takeDamage(
        key,
        FiefError(
          .damagedRecord,
          "An index has a value that its object does not contain.",
          type: tree.table.name,
          property: column.name
        )
      )
      return nil
    }
    return value
  }

  /// The range of entries whose value is neither nil nor NaN, or `nil` if these entries do not form a single
  /// range.
  private var values: ByteRange? {
    guard let domain = ElementDomain(column.type.kind) else { return nil }
    if place == 0 { return domain.all }
    guard let fixed = match.fixedPrefix else { return nil }
    return ByteRange(
      lower: fixed + domain.all.lower,
      upper: domain.all.upper.map { fixed + $0 } ?? keySuccessor(ofPrefix: fixed)
    )
  }

  private func row(_ key: UnsafeRawBufferPointer, in environment: QueryEnvironment) throws -> QueryRow? {
    guard let records = tree.table.records else { return nil }
    return try environment.row(of: tree.table, records, key: key, if: nil)
  }

  // MARK: Entries

  /// Handles the most common case: an integer in the first column of the index.
  @inline(__always)
  private func integer(_ entry: UnsafeRawBufferPointer) -> Int64? {
    guard place == 0 else { return nil }
    var decoder = KeyDecoder(entry)
    return decoder.nextPositiveInteger()
  }

  private func number(_ entry: UnsafeRawBufferPointer) -> EntryValue {
    guard let element = element(entry) else { return .unknown }
    switch element {
    case .null: return .value(.null)
    case .integer(let value): return .value(.integer(Int128(value)))
    case .float(let value): return .value(.double(Double(value)))
    case .double(let value): return .value(.double(value))
    case .date(let seconds): return .value(.date(seconds))
    case .decimal(let bytes):
      return bytes.withUnsafeBytes { DecimalCoding.decode($0) }.map { .value(.decimal($0)) } ?? .unknown
    default: return .unknown
    }
  }

  private func value(_ entry: UnsafeRawBufferPointer) -> QueryValue? {
    let element = element(entry)
    // A unique index stores -0.0 as 0.0. This does not affect a sum.
    if isUnique {
      switch element {
      case .double(0)?, .float(0)?, .date(0)?: return nil
      default: break
      }
    }
    return switch element {
    case .null?: .null
    case .integer(let value)?: .integer(value)
    case .float(let value)?: .double(Double(value))
    case .double(let value)?: .double(value)
    case .date(let seconds)?: .date(seconds)
    case .string(let text)?: .string(text)
    case .decimal(let bytes)?: bytes.withUnsafeBytes { DecimalCoding.decode($0) }.map { .decimal($0) }
    case .uuid(let bytes)?:
      bytes.count == 16
        ? bytes.withUnsafeBytes { .uuid(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) } : nil
    case .objectID(let bytes)?:
      bytes.withUnsafeBytes { ObjectId(bytes: $0) }.map { .objectId($0) }
    case .unsigned?, .bool?, .bytes?, nil: nil
    }
  }

  /// Returns the element of the column, or `nil` if the entry may have been shortened before the element's
  /// end.
  private func element(_ entry: UnsafeRawBufferPointer) -> KeyElement? {
    var decoder = KeyDecoder(entry)
    do {
      for _ in 0..<place { try decoder.skip() }
      let element = try decoder.next()
      guard !tree.mayBeCut || entry.count - decoder.remaining.count <= PlannedTree.wholeCount else {
        return nil
      }
      return element
    } catch {
      return nil
    }
  }
}
