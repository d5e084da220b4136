import Fief
import Foundation

/// Records the progress of an import in the same commits as its objects.
extension ObjectImport {
  /// The number of days for which the records of an import that is not resumed stay in the store.
  private static let daysOfNotes = 30.0

  func tidy(_ transaction: DynamicTransaction) throws {
    guard start.notes != nil else { return }
    if let stale = start.stale { try transaction.forgetImport(stale) }
    try transaction.forgetImports(before: Date(timeIntervalSinceNow: -Self.daysOfNotes * 86_400))
  }

  func note(_ batch: Batch, _ records: [RecordReader.Record], in transaction: DynamicTransaction) throws {
    guard let id = start.notes, let last = records.last else { return }
    try transaction.noteImported(upTo: last.line, of: id)
    for entry in batch.waiting {
      try transaction.noteWaiting(line: entry.line, typeName: entry.typeName, key: entry.key, of: id)
    }
  }
}
