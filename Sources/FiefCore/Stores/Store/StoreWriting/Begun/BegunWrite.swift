import Foundation
import LMDB
import Synchronization

/// A write that lasts from `beginWrite()` until it is committed or cancelled, on the thread that began it.
///
/// During this time it has a turn of the write queue and the writer lock of the environment. A thread has at
/// most one begun write. If the thread ends first, the write is rolled back and reported.
final class BegunWrite {
  let core: StoreCore
  private let queue: WriteQueue<WriteWork, WriteReceipt>
  private let held: ParticipantWrite
  private let writer: RecordWriter
  private let scope: WriteTransaction
  private let entry: WritingThreads.Entry
  private var mayAbort = true

  private static let numbers = Atomic<UInt64>(0)

  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, { BegunWrite.threadEnds($0) }) == 0 ? key : nil
  }()

  /// Whether the end of a thread can be detected. This is necessary to end its write.
  static var isPossible: Bool { key != nil }

  /// The write that the calling thread has begun.
  static var current: BegunWrite? {
    guard let key, let known = pthread_getspecific(key) else { return nil }
    // SAFETY: `init` stored it on this thread, retained; `leave` removes it and releases it.
    return Unmanaged<BegunWrite>.fromOpaque(known).takeUnretainedValue()
  }

  /// Creates the write and makes it the begun write of the calling thread.
  ///
  /// - Parameters:
  ///   - core: the store. The caller has a turn of its queue.
  ///   - held: the transaction.
  ///   - writer: writes to the transaction.
  ///   - visible: the types that the handle declares.
  init(
    _ core: StoreCore,
    _ queue: WriteQueue<WriteWork, WriteReceipt>,
    _ held: ParticipantWrite,
    _ writer: RecordWriter,
    seeing visible: VisibleTypes?
  ) {
    self.core = core
    self.queue = queue
    self.held = held
    self.writer = writer
    scope = WriteTransaction(store: core, writer: writer).seeing(visible)
    entry = WritingThreads.enter(core.name, scope)
    core.active.begin(scope)
    core.begunWrite.store(
      Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue,
      ordering: .sequentiallyConsistent
    )
    guard let key = Self.key else { return }
    let known = Unmanaged.passRetained(self)
    if pthread_setspecific(key, known.toOpaque()) != 0 { known.release() }
  }

  /// Ends the write and discards its changes.
  func cancel() {
    leave()
    undo()
    core.hub.didNotCommit()
    end()
  }

  /// Commits and ends the write.
  ///
  /// - Parameter silent: the observations that are not notified of the write.
  /// - Throws: the first failure of a call that could not throw, and the errors of a commit; ``FiefError`` of
  ///   code `storeFull` if the store must grow. In these cases nothing is committed.
  func commit(silent: Set<ObservationMachine.ID>) throws {
    leave()
    defer { end() }
    var session = CommitSession(core, silent: silent)
    do {
      try scope.finish()
      try session.takeObservations()
      session.prepare(writer)
      if held.needsGrowth || held.hasFailed { throw LMDBError(.mapFull, path: core.directory) }
      session.announce()
      mayAbort = false
      guard try held.commit() else { throw grown }
    } catch {
      let error = undo(error)
      session.failed()
      throw core.described(error)
    }
    session.committed(scope)
  }

  /// Undoes everything.
  ///
  /// - Parameter error: the reason; nil if the caller ended the write.
  /// - Returns: the error to throw.
  @discardableResult
  private func undo(_ error: (any Error)? = nil) -> any Error {
    scope.rollBack()
    guard mayAbort else { return error ?? grown }
    mayAbort = false
    if held.needsGrowth {
      do { try held.abortAndGrow() } catch { return error }
      return grown
    }
    let cause = held.abortReportingFailure()
    if let error, !(error is LMDBError) { return error }
    return cause ?? error ?? grown
  }

  private var grown: FiefError {
    FiefError(
      .storeFull,
      "The store had to grow, but a write from beginWrite() cannot wait for growth. It has grown: repeat the write, or use write { }.",
      store: core.name
    )
  }

  /// Detaches the write from the thread.
  private func leave() {
    core.active.end()
    WritingThreads.leave(entry)
    guard let key = Self.key, pthread_getspecific(key) != nil else { return }
    pthread_setspecific(key, nil)
    Unmanaged.passUnretained(self).release()
  }

  private func end() {
    core.begunWrite.store(0, ordering: .sequentiallyConsistent)
    queue.endTurn()
  }

  /// Called on a thread that ends during its write. At this point the system no longer associates the write
  /// with the thread.
  private static func threadEnds(_ known: UnsafeMutableRawPointer?) {
    guard let known else { return }
    // SAFETY: `init` has retained it for the thread. Nothing is released in a forked child, because the
    // parent continues the write.
    let isOwn = Unmanaged<BegunWrite>.fromOpaque(known)._withUnsafeGuaranteedRef {
      $0.core.environment.isOfThisProcess
    }
    guard isOwn else { return }
    // SAFETY: `init` has retained it for the thread.
    let write = Unmanaged<BegunWrite>.fromOpaque(known).takeRetainedValue()
    defer { write.cancel() }
    write.core.emit(
      .misuse(
        FiefError(
          .transactionEnded,
          "A thread ended inside a write that it began with beginWrite(); the write was discarded.",
          store: write.core.name
        )
      )
    )
  }
}
