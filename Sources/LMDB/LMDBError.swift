/// A failure below the object layer, with the details that are needed to find its cause.
///
/// After a thrown error, the store has the same state as before the call, unless the documentation of the
/// case says otherwise.
@usableFromInline package struct LMDBError: Error, Sendable {
  /// The kinds of failure.
  package enum Code: String, Sendable, CaseIterable {
    /// A store, a file or a database does not exist.
    case notFound
    /// An entry with that key exists.
    case keyExists
    /// A key is empty or longer than 511 bytes, or a value is longer than LMDB allows.
    case keyLengthInvalid
    /// The store has reached its configured maximum size.
    case mapFull
    /// The environment has no space for another database handle.
    case databasesFull
    /// All reader slots are taken.
    case readersFull
    /// Readers of this process did not end in time for the map to move.
    case readersBlockGrowth
    /// The transaction, or the cursor's transaction, has ended or can only be ended.
    case transactionEnded
    /// A write was begun inside another write, or a parent was used while its child is active.
    case nestedWrite
    /// The environment was closed.
    case environmentClosed
    /// The environment was opened before this process was forked.
    case forkedProcess
    /// The environment or the file system is read-only.
    case readOnly
    /// The file system or the quota is full.
    case diskFull
    /// The device failed, and nothing was committed.
    case inputOutput
    /// A failure made the environment unusable, and reopening it failed. The failed call has committed
    /// nothing.
    case poisoned
    /// The device failed during a commit, and it is unknown whether the commit succeeded. The next successful
    /// write continues from the actual state, with or without the commit.
    case outcomeUnknown
    /// The file is not an LMDB file.
    case notAStore
    /// The data file ends before the last page it needs.
    case truncated
    /// The data file has been damaged.
    case damaged
    /// The contents were changed without the key of the store after its last commit.
    case changedWithoutKey
    /// The data file has another LMDB format version.
    case versionMismatch
    /// The process has loaded a version of LMDB with another format.
    case unsupportedLibrary
    /// A path leads through a symbolic link, or its owner, type or permissions are not safe.
    case unsafePath
    /// The system refuses access.
    case permissionDenied
    /// The directory is on a remote file system.
    case remoteFileSystem
    /// The destination exists.
    case alreadyExists
    /// A directory cannot be created.
    case directoryNotCreated
    /// A process has the store open, so its files cannot be replaced.
    case inUse
    /// This process has the store open with less than requested: read-only, or with less durability.
    case openOtherwise
    /// The operation does not suit the store, the handle or the thread.
    case incompatible
    /// A signal interrupted a system call; nothing was committed.
    case interrupted
    /// The read needs more memory than the system has, or more address space than the process has.
    case noMemory
    /// Another system call failed.
    case systemCall
    /// Another failure of LMDB.
    case lmdb
  }

  /// The kind of failure.
  package var code: Code
  /// The description of the failure, in one sentence without variable parts.
  package var message: String
  /// The file or directory.
  package var path: String?
  /// The variable part: for example a page, a length, or the system's text.
  package var detail: String?
  /// The code of LMDB or of the system that caused this error; 0 if no such code exists.
  package var returnCode: Int32
  /// Whether the same call may succeed soon, because another process is working on the files.
  var isPassing = false

  /// Creates an error. Without a message, it uses the message of its code.
  package init(
    _ code: Code,
    _ message: String? = nil,
    path: String? = nil,
    detail: String? = nil,
    returnCode: Int32 = 0
  ) {
    self.code = code
    self.message = message ?? code.sentence
    self.path = path
    self.detail = detail
    self.returnCode = returnCode
  }
}

extension LMDBError: CustomStringConvertible {
  /// The message with all fields that are set.
  @usableFromInline package var description: String {
    var text = "\(code.rawValue): \(message)"
    if let path { text += " [path: \(path)]" }
    if let detail { text += " [\(detail)]" }
    if returnCode != 0 { text += " [return code: \(returnCode)]" }
    return text
  }
}

extension LMDBError.Code {
  var sentence: String {
    switch self {
    case .notFound: "The store, file or database does not exist."
    case .keyExists: "An entry with this key already exists."
    case .keyLengthInvalid: "A key must have 1 to 511 bytes and a value less than 4 GiB."
    case .mapFull: "The store has reached its maximum size."
    case .databasesFull: "The environment has no room for another database."
    case .readersFull: "All reader slots are taken."
    case .readersBlockGrowth: "Long-running readers prevented the store from growing."
    case .transactionEnded: "The transaction has ended."
    case .nestedWrite: "A write transaction is already active on this thread."
    case .environmentClosed: "The environment is closed."
    case .forkedProcess: "The environment was opened before this process was forked."
    case .readOnly: "The store is read-only."
    case .diskFull: "The file system has no space left."
    case .inputOutput: "Input or output failed, and nothing was committed."
    case .poisoned: "An input or output failure made the environment unusable."
    case .outcomeUnknown: "Input or output failed; it is unknown whether the write was committed."
    case .notAStore: "The file is not a store."
    case .truncated: "The data file is shorter than its contents."
    case .damaged: "The data file is damaged."
    case .changedWithoutKey: "The store was changed without its key; restore a backup."
    case .versionMismatch: "The data file has a different format version."
    case .unsupportedLibrary: "The process has loaded an unsupported version of LMDB."
    case .unsafePath: "The path is not safe to use for a store."
    case .permissionDenied: "The system refused access."
    case .remoteFileSystem: "A store cannot be on a remote file system."
    case .alreadyExists: "The destination exists."
    case .directoryNotCreated: "A directory could not be created."
    case .inUse: "Another process has the store open."
    case .openOtherwise: "This process has the store open with different options."
    case .incompatible: "The operation does not fit the store."
    case .interrupted: "A signal interrupted a system call."
    case .noMemory: "The system has no memory left for the store's pages."
    case .systemCall: "A system call failed."
    case .lmdb: "LMDB reported a failure."
    }
  }
}
