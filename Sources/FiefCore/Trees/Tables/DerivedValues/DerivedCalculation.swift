import LMDB

/// Computes derived values from the stored records.
package struct DerivedCalculation {
  package let tables: StoreTables
  package let transaction: LMDB.Transaction
  /// Whether to look up objects even if they are only counted. Damaged backlinks contain wrong keys.
  var looksUpAllMembers = false
  /// Returns the values that a member last contributed, or `nil` if the member contributed the values in its
  /// record.
  var former: (DerivedGroup, UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>? = { _, _ in nil }

  package init(
    tables: StoreTables,
    transaction: LMDB.Transaction,
    looksUpAllMembers: Bool = false,
    former: @escaping (DerivedGroup, UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>? = { _, _ in nil }
  ) {
    self.tables = tables
    self.transaction = transaction
    self.looksUpAllMembers = looksUpAllMembers
    self.former = former
  }

  /// Returns the value of a property that is computed from its own object.
  package func ownPayload(
    of column: DerivedColumn,
    in view: RecordView,
    of table: Table,
    key: UnsafeRawBufferPointer
  ) throws -> [UInt8]? {
    let kind = column.column.type.kind
    guard let source = column.source else { return column.valueOfNothing.payload(kind) }
    var result: [UInt8]?
    try table.payload(of: source, in: view, key: key) { payload in
      switch column.kind {
      case .lowercased:
        result = payload.map { Array(String(decoding: $0, as: UTF8.self).lowercased().utf8) }
      case .count where source.type.isLink:
        let count = try payload.map {
          try LargeCollection.count(of: $0, type: source.type, tables: tables, in: transaction)
        }
        result = DerivedValue.integer(DerivedTotal.clamped(Int128(count ?? 0), kind)).payload(kind)
      default:
        result = column.valueOfNothing.payload(kind)
      }
    }
    return result
  }

  /// Returns the values of a group's properties for an object, computed from the stored members.
  package func values(of group: DerivedGroup, key: UnsafeRawBufferPointer, view: RecordView) throws
    -> [DerivedValue]
  {
    var gatherer = Gatherer(group)
    if group.isInverse {
      try gatherInverse(group, key, &gatherer)
    } else {
      let members = try MemberReader(group, transaction, former)
      try group.owner.payload(of: group.link.column, in: view, key: key) { payload in
        guard let payload else { return }
        let type = group.link.column.type
        try LargeCollection.forEachLink(in: payload, type: type, tables: tables, in: transaction) {
          gatherer.add(try members.values($0))
        }
      }
    }
    return gatherer.values
  }

  /// - Throws: ``FiefError`` of code `damagedRecord` if a backlink leads to a member that does not exist.
  private func gatherInverse(
    _ group: DerivedGroup,
    _ key: UnsafeRawBufferPointer,
    _ gatherer: inout Gatherer
  ) throws {
    let looksUp = group.hasValues || looksUpAllMembers
    let members = looksUp ? try MemberReader(group, transaction, former) : nil
    let prefix = CompositeKey.first([UInt8](key))
    let cursor = try transaction.cursor(group.link.backlinks)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: prefix) {
      if let members {
        let member = CompositeKey.objectKey(
          key: cursor.key,
          value: cursor.value,
          prefixCount: prefix.count
        )
        let isThere = try member.bytes.withUnsafeBytes { key in
          guard group.hasValues else { return try members.contains(key) }
          let values = try members.values(key)
          gatherer.add(values)
          return values != nil
        }
        guard isThere else { throw group.link.missingSource(member, of: group.member) }
      }
      gatherer.count += 1
      found = try cursor.next()
    }
  }

  /// Accumulates the count, totals and extremes of the members of one object.
  private struct Gatherer {
    let group: DerivedGroup
    var count = 0
    private var totals: [DerivedTotal]
    private var best: [DerivedValue]

    init(_ group: DerivedGroup) {
      self.group = group
      totals = Array(repeating: DerivedTotal(), count: group.columns.count)
      best = Array(repeating: .none, count: group.columns.count)
    }

    mutating func add(_ values: [DerivedValue]?) {
      guard let values else { return }
      for (index, column) in group.columns.enumerated() {
        switch column.kind {
        case .sum: totals[index].add(values[index])
        case .minimum, .maximum:
          if values[index].isOrdered { best[index] = column.better(best[index], values[index]) }
        default: break
        }
      }
    }

    var values: [DerivedValue] {
      group.columns.indices.map { index in
        let kind = group.columns[index].column.type.kind
        switch group.columns[index].kind {
        case .count: return .integer(DerivedTotal.clamped(Int128(count), kind))
        case .sum: return totals[index].value(kind)
        default: return best[index]
        }
      }
    }
  }
}

/// Reads the values of members by their keys.
final class MemberReader {
  private let group: DerivedGroup
  private let cursor: Cursor?
  private let former: (DerivedGroup, UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>?

  init(
    _ group: DerivedGroup,
    _ transaction: LMDB.Transaction,
    _ former: @escaping (DerivedGroup, UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>?
  ) throws {
    self.group = group
    self.former = former
    cursor = try group.member.records.map { try transaction.cursor($0) }
  }

  /// Whether a member with the given key exists.
  func contains(_ key: UnsafeRawBufferPointer) throws -> Bool {
    guard let cursor else { return false }
    return try cursor.seek(exactly: key)
  }

  /// Returns the values of a member, one for each column of the group, or `nil` if the object does not exist.
  func values(_ key: UnsafeRawBufferPointer) throws -> [DerivedValue]? {
    if let former = former(group, key) { return Array(former) }
    guard let cursor, try cursor.seek(exactly: key) else { return nil }
    let view = try group.member.view(cursor.value)
    try view.verifyChecksum(key, of: group.member)
    return try group.values(in: view, key: key)
  }
}

extension DerivedGroup {
  /// Returns the values of a member, one for each column of the group.
  func values(in view: RecordView, key: UnsafeRawBufferPointer) throws -> [DerivedValue] {
    try columns.map { try $0.value?.value(in: view, of: member, key: key) ?? .none }
  }
}
