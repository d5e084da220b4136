import Foundation
import LMDB

extension StoreRegistry {
  /// Compacts a store that is about to be opened, if its options request this.
  ///
  /// This method does not throw, because the store can be opened even if the compaction fails.
  static func compactIfAsked(_ configuration: StoreConfiguration, directory: String) {
    let options = configuration.options
    guard let isWanted = options.shouldCompactOnLaunch, !options.isReadOnly,
      FileManager.default.fileExists(atPath: StoreLocation.joined(directory, "data.mdb"))
    else { return }
    // Errors in the files are reported when the store is opened.
    guard (try? StoreLock.use(of: directory, allowsGroup: options.allowsGroupWritableDirectory)) == .unused,
      let sizes = try? sizes(of: directory, options), isWanted(sizes.total, sizes.used)
    else { return }
    do {
      let after = try compactFile(of: directory, options)
      configuration.reporter.send(.compacted(store: configuration.name, before: sizes.total, after: after))
    } catch {
      let described =
        FiefError.described(error, store: configuration.name) as? FiefError
        ?? FiefError(
          .inputOutput,
          "The store could not be compacted.",
          store: configuration.name,
          underlying: error
        )
      configuration.reporter.send(.compactionFailed(store: configuration.name, error: described))
    }
  }

  private static func withEnvironment<Value>(
    _ directory: String,
    _ options: StoreOptions,
    _ body: (LMDB.Environment) throws -> Value
  ) throws -> Value {
    var settings = options.environment
    settings.isReadOnly = true
    settings.createsIfMissing = false
    settings.reservedBytes = 0
    let environment = try LMDB.Environment.open(directory: directory, options: settings)
    defer { environment.close() }
    return try body(environment)
  }

  /// Returns the size of the file in bytes, and the size of its used pages.
  private static func sizes(of directory: String, _ options: StoreOptions) throws -> (total: Int, used: Int) {
    let statistics = try withEnvironment(directory, options) { try $0.statistics() }
    let pages = max(0, statistics.lastPage + 1 - statistics.freePages)
    return (statistics.fileSize, pages * statistics.pageSize)
  }

  /// - Returns: the size of the new file.
  private static func compactFile(of directory: String, _ options: StoreOptions) throws -> Int {
    var settings = options.environment
    settings.createsIfMissing = false
    settings.reservedBytes = 0
    let environment = try LMDB.Environment.open(directory: directory, options: settings)
    defer { environment.close() }
    return try environment.compact().after
  }
}
