extension WriteQueueMachine {
  /// The actions after an event, performed outside the lock.
  package struct Actions {
    package enum Thread { case none, start, wake }
    /// The request to the queue's thread: to be started, or to be woken.
    package var thread = Thread.none
    /// The turn that begins now.
    package var granted: Entry?
    /// The caller whose batch has gathered.
    package var nudged: Entry?
  }

  /// The outcome of an entry's arrival.
  package enum Admission {
    /// The queue is closed.
    case closed
    /// The limit for items that no caller waits for is reached.
    case full
    /// The entry stands in line, and will be answered.
    case queued(Ticket)
    /// The entry stands in line, and its caller commits: the caller waits until then, or until it is nudged,
    /// and calls ``WriteQueueMachine/gathered(by:now:)``.
    case gather(Ticket, until: Int)
  }

  /// The items of one transaction, in the order of their arrival.
  package struct Batch {
    package var entries: [Entry]
    /// Errors for the first entries, which are not to be executed; nearly always empty.
    package var injected: [any Error & Sendable]
  }

  /// The next step of a committer: of the thread, or of the caller whose batch gathers.
  package enum Step {
    /// Nothing: the thread sleeps until it is woken, the caller until it is answered.
    case wait
    /// Wait until then, or until nudged, and ask again.
    case gather(until: Int)
    /// Execute this, then report `batchFinished`.
    case run(Batch)
    /// The thread ends; it is not asked again.
    case end
  }
}
