/// The tables of the stores that were traced last: a store that is opened again goes on with its own.
struct TraceTables {
  /// The stores whose tables are kept.
  static let limit = 256

  private var tables: [String: (table: TraceTable, used: Int)] = [:]
  private var uses = 0

  /// The table of a store.
  ///
  /// - Parameters:
  ///   - place: identifies the store.
  ///   - make: makes a table where there is none. The one that was used the longest time ago is evicted where there are too many.
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
