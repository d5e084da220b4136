import LMDB

/// Walking entries whose values or keys are too long to be stored whole.
extension IndexWalk {
  /// Walks through long entries with the same prefix, in the order of their whole values and keys.
  func walk(
    _ long: LongEntries,
    _ part: ByteRange,
    of range: ByteRange,
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ visit: Visitor
  ) throws -> Bool {
    guard let records = table.records,
      let part = part.intersection(ByteRange(prefix: long.prefix))
    else { return true }
    var entries: [(element: [UInt8], key: [UInt8], entry: [UInt8])] = []
    try part.forEachRun(of: database, in: environment.transaction) { run in
      for index in 0..<run.count {
        let entry = run.key(index)
        let found = try source.objectKey(
          of: entry,
          value: run.value(index),
          in: range,
          environment.transaction
        )
        guard source.passes(entry), let key = found,
          let row = try environment.row(of: table, records, key: key, if: nil)
        else { continue }
        let element = try source.tree.element(row)
        let group = element.withUnsafeBytes { Array(element[..<groupCount(of: $0)]) }
        entries.append((group, [UInt8](key), [UInt8](entry)))
      }
      return true
    }
    entries.sort { precedes(($0.element, $0.key), ($1.element, $1.key)) }
    var last: (element: [UInt8], key: [UInt8])?
    if let position { last = (position.element, position.objectKey) }
    for entry in entries {
      if let last, !precedes(last, (entry.element, entry.key)) { continue }
      let goesOn = try entry.entry.withUnsafeBytes { bytes in
        try entry.key.withUnsafeBytes { try visit(bytes, $0, entry.element) }
      }
      if !goesOn { return false }
    }
    return true
  }

  private func precedes(
    _ first: (element: [UInt8], key: [UInt8]),
    _ second: (element: [UInt8], key: [UInt8])
  ) -> Bool {
    if first.element != second.element {
      return first.element.lexicographicallyPrecedes(second.element) != order.isBackward
    }
    if first.key == second.key { return false }
    return first.key.lexicographicallyPrecedes(second.key) != order.areTiesBackward
  }
}
