import Fief
import FiefStress
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// Asynchronous writes to several stores that wait for their turn.
@Suite(.timeLimit(.minutes(30))) struct JointWaitingTests {
  /// The number of threads of the process, or nil if the system does not say.
  static var threads: Int? { try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }

  @Test(arguments: StoreKind.allCases) func theyHaveNoThreadsAndCanBeCancelled(_ kind: StoreKind) async throws
  {
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.durability = .relaxed
    let joint = StressJoint(
      StressJoint.names.map { StressJointRepository($0, kind, in: directory, options: options) }
    )
    defer { joint.close() }
    try joint.fill()
    let (count, kept) = (1_000, 20)
    let isHeld = Lock(false)
    let end = DispatchSemaphore(value: 0)
    let holder = Task.detached {
      try await joint.repositories[0].write { (_: WriteTransaction) in
        isHeld.withLock { $0 = true }
        end.wait()
        end.signal()
      }
    }
    await waitUntil { isHeld.withLock { $0 } }
    let (begun, cancelled) = (Counted(), Counted())
    let tasks = (0..<count).map { number in
      Task {
        begun.add()
        do {
          try await joint.manager.write(to: joint.repositories) {
            try joint.move(in: $0, number * 3, size: 10)
          }
        } catch let error as FiefError where error.code == .cancelled {
          cancelled.add()
        }
      }
    }
    await waitUntil { begun.count == count }
    let threads = Self.threads
    // One of them may have the thread already that waits for the store.
    if threads.map({ $0 < count / 2 }) != false {
      await waitUntil { BackgroundThreads.shared.waiting >= count - 1 }
      for task in tasks.dropFirst(kept) { task.cancel() }
      await waitUntil { cancelled.count >= count - kept - 1 }
    } else {
      Issue.record("there are \(threads ?? 0) threads")
    }
    end.signal()
    try await holder.value
    for task in tasks { try await task.value }
    #expect(cancelled.count == count - kept)
    #expect(try joint.problems() == [])
    #expect(try joint.rounds(joint.repositories[0]) == kept)
  }

  /// Writes to other stores do not wait for them.
  @Test func otherStoresDoNotWait() async throws {
    let directory = try TemporaryDirectory()
    let joint = StressJoint(directory: directory.path)
    let other = StressJoint(directory: directory.path + "/other")
    defer {
      joint.close()
      other.close()
    }
    try joint.fill()
    try other.fill()
    let isHeld = Lock(false)
    let end = DispatchSemaphore(value: 0)
    let holder = Task.detached {
      try await joint.manager.write(to: joint.repositories) { write in
        isHeld.withLock { $0 = true }
        end.wait()
        end.signal()
        try joint.move(in: write, 0, size: 10)
      }
    }
    await waitUntil { isHeld.withLock { $0 } }
    let waiting = Task {
      try await joint.manager.write(to: joint.repositories) { try joint.move(in: $0, 3, size: 10) }
    }
    try await other.manager.write(to: other.repositories) { try other.move(in: $0, 0, size: 10) }
    #expect(try other.rounds(other.repositories[0]) == 1)
    #expect(try joint.rounds(joint.repositories[0]) == 0)
    end.signal()
    try await holder.value
    try await waiting.value
    #expect(try joint.problems() == [] && other.problems() == [])
  }
}
