/// Reports the progress of a migration to the store's event handler.
final class MigrationProgressReporter {
  /// The number of objects between two reports.
  static let interval = 1000

  private let handler: (@Sendable (StoreEvent) -> Void)?
  private var state: MigrationProgress

  init(_ configuration: StoreConfiguration, from version: UInt64) {
    handler = configuration.options.eventHandler
    state = MigrationProgress(
      store: configuration.name,
      fromVersion: version,
      toVersion: configuration.schemaVersion,
      activity: "",
      completed: 0,
      total: 0
    )
  }

  /// The name of the running step.
  var step: String? {
    get { state.step }
    set { state.step = newValue }
  }

  /// Begins a part of the migration. Nested parts are reported instead of it until they end.
  func begin(_ activity: String, total: Int) -> Part {
    Part(self, activity, total: total)
  }

  fileprivate func report(_ part: Part) {
    guard let handler else { return }
    state.activity = part.activity
    state.completed = part.completed
    state.total = max(part.total, part.completed)
    handler(.migrating(state))
  }

  /// A part of a migration that processes objects one by one.
  final class Part {
    fileprivate let reporter: MigrationProgressReporter
    fileprivate let activity: String
    fileprivate let total: Int
    fileprivate var completed = 0

    fileprivate init(_ reporter: MigrationProgressReporter, _ activity: String, total: Int) {
      self.reporter = reporter
      self.activity = activity
      self.total = total
      reporter.report(self)
    }

    /// Records that another object was processed.
    func advance() {
      completed += 1
      if completed.isMultiple(of: MigrationProgressReporter.interval), completed < total {
        reporter.report(self)
      }
    }

    /// Reports the end.
    func finish() { reporter.report(self) }
  }
}
