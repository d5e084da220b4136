package import Fief
import Foundation

/// Formats the usage statistics of a store for users and for documents.
package enum UsageTable {
  /// Returns the lines of a table, or a line that explains why the statistics are missing or cannot be read.
  package static func lines(_ kept: Result<UsageRecord?, FiefError>) -> [String] {
    switch kept {
    case .success(let kept): lines(kept)
    case .failure(let error): ["The store's usage statistics cannot be read: \(error.message)"]
    }
  }

  /// Returns the lines of a table, or a line that explains why there are no statistics.
  package static func lines(_ kept: UsageRecord?) -> [String] {
    guard let kept else {
      return ["The store keeps no usage statistics: its options have no budgets, and keepsUsage is not set."]
    }
    var table = Table(headings: ["Since"] + headings)
    for period in Budget.Period.allCases {
      let since = kept.start(of: period).map(text) ?? "ever"
      add(kept.usage(per: period, store: ""), since, to: &table)
    }
    return table.lines()
  }

  /// Returns a table of several stores, or `nil` if none was used.
  package static func table(of stores: [Usage]) -> Table? {
    let used = stores.filter { !$0.types.isEmpty }
    if used.isEmpty { return nil }
    var table = Table(headings: ["Store"] + headings)
    for usage in used { add(usage, usage.store, to: &table) }
    return table
  }

  private static let headings = ["Of", ">Reads", ">Writes", ">Deletes", ">Bytes read", ">Bytes written"]

  /// Adds the total, and then the counts of types and labels.
  ///
  /// - Parameter first: the first cell of the total.
  private static func add(_ usage: Usage, _ first: String, to table: inout Table) {
    add("all", usage.total, first, to: &table)
    for (type, counts) in usage.types.sorted(by: { $0.key < $1.key }) { add(type, counts, "", to: &table) }
    for (label, counts) in usage.labels.sorted(by: { $0.key < $1.key }) {
      add("label \(label)", counts, "", to: &table)
    }
  }

  private static func add(_ name: String, _ counts: Usage.Counts, _ first: String, to table: inout Table) {
    table.add(
      first,
      name,
      Format.count(Int(clamping: counts.reads)),
      Format.count(Int(clamping: counts.writes)),
      Format.count(Int(clamping: counts.deletes)),
      Format.bytes(Int(clamping: counts.bytesRead)),
      Format.bytes(Int(clamping: counts.bytesWritten))
    )
  }

  /// Returns the usage as part of a document.
  package static func document(_ kept: UsageRecord) -> JSONValue {
    .object(
      Budget.Period.allCases.map { period in
        let usage = kept.usage(per: period, store: "")
        return JSONValue.Member(
          "\(period)",
          [
            "since": .text(kept.start(of: period)?.formatted(.iso8601)),
            "total": document(usage.total),
            "types": document(usage.types),
            "labels": document(usage.labels),
          ]
        )
      }
    )
  }

  private static func document(_ all: [String: Usage.Counts]) -> JSONValue {
    .object(all.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, document($0.value)) })
  }

  private static func document(_ counts: Usage.Counts) -> JSONValue {
    [
      "reads": .unsigned(counts.reads),
      "writes": .unsigned(counts.writes),
      "deletes": .unsigned(counts.deletes),
      "bytesRead": .unsigned(counts.bytesRead),
      "bytesWritten": .unsigned(counts.bytesWritten),
    ]
  }

  private static func text(_ date: Date) -> String {
    date.formatted(.iso8601).prefix(16).replacing("T", with: " ") + " UTC"
  }
}
