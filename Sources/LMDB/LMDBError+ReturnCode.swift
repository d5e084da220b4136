import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension LMDBError {
  /// Creates the error for a code that LMDB returned: one of LMDB's own codes, or an `errno`.
  init(returnCode: Int32, path: String? = nil, doing operation: String? = nil) {
    let text = mdb_strerror(returnCode).map { String(cString: $0) } ?? "unknown"
    self.init(
      Code(returnCode: returnCode),
      path: path,
      detail: operation.map { "\($0): \(text)" } ?? text,
      returnCode: returnCode
    )
  }

  /// Creates the error for the system call that has just failed on this thread.
  static func system(_ operation: String, path: String?) -> LMDBError {
    LMDBError(returnCode: errno, path: path, doing: operation)
  }

  /// Returns the error of `mkdir`, from `errno`.
  static func ofMkdir(path: String) -> LMDBError {
    var error = system("mkdir", path: path)
    if error.code == .systemCall { error.code = .directoryNotCreated }
    return error
  }
}

extension LMDBError.Code {
  init(returnCode: Int32) {
    switch returnCode {
    case MDB_KEYEXIST: self = .keyExists
    case MDB_NOTFOUND, MDB_BAD_DBI, ENOENT: self = .notFound
    case MDB_PAGE_NOTFOUND, MDB_CORRUPTED: self = .damaged
    case MDB_PANIC: self = .poisoned
    case MDB_VERSION_MISMATCH: self = .versionMismatch
    case MDB_INVALID: self = .notAStore
    case MDB_MAP_FULL: self = .mapFull
    case MDB_DBS_FULL: self = .databasesFull
    case MDB_READERS_FULL, MDB_TLS_FULL: self = .readersFull
    case MDB_INCOMPATIBLE: self = .incompatible
    case MDB_BAD_TXN: self = .transactionEnded
    case MDB_BAD_VALSIZE: self = .keyLengthInvalid
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull
    case EIO: self = .inputOutput
    case EACCES, EPERM: self = .permissionDenied
    case EROFS: self = .readOnly
    case ELOOP, ENOTDIR: self = .unsafePath
    case EEXIST: self = .alreadyExists
    case EINTR: self = .interrupted
    default: self = returnCode < 0 ? .lmdb : .systemCall
    }
  }
}
