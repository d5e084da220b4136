import LMDB

extension FiefError {
  /// The error of the store for one of the layer below.
  init(_ error: LMDBError) {
    let code: Code
    let message: String
    switch error.code {
    case .diskFull, .mapFull:
      (code, message) = (.storeFull, "The disk is full, or the store has reached its limit.")
    case .readersFull: (code, message) = (.tooManyReaders, "Too many readers at once.")
    case .readersBlockGrowth:
      (code, message) = (.readersBlockGrowth, "Readers that do not end keep the store from growing.")
    case .transactionEnded: (code, message) = (.transactionEnded, "The transaction has ended.")
    case .nestedWrite: (code, message) = (.nestedWrite, "A write was begun inside another write.")
    case .environmentClosed, .forkedProcess: (code, message) = (.storeClosed, "The store is closed.")
    case .readOnly: (code, message) = (.readOnlyStore, "The store was opened for reading only.")
    case .inputOutput, .poisoned: (code, message) = (.inputOutput, "Input or output failed.")
    case .notAStore, .truncated, .damaged, .versionMismatch, .incompatible:
      (code, message) = (.damagedStore, "A file of the store is damaged or is not a store.")
    case .unsafePath, .permissionDenied, .remoteFileSystem, .alreadyExists, .systemCall:
      (code, message) = (.cannotOpen, "The store could not be opened.")
    case .notFound, .keyExists, .keyLengthInvalid, .databasesFull, .lmdb:
      (code, message) = (.storage, "The storage layer failed.")
    }
    self.init(code, message, path: error.path, underlying: error)
  }
}
