import LMDB

/// Reading rows in the order of their entries, with several records looked up at once.
extension IndexWalk {
  /// The number of records to look up first, if the number of wanted rows is unknown.
  private static var firstBatch: Int { 8 }

  /// - Parameter ranges: the ranges of the source, or the remaining ones, in order.
  func forEachRowAtOnce(
    of records: Database,
    along ranges: [ByteRange],
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    let transaction = environment.transaction
    var batch = LookUpBatch(in: transaction)
    var most = min(max(wanted ?? Self.firstBatch, 1), LookUpBatch.capacity)
    // If few rows are wanted, checking most of a page would be wasted work.
    let longestRun = wanted.map { max($0, LookUpBatch.capacity) } ?? .max
    var isStopped = false
    var stop: QueryPosition?
    let left = position.map { self.ranges(after: $0) }
    let count = left?.count ?? ranges.count
    for index in 0..<count {
      let range = left?[index].range ?? ranges[order.isBackward ? count - 1 - index : index]
      let start = left?[index].position?.bytes
      guard let rest = range.resumed(after: start, isBackward: order.isBackward) else { continue }
      try rest.withBounds { lower, upper in
        try transaction.forEachRun(
          database,
          from: lower,
          to: upper,
          reversed: order.isBackward,
          atMost: longestRun
        ) { run in
          var place = 0
          while place < run.count {
            batch.removeAll()
            while place < run.count, batch.count < most {
              let index = order.isBackward ? run.count - 1 - place : place
              place += 1
              let entry = run.key(index)
              guard source.passes(entry),
                let key = try source.objectKey(of: entry, value: run.value(index), in: range, transaction)
              else { continue }
              batch.append(key, at: index)
            }
            most = LookUpBatch.capacity
            if batch.count > 1 { try batch.prepare(records) }
            for index in 0..<batch.count {
              let key = batch.key(index)
              guard let record = try batch.value(index, in: records) else {
                try environment.takeMissing(key, of: table)
                continue
              }
              let row = try environment.foundRow(of: table, key: key, record: record, if: condition)
              guard let row, try !body(row) else { continue }
              isStopped = true
              if !isReadOnce { stop = Self.position(run.key(batch.place(index)), key, []) }
              return false
            }
          }
          return true
        }
      }
      if isStopped { return stop ?? QueryPosition(bytes: []) }
    }
    return nil
  }
}
