import Fief
import FiefImport
import Foundation

/// The journal beside the file of an import.
extension ImportJob {
  /// Before the first commit, so that whatever it brings is found again.
  func begin() throws {
    guard let journal = start.journal, let path = input.path, !start.isResumed else { return }
    try journal.write(of: path)
  }

  /// First the journal says that it is over: without the notes in the store it would start over.
  func end(_ transact: ObjectImport.Transact) throws {
    guard var journal = start.journal, let path = input.path else { return }
    journal.isDone = true
    try journal.write(of: path)
    try removeNotes(transact)
  }

  /// Removes the notes of a complete import from the store, then its journal.
  func removeNotes(_ transact: ObjectImport.Transact) throws {
    guard let journal = start.journal, let path = input.path else { return }
    try transact { try $0.forgetImport(journal.id) }
    ImportJournal.remove(of: path)
  }
}
