import Fief
public import Foundation

/// The kinds of failure by the names that code written for Realm catches.
///
/// ```swift
/// do { realm = try Realm(configuration: configuration) }
/// catch Realm.Error.fileNotFound { … }
/// catch let error as Realm.Error where error.code == .schemaMismatch { … }
/// catch let error as Realm.Error { print(error.realmCode) }
/// ```
/// Several kinds of `FiefError.Code` are one of these; what Realm has no name for is ``fail``.
public enum RealmErrorCode: Sendable, CaseIterable {
  /// Any other failure.
  case fail
  /// Input or output failed.
  case fileAccess
  /// The system refuses access.
  case filePermissionDenied
  /// There is something at the place already.
  case fileExists
  /// There is no store at the place.
  case fileNotFound
  /// A file could not be opened for another reason.
  case fileOperationFailed
  /// The store was written in a format that this version does not read.
  case unsupportedFileFormatVersion
  /// The store cannot grow.
  case addressSpaceExhausted
  /// The classes differ from those of the store, and the version is the same.
  case schemaMismatch
  /// The store is open elsewhere.
  case alreadyOpen
  /// A file is damaged or is no store.
  case invalidDatabase

  /// Lets `catch Realm.Error.fileNotFound` catch errors of the kind.
  public static func ~= (code: RealmErrorCode, error: any Swift.Error) -> Bool {
    (error as? FiefError)?.realmCode == code
  }
}

extension Store {
  /// The error type, by the name that code written for Realm has.
  public typealias Error = FiefError
}

extension FiefError {
  /// The kind of failure by the names that code written for Realm has.
  public var realmCode: RealmErrorCode {
    // Where the file system itself can only be read.
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
  /// There is something at the place already.
  public static var fileExists: RealmErrorCode { .fileExists }
  /// There is no store at the place.
  public static var fileNotFound: RealmErrorCode { .fileNotFound }
  /// A file could not be opened for another reason.
  public static var fileOperationFailed: RealmErrorCode { .fileOperationFailed }
  /// The store was written in a format that this version does not read.
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
  /// The classes differ from those of the store, and the version is the same.
  public static var schemaMismatch: RealmErrorCode { .schemaMismatch }
  /// The store is open elsewhere.
  public static var alreadyOpen: RealmErrorCode { .alreadyOpen }
  /// A file is damaged or is no store.
  public static var invalidDatabase: RealmErrorCode { .invalidDatabase }

  /// The file or directory that the error is about; nil where it names none.
  public var fileURL: URL? {
    guard let path, path.hasPrefix("/") else { return nil }
    return URL(fileURLWithPath: path)
  }
}

/// The names of Realm's that `FiefError.code` is compared with: `error.code == .schemaMismatch`.
public enum RealmErrorKind: Sendable {
  /// Any other failure.
  case fail
  /// Input or output failed.
  case fileAccess
  /// The store was written in a format that this version does not read.
  case unsupportedFileFormatVersion
  /// The store cannot grow.
  case addressSpaceExhausted
  /// The classes differ from those of the store, and the version is the same.
  case schemaMismatch
  /// The store is open elsewhere.
  case alreadyOpen
  /// A file is damaged or is no store.
  case invalidDatabase
  /// A file could not be opened, for whatever reason.
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

  /// Not available: lock files of other versions are not found.
  @available(*, unavailable, message: "no error has this code: remove the case")
  public static var incompatibleLockFile: RealmErrorKind { .fail }

  /// Lets `switch error.code { case .schemaMismatch: … }` tell the kinds apart.
  public static func ~= (kind: RealmErrorKind, code: FiefError.Code) -> Bool { RealmErrorKind(code) == kind }
  /// Whether a code is of the kind.
  public static func == (code: FiefError.Code, kind: RealmErrorKind) -> Bool { RealmErrorKind(code) == kind }
  /// Whether a code is not of the kind.
  public static func != (code: FiefError.Code, kind: RealmErrorKind) -> Bool { RealmErrorKind(code) != kind }
}

/// Realm's reasons why a file cannot be opened; one code covers all of them here.
public enum RealmFileErrorKind: Sendable {
  /// The names of Realm's.
  case fileNotFound, filePermissionDenied, fileExists, fileOperationFailed

  /// Not available: the code does not say why a file cannot be opened.
  @available(
    *,
    unavailable,
    message:
      "catch Realm.Error.fileNotFound, or compare error.realmCode; the code cannotOpen does not say why"
  )
  public static func == (code: FiefError.Code, kind: RealmFileErrorKind) -> Bool { false }

  /// Not available: the code does not say why a file cannot be opened.
  @available(
    *,
    unavailable,
    message: "switch over error.realmCode; the code cannotOpen does not say why"
  )
  public static func ~= (kind: RealmFileErrorKind, code: FiefError.Code) -> Bool { false }
}
