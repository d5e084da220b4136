import Fief
import FiefImport
import Foundation

/// The journal beside the file of an import.
extension ImportJob {
  /// Called before the first commit, so that the import can be found after any commit.
  func begin() throws {
    guard let journal = start.journal, let path = input.path, !start.isResumed else { return }
    try journal.write(of: path)
  }

  /// Marks the journal as done first: if only the records in the store were removed, the import would start
  /// over.
  func end(_ transact: ObjectImport.Transact) throws {
    guard var journal = start.journal, let path = input.path else { return }
    journal.isDone = true
    try journal.write(of: path)
    try removeNotes(transact)
  }

  /// Removes the records of a complete import from the store, and then its journal.
  func removeNotes(_ transact: ObjectImport.Transact) throws {
    guard let journal = start.journal, let path = input.path else { return }
    try transact { try $0.forgetImport(journal.id) }
    ImportJournal.remove(of: path)
  }
}
