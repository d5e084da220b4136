/// The tables of the most recently traced stores. A store that is opened again continues with its table.
struct TraceTables {
  /// The maximum number of tables.
  static let limit = 256

  private var tables: [String: (table: TraceTable, used: Int)] = [:]
  private var uses = 0

  /// Returns the table of a store.
  ///
  /// - Parameters:
  ///   - place: the identity of the store.
  ///   - make: creates the table if it does not exist. If there are too many tables, the least recently used
  ///     one is evicted.
  mutating func table(_ place: String, _ make: () -> TraceTable) -> TraceTable {
    uses &+= 1
    if let known = tables[place]?.table {
      tables[place]?.used = uses
      return known
    }
    if tables.count >= Self.limit, let oldest = tables.min(by: { $0.value.used < $1.value.used }) {
      tables[oldest.key] = nil
    }
    let table = make()
    tables[place] = (table, uses)
    return table
  }
}
