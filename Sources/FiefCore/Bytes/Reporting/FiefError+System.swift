import Foundation
import LMDB

/// The system's kinds of failures, for modules of this package.
extension FiefError {
  /// The kinds of failures that the system distinguishes when a file is opened.
  package enum SystemFailure: Sendable {
    /// The file does not exist.
    case missing
    /// The system refuses access.
    case denied
    /// The file already exists.
    case exists
  }

  /// The system's kind of failure; `nil` for other failures.
  package var systemFailure: SystemFailure? {
    if let error = underlying as? LMDBError {
      switch error.code {
      case .notFound: return .missing
      case .permissionDenied: return .denied
      case .alreadyExists: return .exists
      default: return Self.failure(of: error.returnCode)
      }
    }
    if let error = underlying as? FiefError { return error.systemFailure }
    guard let cause = underlying.map({ $0 as NSError }), cause.domain == NSPOSIXErrorDomain else {
      return nil
    }
    return Self.failure(of: Int32(truncatingIfNeeded: cause.code))
  }

  private static func failure(of code: Int32?) -> SystemFailure? {
    switch code {
    case ENOENT: .missing
    case EACCES, EPERM, EROFS: .denied
    case EEXIST: .exists
    default: nil
    }
  }
}
