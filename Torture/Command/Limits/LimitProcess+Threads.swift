import Fief
import FiefTorture
import Foundation

/// Threads that do not start.
extension LimitProcess {
  func limitThreads() throws {
    try prepare()
    let faults = try ThreadFaults()
    // All fail; each second one starts, and each third.
    for mode in [1, 2, 3] {
      for _ in 0..<(mode == 1 ? 1 : max(2, scale / 2)) {
        say("doing without threads, mode \(mode)")
        // A store that is open has its threads.
        if mode != 3 { stores.repository().close() }
        faults.mode = mode
        _ = useStores([.storage, .cannotOpen])
        try writeAtOnce()
        faults.mode = 0
        stores.verify("after threads failed, mode \(mode)")
      }
    }
    stores.count("threads that did not start", faults.failed)
    if faults.failed == 0 { throw BrokenTest("no thread failed to start") }
    if !useStores([]) { stores.wrong("something fails with threads") }
  }

  /// Saves from many tasks and with many handlers at once.
  private func writeAtOnce() throws {
    say("doing saves at once")
    let ended = CountedCalls()
    let (repository, stores) = (stores.repository(), stores)
    for _ in 0..<20 {
      let (first, second) = (stores.nextID(), stores.nextID())
      Task.detached { await Self.save(first, stores, [.storage], ended) }
      repository.save(entity: LimitedStores.item(second), update: true, isolation: nil) { result in
        stores.attempt("save with a handler", [.storage], saving: [second]) { _ = try result.get() }
        ended.add()
      }
    }
    if !ended.wait(for: 40) { stores.wrong("of 40 saves at once \(ended.value) have ended") }
  }
}

/// What the library `failing_threads` does.
struct ThreadFaults {
  // SAFETY: the library has both integers as long as the process lives, and reads them at any time.
  private let modePlace: UnsafeMutablePointer<Int32>
  private let failedPlace: UnsafeMutablePointer<Int32>

  init() throws {
    guard let mode = dlsym(nil, "torture_thread_faults"), let failed = dlsym(nil, "torture_threads_failed")
    else {
      throw BrokenTest("failing_threads is not loaded")
    }
    modePlace = mode.assumingMemoryBound(to: Int32.self)
    failedPlace = failed.assumingMemoryBound(to: Int32.self)
  }

  var mode: Int {
    get { Int(modePlace.pointee) }
    nonmutating set { modePlace.pointee = Int32(newValue) }
  }
  var failed: Int { Int(failedPlace.pointee) }
}
