import Foundation
import LMDB

/// The values of one column in the entries of an index, for a query whose whole condition the index answers.
///
/// No record is read, but where a value was cut, where the index has another one in its place, and for the least or the greatest value.
struct IndexValues {
  let match: TreeMatch
  /// The place of the column among those of the index.
  let place: Int
  /// The operand of the column in the query; it reads records.
  let operand: RowOperand

  private var tree: PlannedTree { match.tree }
  private var column: ColumnEntry { tree.columns[place] }

  private var isUnique: Bool { if case .index(let index) = tree.kind { index.entry.isUnique } else { false } }

  /// The value of a column as an entry of the index has it.
  private enum Reading {
    case value(RowValue)
    /// Only the record has the value.
    case unknown
  }

  /// Adds up the values of all entries.
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

  /// The least or the greatest value.
  ///
  /// The columns before this one have one value each, so that it is that of the first or of the last entry. That entry's object is read
  /// as well: it has a checksum, and an entry has none.
  ///
  /// - Returns: `.null` where there is none; nil where the entry does not have it.
  /// - Throws: ``FiefError`` of code `damagedRecord` where the object has another value.
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

  /// The value of an entry, which its object has to have; nil where that is damaged, and damage is collected.
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
          "An index has a value that its object does not have.",
          type: tree.table.name,
          property: column.name
        )
      )
      return nil
    }
    return value
  }

  /// The entries with a value that is neither nil nor not a number; nil where that cannot be said.
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

  /// The most frequent case on its own: an integer that no column of varying length comes before.
  @inline(__always)
  private func integer(_ entry: UnsafeRawBufferPointer) -> Int64? {
    guard place == 0 else { return nil }
    var decoder = KeyDecoder(entry)
    return decoder.nextPositiveInteger()
  }

  private func number(_ entry: UnsafeRawBufferPointer) -> Reading {
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
    // A unique index has 0.0 for -0.0; in a sum it does not matter.
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

  /// The element of the column; nil where the entry may have been cut before its end.
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
