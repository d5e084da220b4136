/// Groups of rows with equal values, and the aggregates of each.
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
    _ aggregates: [(RowAggregate, QueryPath?)]
  ) throws {
    var description = results.description
    if description.isWhole { description.order = [] }
    var groups = self
    try results.withQuery(description) { query, running in
      try groups.read(query, running, paths, aggregates)
    }
    self = groups
  }

  /// The groups in the order of their values.
  var inOrder: [Group] {
    places.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { groups[$0.value] }
  }

  private mutating func read(
    _ query: PreparedQuery,
    _ running: QueryRunning,
    _ paths: [QueryPath],
    _ aggregates: [(RowAggregate, QueryPath?)]
  ) throws {
    let binder = running.binder
    let order = RowOrder(try paths.map { try binder.part(QueryOrder(.path($0)), isOrder: true) })
    let operands = try aggregates.map { aggregate, path in
      try path.map { path in
        let operand = try binder.operand(.path(path))
        try binder.check(operand, aggregate, path)
        return operand
      }
    }
    let empty = zip(aggregates, operands).map { RowFold($0.0, kind: $1?.kind) }
    let environment = running.environment
    var writer = ValueWriter()
    // Rows of one group often follow one another.
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
      for index in operands.indices {
        try groups[last].folds[index].add(operands[index], row, in: environment)
      }
    }
  }
}
