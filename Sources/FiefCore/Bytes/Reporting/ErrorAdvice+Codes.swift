import Foundation
import LMDB

extension ErrorAdvice {
  /// Returns the advice for a library error.
  static func advice(for error: FiefError, _ commands: Commands) -> AdviceText {
    switch error.code {
    case .invalidStoreName, .invalidSchema, .invalidMigrationPlan, .foreignObject,
      .embeddedObjectHasOwner, .transactionEnded, .encryptionRequired, .ambiguousRepository,
      .foreignRepository,
      .forkedProcess, .outsideOfTest, .readAfterWrite, .untrackedRead, .fetchCycle:
      return AdviceText(
        .refused,
        next: "This is a bug in the program; its developers must fix it. The store is intact."
      )
    case .nestedWrite:
      return AdviceText(
        .refused,
        next:
          "This is a bug in the program: its developers must make the change in the write that is running, "
          + "with its transaction, or after that write. The store is intact."
      )
    case .migrationRequired: return migrationRequired(commands)
    case .versionTooLow:
      return AdviceText(
        .refused,
        "The store has a newer schema version than this program supports.",
        next: "Use the newer release of the program, or restore a backup of the older version"
          + named(commands.restore) + "."
      )
    case .formatTooNew:
      return AdviceText(
        .refused,
        "The store was written by a newer release of Fief than the one in this program.",
        next: "Use a program that was built with that release or a later one. Fief never writes stores "
          + "back in an older format, so an older program needs an older backup"
          + named(commands.restore) + "."
      )
    case .formatTooOld:
      return AdviceText(
        .refused,
        next: "Open the store once with a release of Fief that reads both formats, then try again."
      )
    case .unsupportedLibrary:
      return AdviceText(
        .refused,
        next: "Install LMDB 0.9, or start the program with the library of that version "
          + "(LD_LIBRARY_PATH); then try again."
      )
    case .migrationFailed, .duplicatePrimaryKey, .duplicateValue, .missingValue, .invalidValue,
      .primaryKeyTooLong,
      .unknownType, .unknownProperty, .missingPrimaryKey, .deletionDenied, .validationFailed:
      return AdviceText(
        .failed,
        next: "Correct the data or the program as the lines below say, then try again."
      )
    case .damagedStore, .damagedRecord: return damaged(commands)
    case .storeInUse where error.message.hasPrefix(ownUse): return inUseHere
    case .storeInUse: return inUse
    case .storeFull:
      return AdviceText(
        .failed,
        next:
          "Free space on the disk, or raise the store's limit (maximumMapSize) if it has one; then "
          + "try again."
      )
    case .notEncrypted:
      return AdviceText(
        .refused,
        "The store is not encrypted, but was opened with a key.",
        next: "If the store was never encrypted, "
          + (commands.encrypt.map { "encrypt it once with '\($0)'" }
            ?? "its program can encrypt it once (encryptClearStore())")
          + ", or open it without a key. If it was, another file has replaced it: restore a backup"
          + named(commands.restore) + "."
      )
    case .encrypted, .wrongKey, .invalidKey:
      return AdviceText(
        .refused,
        next: "Open the store with its own key, or without one if it is not encrypted."
      )
    case .tooManyReaders:
      return AdviceText(
        .failed,
        next: "Stop the processes with long reads of the store, or raise maximumReaders; then try again."
      )
    case .readersBlockGrowth:
      return AdviceText(
        .failed,
        next:
          "End the program's long reads of the store, then try again. More address space helps, too: raise "
          + "initialMapSize, or a limit of the process (ulimit -v)."
      )
    case .unfinishedWrite:
      return AdviceText(
        .failed,
        consequence: "The write will complete: do not repeat it.",
        next:
          "Free space on the disk of the store that the lines below name, or put the store back at its path. "
          + "The write then completes there when the store is next opened or written to."
      )
    case .blockedByUnfinishedWrite:
      return AdviceText(
        .refused,
        next:
          "Put the other store back at the path given below, or free space on its disk; then try "
          + "again: the earlier write then completes. If the other store is permanently lost, the developers "
          + "can abandon the write (abandonUnfinishedWrites)."
      )
    case .unknownOutcome:
      return AdviceText(
        .failed,
        consequence: "It is unknown whether anything was changed.",
        next:
          "Check the system's log for disk failures. When the disk works again, check whether the change "
          + "was stored, and repeat it only if it was not."
      )
    case .schemaChanged:
      return AdviceText(.refused, next: "Close the store and open it again, with a matching release.")
    case .storeClosed, .cancelled, .interrupted, .conflict: return AdviceText(.failed, next: "Try again.")
    case .throttled: return AdviceText(.refused, next: "Try again later.")
    case .writeQueueFull:
      return AdviceText(
        .failed,
        next: "Save fewer objects at once, or wait for earlier writes; then try again."
      )
    case .readOnlyStore: return AdviceText(.refused, next: "Open the store for writing.")
    case .invalidQuery, .malformedQuery, .orderRequired:
      return AdviceText(.failed, next: "Correct the query at the places listed below.")
    case .indexRequired:
      return AdviceText(.refused, next: "Declare the index in the rules of the tree, then try again.")
    case .invalidCursor: return AdviceText(.failed, next: "Start again at the first page.")
    case .objectNotFound: return AdviceText(.notFound, next: "Check the key.")
    case .managedType:
      return AdviceText(.refused, next: "Change the objects through the product that manages them.")
    case .invalidTreeKey, .treeTooDeep, .overlappingPaths:
      return AdviceText(.failed, next: "Correct the path or the name below, then try again.")
    case .valueTooLarge:
      return AdviceText(.failed, next: "Read or write a smaller part at once.")
    case .notConnected: return AdviceText(.failed, next: "Read the local value, or try again later.")
    case .overridden, .transactionLost:
      return AdviceText(.failed, next: "Read the place, and repeat the transaction if it is still needed.")
    case .permissionDenied:
      return AdviceText(
        .refused,
        next: "Sign in as a user who may do this, or change the rule that the lines below name."
      )
    case .malformedRules:
      return AdviceText(.failed, next: "Correct the rules at the place listed below, then try again.")
    case .malformedJSON:
      return AdviceText(.failed, next: "Correct the document at the places listed below, then try again.")
    case .cannotOpen where systemCode(of: error) == EROFS: return readOnly(error.details.first)
    case .cannotOpen:
      return AdviceText(.failed, next: "Check the path and its permissions, then try again.")
    case .inputOutput:
      return AdviceText(
        .failed,
        next: "Check the system's log for disk failures. When the disk works again, check the whole "
          + "store" + named(commands.verify) + "."
      )
    default:
      return AdviceText(.failed, next: "Try again. If it fails again, report the lines below.")
    }
  }

