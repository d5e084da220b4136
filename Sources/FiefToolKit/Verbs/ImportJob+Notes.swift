import Fief
import Foundation

/// Notes of how far an import has come, in the same commits as its objects.
extension ImportJob {
  /// The number of days for which the notes of an import that is not resumed stay in the store.
  private static let daysOfNotes = 30.0

  /// Before the first commit, so that whatever it brings is found again.
  func begin() throws {
    guard let journal = start.journal, let path = input.path, !start.isResumed else { return }
    try journal.write(of: path)
  }

  func tidy(_ transaction: DynamicTransaction) throws {
    guard start.journal != nil else { return }
    if let stale = start.stale { try transaction.forgetImport(stale) }
    try transaction.forgetImports(before: Date(timeIntervalSinceNow: -Self.daysOfNotes * 86_400))
  }

  func note(_ batch: Batch, _ records: [RecordReader.Record], in transaction: DynamicTransaction)
    throws
  {
    guard let id = start.journal?.id, let last = records.last else { return }
    try transaction.noteImported(upTo: last.line, of: id)
    for entry in batch.waiting {
      try transaction.noteWaiting(line: entry.line, typeName: entry.typeName, key: entry.key, of: id)
    }
  }

  /// First the journal says that it is over: without the notes in the store it would start over.
  func end(_ transact: Transact) throws {
    guard var journal = start.journal, let path = input.path else { return }
    journal.isDone = true
    try journal.write(of: path)
    try removeNotes(transact)
  }

  /// Removes the notes of a complete import from the store, then its journal.
  func removeNotes(_ transact: Transact) throws {
    guard let journal = start.journal, let path = input.path else { return }
    try transact { try $0.forgetImport(journal.id) }
    ImportJournal.remove(of: path)
  }
}
