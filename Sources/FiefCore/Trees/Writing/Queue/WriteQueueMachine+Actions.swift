extension WriteQueueMachine {
  /// The actions after an event, performed outside the lock.
  package struct Actions {
    package enum Thread { case none, start, wake }
    /// The request to start or wake the queue's thread.
    package var thread = Thread.none
    /// The turn that begins now.
    package var granted: Entry?
    /// The caller whose batch has finished gathering.
    package var nudged: Entry?
  }

  /// The outcome of adding an entry.
  package enum Admission {
    /// The queue is closed.
    case closed
    /// The limit for items without waiting callers is reached.
    case full
    /// The entry is in the queue and will be answered.
    case queued(Ticket)
    /// The entry is in the queue, and its caller runs the batch. The caller waits until the given time, or
    /// until it is nudged, and then calls ``WriteQueueMachine/gathered(by:now:)``.
    case gather(Ticket, until: Int)
  }

  /// The items of one transaction, in the order of their arrival.
  package struct Batch {
    package var entries: [Entry]
    /// The errors for the first entries, which are not executed. Nearly always empty.
    package var injected: [any Error & Sendable]
  }

  /// The next step of a committer: the thread, or the caller whose batch gathers.
  package enum Step {
    /// Do nothing. The thread sleeps until it is woken, or the caller until it is answered.
    case wait
    /// Wait until the given time or until nudged, and then request the next action.
    case gather(until: Int)
    /// Execute the batch, then report `batchFinished`.
    case run(Batch)
    /// End the thread, which requests no further action.
    case end
  }
}
