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
        next: "This is a mistake in the program, which its developers have to correct; the store is whole."
      )
    case .nestedWrite:
      return AdviceText(
        .refused,
        next:
          "This is a mistake in the program, whose developers have to make the change in the write that runs, "
          + "with its transaction, or after it; the store is whole."
      )
    case .migrationRequired: return migrationRequired(commands)
    case .versionTooLow:
      return AdviceText(
        .refused,
        "The store has a newer schema version than this program knows.",
        next: "Use the newer release of the program, or go back to a backup of the older version"
          + named(commands.restore) + "."
      )
    case .formatTooNew:
      return AdviceText(
        .refused,
        "The store was written by a newer release of Fief than the one in this program.",
        next: "Use a program that was built with that release or a later one. Stores are never written "
          + "back in an older format, so only a backup from before helps an older program"
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
        next: "The data or the program has to be corrected where the lines below say; then try again."
      )
    case .damagedStore, .damagedRecord: return damaged(commands)
    case .storeInUse where error.message.hasPrefix(ownUse): return inUseHere
    case .storeInUse: return inUse
    case .storeFull:
      return AdviceText(
        .failed,
        next:
          "Free some room on the disk, or raise the store's limit (maximumMapSize) where one is set; then "
          + "try again."
      )
    case .notEncrypted:
      return AdviceText(
        .refused,
        next: "If the store never was encrypted, encrypt it once with "
          + (commands.encrypt.map { "'\($0)'" } ?? "encryptClearStore()")
          + ", or open it without a key. If it was, another file is in its place: put a backup there"
          + named(commands.restore) + "."
      )
    case .encrypted, .wrongKey, .invalidKey:
      return AdviceText(
        .refused,
        next: "Open the store with its own key, or without one if it is not encrypted."
      )
    case .tooManyReaders, .readersBlockGrowth:
      return AdviceText(
        .failed,
        next: "Stop the processes that read the store for long, or raise maximumReaders; then try again."
      )
    case .unfinishedWrite:
      return AdviceText(
        .failed,
        consequence: "The write takes place: it is not to be made again.",
        next:
          "Make room on the disk of the store that the lines below "
          + "name, or put it back where they look for it; it then takes its part by itself, when it is next opened "
          + "or written to."
      )
    case .blockedByUnfinishedWrite:
      return AdviceText(
        .refused,
        next:
          "Put the other store back where the lines below look for it, or make room on its disk; then try "
          + "again: the earlier write is finished by itself. If the other store is gone for good, the developers "
          + "can give up what it knew (abandonUnfinishedWrites)."
      )
    case .unknownOutcome:
      return AdviceText(
        .failed,
        consequence: "Whether anything was changed is not known.",
        next:
          "Look into the system's log for failures of the disk. When it is well again, look whether the change "
          + "is there, and make it again only if it is not."
      )
    case .schemaChanged:
      return AdviceText(.refused, next: "Close the store and open it again, with the release that fits it.")
    case .storeClosed, .cancelled, .interrupted, .conflict: return AdviceText(.failed, next: "Try again.")
    case .throttled: return AdviceText(.refused, next: "Try again later.")
    case .writeQueueFull:
      return AdviceText(
        .failed,
        next: "Save fewer objects at once, or wait for the writes before; then try again."
      )
    case .readOnlyStore: return AdviceText(.refused, next: "Open the store for writing.")
    case .invalidQuery, .malformedQuery:
      return AdviceText(.failed, next: "Correct the query where the lines below say.")
    case .invalidCursor: return AdviceText(.failed, next: "Begin again at the first page.")
    case .objectNotFound: return AdviceText(.notFound, next: "Look whether the key is right.")
    case .malformedJSON:
      return AdviceText(.failed, next: "Correct the document where the lines below say; then try again.")
    case .cannotOpen where systemCode(of: error) == EROFS: return readOnly(error.details.first)
    case .cannotOpen:
      return AdviceText(.failed, next: "Look at the path and its permissions; then try again.")
    case .inputOutput:
      return AdviceText(
        .failed,
        next: "Look into the system's log for failures of the disk. When it is well again, look at the whole "
          + "store" + named(commands.verify) + "."
      )
    default:
      return AdviceText(.failed, next: "Try again; if it stays, the lines below tell the developers why.")
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
        next: "Look whether the directory is the right one; a store is a directory with a file data.mdb."
      )
    case .notAStore, .versionMismatch:
      return AdviceText(
        .damaged,
        "The file data.mdb is not a store: it was not written by LMDB, or its beginning was overwritten.",
        next: "If it should be one, put a backup in its place" + named(commands.restore) + "."
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
    case .unsafePath:
      return AdviceText(
        .refused,
        "The path is not safe for a store (\(error.detail ?? "it leads through a link")).",
        next:
          "A store's directory and files belong to the user who opens them, are no links, and no other user "
          + "may write to them: chmod -R go-w on the directory, or run this as the owner. If a group is to share them, as on a "
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
          "Raise the limits of the process (ulimit -v, ulimit -d), or give the system more memory (vm.overcommit_memory)."
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
        + ". If it is the same, the classes were changed without raising schemaVersion: the developers have to "
        + "raise it" + (commands.diff.map { " ('\($0)' lists the differences)" } ?? "") + "."
    )
  }

  private static func damaged(_ commands: Commands) -> AdviceText {
    AdviceText(
      .damaged,
      "The store is damaged: its files were changed by something else than the library, or the disk fails.",
      next: "Keep a copy of the directory as it is. See how far it goes" + named(commands.verify)
        + ", then put the newest backup in its place" + named(commands.restore) + "."
    )
  }

  private static func readOnly(_ detail: String?) -> AdviceText {
    AdviceText(
      .refused,
      "The store can only be read here (\(detail ?? "it was opened so")).",
      next:
        "Mount its disk for writing, or work on a copy of the directory on another disk. A program that only reads "
        + "opens it with isReadOnly."
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
        "This program has opened the store before it ran the command: run the command first, or close() the "
        + "repository before."
    )
  }

  private static func named(_ command: String?) -> String { command.map { ": '\($0)'" } ?? "" }
}
