import Fief
import Foundation

/// The package index as a cache: it is read again when it is older than its lifetime.
extension CatalogueRepository {
  /// What a call for an index has found.
  enum IndexState: Sendable {
    /// It was read.
    case read(CatalogueImporter.Report)
    /// It was read to its end before, within its lifetime.
    case fresh(packages: Int, readAt: Date?)
  }

  /// Brings an index into the catalogue, unless it was read to its end within the lifetime of a ``PackageIndex``.
  ///
  /// Calls for the same index at the same time read it once. One that was not read to its end, or whose packages were
  /// removed since, is read by the next call.
  ///
  /// - Parameters:
  ///   - source: the name of the source.
  ///   - isRefreshing: whether it is read in any case.
  ///   - reading: reads it and stores its packages, in a task of its own.
  /// - Throws: the error of `reading`, after which the next call reads the index; `FiefError`.
  func index(
    _ source: String,
    isRefreshing: Bool = false,
    reading: @escaping @Sendable () async throws -> CatalogueImporter.Report
  ) async throws -> IndexState {
    let outcome = IndexOutcome()
    // The fetch inherits no label, because other calls may wait for it too.
    let label = StoreUsage.label
    let index = try await cached(
      PackageIndex.self,
      forPrimaryKey: source,
      policy: isRefreshing ? .networkOnly : .cacheFirst
    ) { source in
      let report = try await StoreUsage.withLabel(label) { try await reading() }
      await outcome.take(report)
      let index = PackageIndex()
      index.source = source
      index.packages = report.counts.packages
      // The store's time otherwise.
      if !report.isComplete { index.readAt = nil }
      return index
    }
    // An older index is as good as any for a query, but this call is there to read a newer one.
    if let error = index.error { throw error }
    if let report = await outcome.report { return .read(report) }
    return .fresh(packages: index.value.packages, readAt: index.value.readAt)
  }
}

/// The report of an index that was read; none where the call shared the reading of another one.
private actor IndexOutcome {
  private(set) var report: CatalogueImporter.Report?

  func take(_ report: CatalogueImporter.Report) { self.report = report }
}
