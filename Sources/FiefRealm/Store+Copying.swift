import Fief
public import Foundation

extension Store {
  /// Writes a compacted copy of the store while it is in use.
  ///
  /// - Parameter fileURL: the place of the copy, as ``Configuration/fileURL``; it must not exist. Parents that are missing
  ///   are made.
  /// - Throws: ``FiefError`` of code `cannotOpen` where the place exists or its parents cannot be made,
  ///   `storeFull` where the disk is full; nothing is left behind then.
  public func writeCopy(toFile fileURL: URL) throws {
    try backup(to: ConfiguredRepository.storeDirectory(fileURL).path)
  }

  /// Brings the handle to the newest state, where it always is.
  ///
  /// - Returns: false: there was nothing to bring.
  @discardableResult
  public func refresh() -> Bool { false }
}
