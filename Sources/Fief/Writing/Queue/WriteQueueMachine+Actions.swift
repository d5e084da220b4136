extension WriteQueueMachine {
  /// What has to be done after an event, outside the lock.
  package struct Actions {
    package enum Thread { case none, start, wake }
    /// What the queue's thread needs: to be made, or to be told to look again.
    package var thread = Thread.none
    /// The turn that begins now.
    package var granted: Entry?
    /// The caller whose batch has gathered.
    package var nudged: Entry?
  }

  /// What became of an entry that came.
  package enum Admission {
    /// The queue is closed.
    case closed
    /// There is no room for another item that no caller waits for.
    case full
    /// It stands in line, and will be answered.
    case queued(Ticket)
    /// It stands in line, and its caller commits: it waits until then, or until it is nudged, and
    /// asks ``WriteQueueMachine/gathered(by:now:)``.
    case gather(Ticket, until: Int)
  }

  /// The items of one transaction, in the order of their arrival.
  package struct Batch {
    package var entries: [Entry]
    /// Errors for the first entries, which are not to be executed; nearly always empty.
    package var injected: [any Error & Sendable]
  }

  /// What a committer does next: the thread, or the caller whose batch gathers.
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