  /// Returns the advice for an error of the storage layer, which is more specific than the library error
  /// above it.
  static func advice(for error: LMDBError, _ commands: Commands) -> AdviceText? {
    switch error.code {
    case .notFound:
      return AdviceText(
        .notFound,
        "There is no store at this path.",
        next: "Check the directory; a store is a directory with a file data.mdb."
      )
    case .notAStore, .versionMismatch:
      return AdviceText(
        .damaged,
        "The file data.mdb is not a store: LMDB did not write it, or its beginning was overwritten.",
        next: "If it should be one, replace it with a backup" + named(commands.restore) + "."
      )
    case .inUse where error.message.hasPrefix(ownUse): return inUseHere
    case .inUse: return inUse
    case .openOtherwise: return inUseHere
    case .incompatible where error.message.contains("machine"):
      return AdviceText(
        .refused,
        error.message,
        next: "Export the objects on such a machine and import them here."
      )
    case .truncated, .damaged: return damaged(commands)
    case .unsafePath where error.returnCode == ENOTDIR:
      return AdviceText(
        .refused,
        "The path is not a directory, or leads through a file.",
        next: "Check the path: a store is a directory with a file data.mdb."
      )
    case .unsafePath:
      return AdviceText(
        .refused,
        "The path is not safe for a store (\(error.detail ?? "it leads through a link")).",
        next:
          "The store's directory and files must belong to the user who opens them, must not be links, and must "
          + "not be writable by others: chmod -R go-w on the directory, or run this as the owner. If a group shares them, as on a "
          + "volume with an fsGroup, set allowsGroupWritableDirectory in the StoreOptions (the tool fief: --allow-group-writable)."
      )
    case .permissionDenied:
      return AdviceText(
        .refused,
        "The system does not allow this user to open the store.",
        next: "Run this as the user who owns the directory."
      )
    case .readOnly:
      return readOnly(error.detail)
    case .noMemory:
      return AdviceText(
        .failed,
        error.message,
        next:
          "Raise the limits of the process (ulimit -v, ulimit -d), or let the system overcommit memory (vm.overcommit_memory)."
      )
    case .remoteFileSystem:
      return AdviceText(
        .refused,
        "The store is on a network file system (\(error.detail ?? "remote")), where its locks do not work.",
        next: "Move it to a local disk."
      )
    case .alreadyExists:
      return AdviceText(.refused, "The destination exists.", next: "Choose a path that does not exist yet.")
    default: return nil
    }
  }

  private static func migrationRequired(_ commands: Commands) -> AdviceText {
    AdviceText(
      .refused,
      next: "If the declared version is higher, migrate the store" + named(commands.migrate)
        + ". If it is the same, the classes were changed without raising schemaVersion: the developers must "
        + "raise it" + (commands.diff.map { " ('\($0)' lists the differences)" } ?? "") + "."
    )
  }

  private static func damaged(_ commands: Commands) -> AdviceText {
    AdviceText(
      .damaged,
      "The store is damaged: something other than the library changed its files, or the disk is failing.",
      next: "Keep a copy of the directory as it is"
        + (commands.isCheck
          ? ", and" : ". Check the extent of the damage" + named(commands.verify) + ", then")
        + " restore the newest backup" + named(commands.restore) + "."
    )
  }

  private static func readOnly(_ detail: String?) -> AdviceText {
    AdviceText(
      .refused,
      "The store is read-only here (\(detail ?? "it was opened for reading only")).",
      next:
        "Mount its disk for writing, or use a copy of the directory on another disk. A program that only "
        + "reads can open it with isReadOnly."
    )
  }

  private static func systemCode(of error: FiefError) -> Int32? {
    guard let cause = error.underlying.map({ $0 as NSError }), cause.domain == NSPOSIXErrorDomain else {
      return nil
    }
    return Int32(exactly: cause.code)
  }

  private static var inUse: AdviceText {
    AdviceText(.refused, next: "Stop the program that uses the store, then try again.")
  }

  /// The beginning of error messages about a store that the process itself has open.
  private static var ownUse: String { "This process" }

  private static var inUseHere: AdviceText {
    AdviceText(
      .refused,
      next:
        "This program opened the store before it ran the command: run the command first, or close() the "
        + "repository first."
    )
  }

  private static func named(_ command: String?) -> String { command.map { ": '\($0)'" } ?? "" }
}
