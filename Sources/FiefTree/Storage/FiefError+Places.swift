import Fief
import LMDB

extension FiefError {
  /// Returns an error with the store's name, and with the path of the place if its entries are the reason.
  static func described(_ error: any Error, store: String, at path: TreePath) -> any Error {
    // The end of the write explains failures of LMDB, and adds whether the disk is full.
    if error is LMDBError { return error }
    let result = described(error, store: store)
    guard var error = result as? FiefError, error.details.isEmpty else { return result }
    switch error.code {
    case .damagedRecord, .valueTooLarge, .invalidValue:
      error.details = ["path: " + HiddenValue.text(path.text)]
    default: break
    }
    return error
  }
}
