/// A query that has taken long, as ``StoreEvent/slowQuery(store:_:)`` reports it.
///
/// Its texts have the types of values in place of these, as `age > <integer>`, so that they can go to a log.
public struct SlowQuery: Sendable, Equatable {
  /// The name of the type.
  public let type: String
  /// The query in its text form; bounds of pages are left out.
  public let query: String
  /// The plan by which it has found its objects.
  public let plan: String
  /// The time from the beginning of the query until its result was there, that of a closure that gets the objects included. Of an
  /// iteration, the time that its batches have taken until it was reported.
  public let duration: Duration

  package init(type: String, query: String, plan: String, duration: Duration) {
    self.type = type
    self.query = query
    self.plan = plan
    self.duration = duration
  }
}

/// A commit that has taken long, as ``StoreEvent/slowCommit(store:_:)`` reports it.
public struct SlowCommit: Sendable, Equatable {
  /// The time until the write began: mostly that of another process's write.
  public let waiting: Duration
  /// The time in which the closures of the writes ran, and records and indexes were changed; that of attempts which were
  /// repeated included.
  public let changing: Duration
  /// The time until it was durable: mostly the disk's.
  public let committing: Duration
  /// The time in which its changes were handed to observers.
  public let publishing: Duration

  /// The sum of all.
  public var duration: Duration { waiting + changing + committing + publishing }

  package init(waiting: Duration, changing: Duration, committing: Duration, publishing: Duration) {
    self.waiting = waiting
    self.changing = changing
    self.committing = committing
    self.publishing = publishing
  }
}
