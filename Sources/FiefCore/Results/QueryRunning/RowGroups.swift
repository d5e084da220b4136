/// The groups of rows with equal values, and the aggregates of each group.
struct RowGroups {
  struct Group {
    let key: [QueryValue]
    var folds: [RowFold]
  }

  private var places: [[UInt8]: Int] = [:]
  private var groups: [Group] = []

  init<Element: Object>(
    _ results: Results<Element>,
    by paths: [QueryPath],
    _ aggregates: [(RowAggregate, AggregatedValues?)]
  ) throws {
    var description = results.description
    if description.isWhole { description.order = [] }
    var groups = self
    try results.withQuery(description) { query, running in
      try groups.read(query, running, paths, aggregates)
      running.noteReads(groups.groups.count)
    }
    self = groups
  }

  /// The groups in the order of their keys.
  var inOrder: [Group] {
    places.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { groups[$0.value] }
  }

  private mutating func read(
    _ query: PreparedQuery,
    _ running: QueryRunning,
    _ paths: [QueryPath],
    _ aggregates: [(RowAggregate, AggregatedValues?)]
  ) throws {
    let binder = running.binder
    let order = RowOrder(try paths.map { try binder.part(QueryOrder(.path($0)), isOrder: true) })
    let bound = try aggregates.map { aggregate, values in
      try values.map { try BoundValues($0, for: aggregate, binder) }
    }
    let empty = zip(aggregates, bound).map { RowFold($0.0, kind: $1?.operand.kind) }
    let environment = running.environment
    var writer = ValueWriter()
    // Consecutive rows often belong to the same group.
    var last = -1
    var lastKey: [UInt8] = []
    try query.forEachRowInAnyOrder(running) { row in
      writer.removeAll()
      try order.append(row, in: environment, to: &writer)
      let isLast =
        last >= 0 && writer.withBytes { key in lastKey.withUnsafeBytes { key.hasSameBytes(as: $0) } }
      if !isLast {
        lastKey = writer.bytes
        last = places[lastKey] ?? -1
        if last < 0 {
          last = groups.count
          places[lastKey] = last
          groups.append(Group(key: try order.values(of: row, in: environment), folds: empty))
        }
      }
      for index in bound.indices {
        if let values = bound[index] {
          try values.add(row, to: &groups[last].folds[index], in: environment)
        } else {
          groups[last].folds[index].addRow()
        }
      }
    }
  }
}
