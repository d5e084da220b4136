public import Fief
import Foundation

extension StoreLog {
  /// A handler that logs the events of stores, for `StoreOptions.eventHandler`.
  ///
  /// ```swift
  /// options.eventHandler = StoreLog.eventHandler
  /// ```
  /// Failures are logged as errors. Misuse, long readers, slow queries, slow commits and dropped values are
  /// logged as warnings, and all other events as information.
  public static var eventHandler: @Sendable (StoreEvent) -> Void {
    // A handler has no caller whose location could be logged.
    { log($0, file: "", function: "", line: 0) }
  }

  /// Logs an event of a store.
  public static func log(
    _ event: StoreEvent,
    file: String = #fileID,
    function: String = #function,
    line: UInt = #line
  ) {
    log(
      level(of: event),
      message(of: event),
      store: event.store,
      file: file,
      function: function,
      line: line
    )
  }

  private static func level(of event: StoreEvent) -> LogLevel {
    switch event {
    case .misuse, .indexOutOfBounds, .longReader, .slowQuery, .slowCommit, .droppedValues, .publicAccess,
      .unindexedTreeQuery:
      .warning
    case .migrating: .debug
    default: event.isFailure ? .error : .info
    }
  }

  /// Returns a description of the event in one line, without values and keys.
  private static func message(of event: StoreEvent) -> String {
    if let failure = event.failure { return "\(event.store): \(failure)" }
    return switch event {
    case .opened(let store, let directory): "\(store): opened in \(directory)"
    case .migrating(let progress): "\(progress.store): migrating"
    case .migrated(let store, let from, let to): "\(store): migrated from version \(from) to \(to)"
    case .droppedValues(let store, let values): "\(store): \(values)"
    case .compacted(let store, let before, let after): "\(store): compacted from \(before) to \(after) bytes"
    case .indexOutOfBounds(let store, _, let index, let count):
      "\(store): the index \(index) is out of bounds for a collection of \(count)"
    case .longReader(let store, let reader, let held, let size):
      "\(store): \(reader) holds \(held) of \(size) bytes"
    case .slowQuery(let store, let query):
      "\(store): slow query of \(query.type), \(query.duration.milliseconds): \(query.query.isEmpty ? "all" : query.query) - \(query.plan)"
    case .unindexedTreeQuery(let store, let query): "\(store): \(query)"
    case .slowCommit(let store, let commit):
      "\(store): slow commit, \(commit.duration.milliseconds): waiting \(commit.waiting.milliseconds), "
        + "changing \(commit.changing.milliseconds), committing \(commit.committing.milliseconds), "
        + "publishing \(commit.publishing.milliseconds)"
    case .publicAccess(let store, let date):
      "\(store): the access rules let everyone read and write the whole tree until \(date)"
    case .closed(let store): "\(store): closed"
    default: event.store
    }
  }
}
