import Synchronization

/// The readers of one environment in this process, and the gate before them.
///
/// A reader claims a slot and then reads the gate. A thread that closes the gate sets it and then reads the
/// slots. Both use sequentially consistent order, so at least one of them sees the other, and neither takes a
/// lock. The map may move only while the gate is closed and every slot is free.
final class ReaderPool: @unchecked Sendable {
  // SAFETY: `slots` is allocated for the pool's life. The plain fields of a slot belong to the thread whose
  // claim of `busy` succeeded, or, while the gate is closed and all slots are free, to the thread that closed
  // it.

  /// The reasons why readers cannot begin. Several can apply at the same time. The gate is open if none
  /// applies.
  enum Gate {
    static let closed: UInt32 = 1
    static let poisoned: UInt32 = 2
    static let ended: UInt32 = 4
  }

  struct Slot: ~Copyable {
    let busy = Atomic<UInt32>(0)
    let owner = Atomic<UInt>(0)
    /// A reset LMDB transaction, kept with its slot in the reader table.
    var handle: OpaquePointer?
    /// A Swift object without other references, for the next reader.
    var spare: ReadTransaction?
    /// The commit of the last reader with a note; see `ReaderPool.note`. These fields also keep neighbouring
    /// slots in separate cache lines.
    let snapshot = Atomic<UInt64>(0)
    /// The address of a static string.
    let origin = Atomic<UInt>(0)
    let begun = Atomic<Int64>(0)
    let line = Atomic<UInt32>(0)
    var padding: UInt32 = 0
  }

  let slots: UnsafeMutablePointer<Slot>
  let capacity: Int
  /// The number of slots that keep their LMDB transaction when a reader ends: the slots with smaller indexes.
  let pooled: Int
  private let gate = Atomic<UInt32>(0)
  /// The number of readers that passed a closed gate because their thread was already reading.
  private let passes = Atomic<UInt32>(0)
  private let monitor = Monitor()

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    pooled = min(self.capacity, 64)
    slots = .allocate(capacity: self.capacity)
    for index in 0..<self.capacity { (slots + index).initialize(to: Slot()) }
  }

  deinit {
    slots.deinitialize(count: capacity)
    slots.deallocate()
  }

  var gateState: UInt32 { gate.load(ordering: .sequentiallyConsistent) }

  /// Claims a slot for a reader of the calling thread, and waits while the gate is closed.
  @inline(__always)
  func claim() throws(LMDBError) -> Int {
    let thread = currentThread()
    let index = takeSlot(thread)
    if index >= 0, gate.load(ordering: .sequentiallyConsistent) == 0 { return index }
    return try claimSlowly(index, thread)
  }

  @inline(__always)
  func takeSlot(_ thread: UInt) -> Int {
    let start = Int(truncatingIfNeeded: (thread &* 0x9E37_79B9_7F4A_7C15) >> 40) % pooled
    if tryTake(start, thread) { return start }
    for index in 0..<capacity where tryTake(index, thread) { return index }
    return -1
  }

  @inline(__always)
  private func tryTake(_ index: Int, _ thread: UInt) -> Bool {
    guard slots[index].busy.load(ordering: .relaxed) == 0,
      slots[index].busy.compareExchange(
        expected: 0,
        desired: 1,
        ordering: .sequentiallyConsistent
      ).exchanged
    else { return false }
    slots[index].owner.store(thread, ordering: .relaxed)
    return true
  }

  @inline(never)
  private func claimSlowly(_ taken: Int, _ thread: UInt) throws(LMDBError) -> Int {
    var index = taken
    while true {
      let state = gateState
      if index >= 0, state == 0 { return index }
      if index >= 0 {
        // A thread that is already reading must not wait for itself. The closer waits for the thread's first
        // reader anyway, and uses the count of such reads to notice the second one.
        if mayPass(state), isReading(thread, besides: index) {
          passes.wrappingAdd(1, ordering: .sequentiallyConsistent)
          if mayPass(gateState) { return index }
          release(index)
          index = takeSlot(thread)
          continue
        }
        release(index)
      }
      if state & Gate.ended != 0 { throw LMDBError(.environmentClosed) }
      if state & Gate.closed != 0 {
        monitor.lock()
        if gateState & Gate.closed != 0 { monitor.wait(nanoseconds: 1_000_000) }
        monitor.unlock()
      } else if state & Gate.poisoned != 0 {
        throw LMDBError(.poisoned)
      } else if index < 0 {
        throw LMDBError(.readersFull)
      }
      index = takeSlot(thread)
    }
  }

  private func mayPass(_ state: UInt32) -> Bool {
    state & Gate.closed != 0 && state & Gate.ended == 0
  }

  /// Releases a slot, without waking a thread that waits at the gate.
  @inline(__always)
  func release(_ index: Int) {
    slots[index].owner.store(0, ordering: .relaxed)
    slots[index].busy.store(0, ordering: .sequentiallyConsistent)
  }

  /// Whether the gate is not open.
  ///
  /// Uses the same memory order as ``release(_:)``: either the last reader or the thread that shuts the gate
  /// must see the other, or a deferred close would never take effect.
  @inline(__always)
  var isGateShut: Bool { gate.load(ordering: .sequentiallyConsistent) != 0 }

  func isReading(_ thread: UInt, besides except: Int = -1) -> Bool {
    for index in 0..<capacity where index != except {
      if slots[index].busy.load(ordering: .sequentiallyConsistent) == 1,
        slots[index].owner.load(ordering: .relaxed) == thread
      {
        return true
      }
    }
    return false
  }

  var activeCount: Int {
    (0..<capacity).reduce(0) { $0 + Int(slots[$1].busy.load(ordering: .relaxed)) }
  }

  var isIdle: Bool {
    let before = passes.load(ordering: .sequentiallyConsistent)
    for index in 0..<capacity where slots[index].busy.load(ordering: .sequentiallyConsistent) != 0 {
      return false
    }
    return before == passes.load(ordering: .sequentiallyConsistent)
  }

  /// Adds a reason why readers cannot begin.
  func shut(_ reason: UInt32) {
    gate.bitwiseOr(reason, ordering: .sequentiallyConsistent)
    wakeAll()
  }

  /// Removes a reason. Readers begin when no reason is left.
  func reopen(_ reason: UInt32) {
    gate.bitwiseAnd(~reason, ordering: .sequentiallyConsistent)
    wakeAll()
  }

  func wakeAll() {
    monitor.lock()
    monitor.broadcast()
    monitor.unlock()
  }

  /// Waits until no reader is active. The gate must be shut. `nil` waits without limit.
  func waitUntilIdle(timeout: Duration?) -> Bool {
    let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
    while !isIdle {
      if let deadline, ContinuousClock.now >= deadline { return false }
      monitor.lock()
      // The time limit covers a reader that ended without seeing the gate.
      if !isIdle { monitor.wait(nanoseconds: 1_000_000) }
      monitor.unlock()
    }
    return true
  }

  /// Empties every slot. The gate must be shut, and no reader active.
  func removeAll(_ end: (OpaquePointer) -> Void) {
    for index in 0..<capacity {
      if let handle = slots[index].handle { end(handle) }
      slots[index].handle = nil
      slots[index].spare = nil
    }
  }
}
