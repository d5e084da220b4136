import FiefConsole

/// Brings a package source into the catalogue: reads the next batch while the last one is written.
struct CatalogueImporter {
  /// The result of an import.
  struct Report: Sendable {
    var counts = ImportCounts()
    var problemCount = 0
    var problems: [StanzaProblem] = []
    var bytes = 0
    var duration: Duration = .zero
    /// Whether the source was read to its end.
    var isComplete = false
  }

  private let repository: CatalogueRepository
  private let batchSize: Int

  /// Makes an importer that commits after each `batchSize` packages or so.
  init(into repository: CatalogueRepository, batchSize: Int = 2000) {
    self.repository = repository
    self.batchSize = batchSize
  }

  /// The number of times that an index is read while apt changes it.
  private static let attempts = 10

  /// Reads the source of a machine, and once more if apt has changed its files meanwhile.
  ///
  /// - Parameter pause: the time before the next attempt.
  /// - Throws: as ``run(_:limit:on:isCurrent:)``.
  func run(
    _ source: PackageSource,
    of machine: Machine,
    limit: Int?,
    on console: Console,
    pause: Duration = .seconds(2)
  ) async throws -> Report {
    var attempt = 1
    while true {
      let state = machine.indexState()
      do {
        return try await run(source, limit: limit, on: console) { machine.indexState() == state }
      } catch let error as InputError where attempt < Self.attempts && machine.indexState() != state {
        console.line("\(error)")
        console.line("apt changed its files meanwhile: reading them again.")
        attempt += 1
        try await Task.sleep(for: pause)
      }
    }
  }

  /// Reads a source to its end, or until `limit` packages are stored.
  ///
  /// - Parameter isCurrent: returns whether the source is unchanged. Packages that were read after a change are not
  ///   stored, since they may be made of parts of two files.
  /// - Throws: ``InputError`` when the source fails or changes and `FiefError` when the store does; the
  ///   batches before the failure are stored.
  func run(
    _ source: PackageSource,
    limit: Int?,
    on console: Console,
    isCurrent: @Sendable () -> Bool = { true }
  ) async throws -> Report {
    let clock = ContinuousClock()
    let start = clock.now
    let reader = PackageIndexReader(source)
    let total = limit.map { min($0, source.expectedCount ?? $0) } ?? source.expectedCount
    var progress = ProgressReporter("Packages", total: total, on: console)
    var report = Report()
    do {
      var following = try await reader.next(limit: batchSize)
      while var batch = following {
        guard isCurrent() else { throw InputError.indexChanged(name: source.name) }
        if let limit { batch.records = Array(batch.records.prefix(limit - report.counts.packages)) }
        let records = batch.records
        async let next = reader.next(limit: batchSize)
        report.counts = report.counts + (try await repository.store(records))
        report.problemCount += batch.problemCount
        report.problems += batch.problems.prefix(5 - min(5, report.problems.count))
        report.bytes += batch.bytes
        progress.update(completed: report.counts.packages, elapsed: clock.now - start)
        following = try await next
        if let limit, report.counts.packages >= limit { break }
      }
    } catch {
      progress.finish()
      await reader.close()
      throw error
    }
    progress.finish()
    await reader.close()
    report.duration = clock.now - start
    report.isComplete = limit.map { report.counts.packages < $0 } ?? true
    return report
  }
}
