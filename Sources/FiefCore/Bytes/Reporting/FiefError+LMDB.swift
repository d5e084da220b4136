import Foundation
import LMDB

extension FiefError {
  /// Creates the library error for an error of the storage layer.
  package init(_ error: LMDBError) {
    let code: Code
    let message: String
    switch error.code {
    case .diskFull, .mapFull:
      (code, message) = (.storeFull, "The disk is full, or the store has reached its limit.")
    case .readersFull: (code, message) = (.tooManyReaders, "Too many simultaneous readers.")
    case .readersBlockGrowth:
      (code, message) = (.readersBlockGrowth, "Long-running readers prevent the store from growing.")
    case .transactionEnded: (code, message) = (.transactionEnded, "The transaction has ended.")
    case .nestedWrite: (code, message) = (.nestedWrite, FiefError.nestedWriteMessage)
    case .environmentClosed: (code, message) = (.storeClosed, "The store is closed.")
    case .forkedProcess: (code, message) = (.forkedProcess, FiefError.forkedMessage)
    case .interrupted: (code, message) = (.interrupted, "A signal interrupted a system call.")
    case .readOnly where error.returnCode == EROFS:
      (code, message) = (
        .readOnlyStore,
        "The store is on a read-only file system, but was opened for writing. Open it with isReadOnly."
      )
    case .readOnly: (code, message) = (.readOnlyStore, "The store was opened for reading only.")
    case .inputOutput, .poisoned: (code, message) = (.inputOutput, "Input or output failed.")
    case .outcomeUnknown:
      (code, message) = (.unknownOutcome, error.message)
    case .notAStore, .truncated, .damaged, .versionMismatch, .incompatible:
      (code, message) = (.damagedStore, "A file of the store is damaged or is not a store.")
    case .changedWithoutKey: (code, message) = (.damagedStore, error.message)
    case .unsupportedLibrary: (code, message) = (.unsupportedLibrary, error.message)
    case .alreadyExists:
      (code, message) = (.cannotOpen, "The destination already exists; a copy needs a new path.")
    case .directoryNotCreated:
      (code, message) = (.cannotOpen, "The directory cannot be created.")
    case .unsafePath, .permissionDenied, .remoteFileSystem, .systemCall:
      (code, message) = (.cannotOpen, "The store could not be opened.")
    case .inUse, .openOtherwise: (code, message) = (.storeInUse, error.message)
    case .noMemory: (code, message) = (.storage, error.message)
    case .notFound, .keyExists, .keyLengthInvalid, .databasesFull, .lmdb:
      (code, message) = (.storage, "The storage layer failed.")
    }
    self.init(code, message, path: error.path, underlying: error)
    if code == .unsupportedLibrary || error.code == .changedWithoutKey {
      (details, underlying) = ([error.detail].compactMap(\.self), nil)
    }
  }

  static var forkedMessage: String {
    "The store was opened before this process was forked and cannot be used in it."
  }

  static var nestedWriteMessage: String {
    "A write began inside another write. Use the transaction of the outer write, or begin this write after it."
  }
}
