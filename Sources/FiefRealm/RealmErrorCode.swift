import Fief
public import Foundation

/// The kind of a failure, under the names that code for Realm catches.
///
/// ```swift
/// do { realm = try Realm(configuration: configuration) }
/// catch Realm.Error.fileNotFound { … }
/// catch let error as Realm.Error where error.code == .schemaMismatch { … }
/// catch let error as Realm.Error { print(error.realmCode) }
/// ```
/// Each kind corresponds to several values of `FiefError.Code`. Failures without a name in Realm are
/// ``fail``.
public enum RealmErrorCode: Sendable, CaseIterable {
  /// Any other failure.
  case fail
  /// Input or output failed.
  case fileAccess
  /// The system refuses access.
  case filePermissionDenied
  /// A file or a directory already exists at the path.
  case fileExists
  /// The store does not exist.
  case fileNotFound
  /// A file could not be opened for another reason.
  case fileOperationFailed
  /// The library does not support the format of the store.
  case unsupportedFileFormatVersion
  /// The store cannot grow.
  case addressSpaceExhausted
  /// The classes differ from the classes of the store, although the version is the same.
  case schemaMismatch
  /// Another process has the store open.
  case alreadyOpen
  /// A file is damaged, or is not a store.
  case invalidDatabase

  /// Returns a Boolean value that indicates whether an error is of a kind, for
  /// `catch Realm.Error.fileNotFound`.
  public static func ~= (code: RealmErrorCode, error: any Swift.Error) -> Bool {
    (error as? FiefError)?.realmCode == code
  }
}

extension Store {
  /// The error type, under Realm's name.
  public typealias Error = FiefError
}

extension FiefError {
  /// The kind of the failure, under Realm's names.
  public var realmCode: RealmErrorCode {
    // The file system is read-only.
    if code == .readOnlyStore, systemFailure == .denied { return .filePermissionDenied }
    guard code == .cannotOpen else { return RealmErrorKind(code).code }
    switch systemFailure {
    case .missing: return .fileNotFound
    case .denied: return .filePermissionDenied
    case .exists: return .fileExists
    case nil: return .fileOperationFailed
    }
  }

  /// Any other failure.
  public static var fail: RealmErrorCode { .fail }
  /// Input or output failed.
  public static var fileAccess: RealmErrorCode { .fileAccess }
  /// The system refuses access.
  public static var filePermissionDenied: RealmErrorCode { .filePermissionDenied }
  /// A file or a directory already exists at the path.
  public static var fileExists: RealmErrorCode { .fileExists }
  /// The store does not exist.
  public static var fileNotFound: RealmErrorCode { .fileNotFound }
  /// A file could not be opened for another reason.
  public static var fileOperationFailed: RealmErrorCode { .fileOperationFailed }
  /// The library does not support the format of the store.
  public static var unsupportedFileFormatVersion: RealmErrorCode { .unsupportedFileFormatVersion }
  /// Not available: opening a store never changes its format.
  @available(
    *,
    unavailable,
    message: "a store of another format is not opened: catch Realm.Error.unsupportedFileFormatVersion"
  )
  public static var fileFormatUpgradeRequired: RealmErrorCode { .unsupportedFileFormatVersion }
  /// The store cannot grow.
  public static var addressSpaceExhausted: RealmErrorCode { .addressSpaceExhausted }
  /// The classes differ from the classes of the store, although the version is the same.
  public static var schemaMismatch: RealmErrorCode { .schemaMismatch }
  /// Another process has the store open.
  public static var alreadyOpen: RealmErrorCode { .alreadyOpen }
  /// A file is damaged, or is not a store.
  public static var invalidDatabase: RealmErrorCode { .invalidDatabase }

  /// The URL of the file or directory that the error concerns, or `nil` if the error does not specify it.
  public var fileURL: URL? {
    guard let path, path.hasPrefix("/") else { return nil }
    return URL(fileURLWithPath: path)
  }
}

/// Realm's names for comparisons with `FiefError.code`: `error.code == .schemaMismatch`.
public enum RealmErrorKind: Sendable {
  /// Any other failure.
  case fail
  /// Input or output failed.
  case fileAccess
  /// The library does not support the format of the store.
  case unsupportedFileFormatVersion
  /// The store cannot grow.
  case addressSpaceExhausted
  /// The classes differ from the classes of the store, although the version is the same.
  case schemaMismatch
  /// Another process has the store open.
  case alreadyOpen
  /// A file is damaged, or is not a store.
  case invalidDatabase
  /// A file could not be opened, for any reason.
  case cannotOpenFile

  init(_ code: FiefError.Code) {
    self =
      switch code {
      case .cannotOpen, .unsupportedLibrary: .cannotOpenFile
      case .inputOutput, .unknownOutcome: .fileAccess
      case .storeFull, .readersBlockGrowth: .addressSpaceExhausted
      case .migrationRequired, .invalidSchema, .schemaChanged: .schemaMismatch
      case .damagedStore, .damagedRecord: .invalidDatabase
      case .formatTooNew, .formatTooOld: .unsupportedFileFormatVersion
      case .storeInUse: .alreadyOpen
      default: .fail
      }
  }

  fileprivate var code: RealmErrorCode {
    switch self {
    case .fail: .fail
    case .fileAccess: .fileAccess
    case .unsupportedFileFormatVersion: .unsupportedFileFormatVersion
    case .addressSpaceExhausted: .addressSpaceExhausted
    case .schemaMismatch: .schemaMismatch
    case .alreadyOpen: .alreadyOpen
    case .invalidDatabase: .invalidDatabase
    case .cannotOpenFile: .fileOperationFailed
    }
  }

  /// Not available: stores have no lock files of other versions.
  @available(*, unavailable, message: "no error has this code: remove the case")
  public static var incompatibleLockFile: RealmErrorKind { .fail }

  /// Returns a Boolean value that indicates whether a code is of a kind, for
  /// `switch error.code { case .schemaMismatch: … }`.
  public static func ~= (kind: RealmErrorKind, code: FiefError.Code) -> Bool { RealmErrorKind(code) == kind }
  /// Returns a Boolean value that indicates whether a code is of a kind.
  public static func == (code: FiefError.Code, kind: RealmErrorKind) -> Bool { RealmErrorKind(code) == kind }
  /// Returns a Boolean value that indicates whether a code is not of a kind.
  public static func != (code: FiefError.Code, kind: RealmErrorKind) -> Bool { RealmErrorKind(code) != kind }
}

/// Realm's names for the reasons why a file cannot be opened. Fief throws `cannotOpen` for all of them.
public enum RealmFileErrorKind: Sendable {
  /// A reason in Realm. Fief throws `cannotOpen` for each of them.
  case fileNotFound, filePermissionDenied, fileExists, fileOperationFailed

  /// Not available: the code does not specify why a file cannot be opened.
  @available(
    *,
    unavailable,
    message:
      "catch Realm.Error.fileNotFound, or compare error.realmCode; the code cannotOpen does not specify the reason"
  )
  public static func == (code: FiefError.Code, kind: RealmFileErrorKind) -> Bool { false }

  /// Not available: the code does not specify why a file cannot be opened.
  @available(
    *,
    unavailable,
    message: "switch over error.realmCode; the code cannotOpen does not specify the reason"
  )
  public static func ~= (kind: RealmFileErrorKind, code: FiefError.Code) -> Bool { false }
}
