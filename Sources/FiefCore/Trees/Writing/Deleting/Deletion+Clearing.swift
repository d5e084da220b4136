import LMDB

/// Clears the links to deleted objects.
extension Deletion {
  /// The number of links that are cleared in one batch.
  private static let linksAtOnce = 1 << 14

  /// A link from a remaining object to a deleted one.
  private struct Reference {
    let table: Int
    let link: Int
    let source: [UInt8]
    let target: [UInt8]
  }

  /// Clears every link to a deleted object and removes deleted objects from every collection, unless a rule
  /// specifies otherwise. An object with many such links is written once per batch.
  func clearLinks() throws {
    if unlinked.isEmpty { return }
    try writer.flushBuffers()
    var references: [Reference] = []
    while let bytes = try unlinked.pop(tree, in: transaction) {
      guard case .object(let number, let target) = try Item(bytes) else { continue }
      if let trace = writer.trace { try noteDangling(number, target, trace) }
      for incoming in tables.rules[number].incoming {
        var sources = BacklinkRange(target)
        while !sources.isAtEnd {
          let room = Self.linksAtOnce - references.count
          let found = try sources.next(room, of: link(incoming), in: transaction)
          for source in found {
            references.append(
              Reference(table: incoming.table, link: incoming.link, source: source, target: target)
            )
          }
          if references.count == Self.linksAtOnce { try clear(&references) }
        }
      }
    }
    try clear(&references)
  }

  /// Records the links of live objects that stay although their targets were deleted. The live objects must
  /// read these links again.
  private func noteDangling(_ number: Int, _ target: [UInt8], _ trace: DeletionTrace) throws {
    for dangling in tables.rules[number].dangling {
      let (table, column) = (tables.all[dangling.table], link(dangling))
      var sources = BacklinkRange(target)
      while !sources.isAtEnd {
        for source in try sources.next(Self.linksAtOnce, of: column, in: transaction) {
          guard source.withUnsafeBytes({ trace.isLive(table, $0) }) else { continue }
          trace.danglingLinks.append(
            RecordWriter.Link(table: table, column: column.column, key: source, target: target)
          )
        }
      }
    }
  }

  private func link(_ incoming: TableRules.IncomingLink) -> Table.LinkColumn {
    tables.all[incoming.table].links[incoming.link]
  }

  /// Clears the links source by source, in the order of the sources' keys.
  private func clear(_ references: inout [Reference]) throws {
    defer { references.removeAll(keepingCapacity: true) }
    references.sort { first, second in
      if first.table != second.table { return first.table < second.table }
      if first.source != second.source { return first.source.lexicographicallyPrecedes(second.source) }
      if first.link != second.link { return first.link < second.link }
      return first.target.lexicographicallyPrecedes(second.target)
    }
    var start = 0
    while start < references.count {
      let first = references[start]
      var end = start + 1
      while end < references.count, references[end].table == first.table,
        references[end].source == first.source
      {
        end += 1
      }
      let table = tables.all[first.table]
      let targets = references[start..<end].map { (column: table.links[$0.link].column, target: $0.target) }
      try first.source.withUnsafeBytes { try writer.removeLinks(targets, key: $0, from: table) }
      start = end
    }
  }
}
