/// A slow query, reported by ``StoreEvent/slowQuery(store:_:)``.
///
/// Its texts contain the types of values instead of the values, such as `age > <integer>`, so they can be
/// logged.
public struct SlowQuery: Sendable, Equatable {
  /// The name of the type.
  public let type: String
  /// The query in its text form, without the bounds of pages.
  public let query: String
  /// The plan that the query used.
  public let plan: String
  /// The time from the beginning of the query until its result was complete, including the time of a closure
  /// that receives the objects. For an iteration, it is the total time of its batches until it was reported.
  public let duration: Duration

  package init(type: String, query: String, plan: String, duration: Duration) {
    self.type = type
    self.query = query
    self.plan = plan
    self.duration = duration
  }
}

/// A slow commit, reported by ``StoreEvent/slowCommit(store:_:)``.
public struct SlowCommit: Sendable, Equatable {
  /// The time until the write began, which usually consists mostly of waiting for a write of another process.
  public let waiting: Duration
  /// The time in which the closures of the writes ran and records and indexes were changed, including
  /// repeated attempts.
  public let changing: Duration
  /// The time until the commit was durable, which usually consists mostly of waiting for the disk.
  public let committing: Duration
  /// The time spent publishing the changes to observers.
  public let publishing: Duration

  /// The sum of all times.
  public var duration: Duration { waiting + changing + committing + publishing }

  package init(waiting: Duration, changing: Duration, committing: Duration, publishing: Duration) {
    self.waiting = waiting
    self.changing = changing
    self.committing = committing
    self.publishing = publishing
  }
}
