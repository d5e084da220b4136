import Fief
import FiefConsole
import Foundation

extension ToolFailure {
  /// Returns the failure for a file that does not exist.
  static func missing(file path: String) -> ToolFailure {
    ToolFailure(
      .notFound,
      code: "notFound",
      "The file '\(Format.printable(path))' does not exist.",
      next: "Check the path."
    )
  }

  /// Returns the failure for a system error with a file that is not part of a store, or `nil` for other
  /// errors.
  static func ofFile(_ error: any Error) -> ToolFailure? {
    let file = error as? CocoaError
    let place = file?.filePath.map { " '\(Format.printable($0))'" } ?? ""
    guard let code = systemCode(of: error) else {
      guard let file else { return nil }
      return ToolFailure(
        .failed,
        code: FiefError.Code.inputOutput.rawValue,
        "The file\(place) cannot be used: \(file.localizedDescription)",
        next: "Check the path, then try again."
      )
    }
    let reason = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT:
      return ToolFailure(
        .failed,
        code: FiefError.Code.storeFull.rawValue,
        "No space is left for the file\(place): \(reason).",
        next: "Free space on the disk, then try again."
      )
    case EACCES, EPERM, EROFS:
      return ToolFailure(
        .refused,
        code: FiefError.Code.inputOutput.rawValue,
        "The system does not allow this user to use the file\(place): \(reason).",
        next: "Choose another path, or run this as the user who owns the file."
      )
    default:
      return ToolFailure(
        .failed,
        code: FiefError.Code.inputOutput.rawValue,
        "The file\(place) cannot be used: \(reason).",
        next: "Check the path, then try again."
      )
    }
  }

  private static func systemCode(of error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let system = error as NSError
    if system.domain == NSPOSIXErrorDomain { return Int32(exactly: system.code) }
    if let cause = system.userInfo[NSUnderlyingErrorKey] as? any Error, let code = systemCode(of: cause) {
      return code
    }
    guard let error = error as? CocoaError else { return nil }
    switch error.code {
    case .fileWriteOutOfSpace: return ENOSPC
    case .fileReadNoPermission, .fileWriteNoPermission: return EACCES
    case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
    default: return nil
    }
  }
}
