import Dispatch
import Fief
import FiefStress
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// The ends of observations: where tokens and loops may end, and what is left of them.
@Suite(.timeLimit(.minutes(20))) struct ObservationEndTests {
  /// Says when it is gone, and does something then.
  private final class Witness: Sendable {
    private let onEnd: @Sendable () -> Void
    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  @Test func aTokenThatHasEndedKeepsNothing() async throws {
    try await ObsRepository.forBoth { repository in
      let isGone = Lock(false)
      let token = {
        let witness = Witness { isGone.withLock { $0 = true } }
        return repository.dogs.observe { _ in withExtendedLifetime(witness) {} }
      }()
      try repository.delivered()
      token.invalidate()
      // A token that is kept, as applications do, does not keep the handler.
      try await until { isGone.withLock { $0 } }
      withExtendedLifetime(token) {}
    }
  }

  /// The next observation waits for no commit that was going on when the last one ended.
  @Test func anObservationThatEndsDuringACommitHoldsUpNoLaterOne() async throws {
    try await ObsRepository.forBoth { repository in
      let token = Lock<NotificationToken?>(repository.dogs.observe { _ in })
      try repository.delivered()
      let handler = try repository.store().onCommit { _ in token.withLock { $0?.invalidate() } }
      try repository.put([ObsDog(1, "Rex")])
      handler.invalidate()
      let isBegun = Lock(false)
      let next = repository.dogs.observe { _ in isBegun.withLock { $0 = true } }
      try await until { isBegun.withLock { $0 } }
      next.invalidate()
    }
  }

  /// The pending changes of a loop that has ended keep neither themselves nor the store.
  @Test func aLoopThatIsLeftKeepsNothing() async throws {
    try await ObsRepository.forBoth { repository in
      let hub = try repository.store().core().hub
      for way in ["break", "cancelled", "dropped"] {
        weak var observation: StoreObservation?
        let results = repository.dogs
        var iterator: ChangeSequence<RealmCollectionChange<Results<ObsDog>>>.Iterator? =
          results.changes().makeAsyncIterator()
        _ = try await iterator?.next()
        observation = hub.state.withLock { $0.observations.values.first }
        #expect(observation != nil)
        try repository.put([ObsDog(1, way)])
        // The observation has a delivery that is never asked for.
        let id = try #require(observation?.id)
        try await until { hub.state.withLock { $0.machine.observations[id]?.phase == .scheduled } }
        switch way {
        case "cancelled":
          let task = Task { [box = UncheckedBox(iterator)] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await box.value?.next() == nil
          }
          #expect(try await task.value)
        default: break
        }
        iterator = nil
        try await until { observation == nil && !hub.isActive }
      }
      // One that was never begun leaves nothing either.
      _ = repository.dogs.changes().makeAsyncIterator()
      #expect(!hub.isActive)
    }
  }

  @Test func aLoopOverWhatIsNotThereThrows() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1), ObsDog(2)])
      let gone = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 1)).changes()
      let other = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 2)).changes(keyPaths: [
        "nope"
      ])
      let free = ObsDog(7).changes()
      try repository.writeNow(silent: []) { try $0.deleteAll(ObsDog.self) }
      for (sequence, expected) in [
        (gone, FiefError.Code.objectNotFound), (other, .unknownProperty), (free, .objectNotFound),
      ] {
        do {
          for try await change in sequence { Issue.record("\(change)") }
          Issue.record("the loop ended without \(expected)")
        } catch { #expect(code(error) == expected) }
      }
    }
  }

  @Test func twoLoopsOverOneSequenceAreTwoObservations() async throws {
    try await ObsRepository.forBoth { repository in
      let sequence = repository.dogs.changes()
      let (one, two) = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
      let (first, second) = (ObsHeard(), ObsHeard())
      first.note(try #require(try await one.next()))
      try repository.put([ObsDog(1)])
      second.note(try #require(try await two.next()))
      first.note(try #require(try await one.next()))
      try repository.put([ObsDog(2)])
      second.note(try #require(try await two.next()))
      first.note(try #require(try await one.next()))
      #expect(first.calls == ["initial 0", "-[] +[0] ~[]", "-[] +[1] ~[]"])
      #expect(second.calls == ["initial 1", "-[] +[1] ~[]"])
    }
  }

  /// A handler that ends its own token reads no longer: a write that needs a larger map does not wait for it.
  @Test(arguments: [false, true]) func aHandlerThatHasEndedItselfMayWriteAlot(isJoint: Bool) async throws {
    var options = StoreOptions()
    options.initialMapSize = 256 << 10
    options.reservedBytes = 0
    let size = TestEffort.count(1 << 19, more: 2 << 20)
    let directory = try TemporaryDirectory()
    for kind in StoreKind.allCases {
      let joint = StressJoint(
        ["first", "second"].map {
          StressJointRepository("\(kind)-\($0)", kind, in: directory, options: options)
        }
      )
      try joint.fill()
      let repository = joint.repositories[0]
      let (token, result) = (Lock<NotificationToken?>(nil), Lock<Result<Void, any Error>?>(nil))
      let isReady = DispatchSemaphore(value: 0)
      let observed = repository.store().objects(StressAccount.self).observe { _ in
        isReady.wait()
        token.withLock { $0 }?.invalidate()
        let outcome = Result {
          if isJoint {
            try joint.transfer(1, size: size)
          } else {
            try repository.writeNow {
              try $0.create(StressTransfer.self, value: ["text": String(repeating: "x", count: size)])
            }
          }
        }
        result.withLock { $0 = outcome }
      }
      token.withLock { $0 = observed }
      isReady.signal()
      try await until { result.withLock { $0 } != nil }
      try result.withLock { $0 }?.get()
      for repository in joint.repositories { repository.closeChecked() }
    }
  }

  /// A handler that waits for its turn does not read meanwhile: the write that has the turn may need a larger map.
  @Test func aHandlerThatWritesToSeveralStoresWaitsWithoutReading() async throws {
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.initialMapSize = 256 << 10
    options.reservedBytes = 0
    let joint = StressJoint(
      ["first", "second"].map { name in
        var repository = StressJointRepository(name, directory: directory.path)
        repository.storeOptions = options
        return repository
      }
    )
    try joint.fill()
    let repository = joint.repositories[0]
    let (inHandler, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let result = Lock<Result<Void, any Error>?>(nil)
    let token = repository.store().objects(StressAccount.self).observe { change in
      guard case .initial = change else { return }
      inHandler.signal()
      mayGoOn.wait()
      let outcome = Result { try joint.transfer(1) }
      result.withLock { $0 = outcome }
    }
    try await onThread { inHandler.wait() }
    try await onThread {
      try repository.writeNow { transaction in
        mayGoOn.signal()
        usleep(50_000)
        try transaction.create(StressTransfer.self, value: ["text": String(repeating: "x", count: 2 << 20)])
      }
    }
    try await until { result.withLock { $0 } != nil }
    try result.withLock { $0 }?.get()
    token.invalidate()
    for repository in joint.repositories { repository.closeChecked() }
  }

  /// Tokens that end in handlers, in the `deinit` of what handlers have, and on other threads meanwhile.
  @Test func tokensEndAnywhere() throws {
    try ObsRepository.forBoth { repository in
      let stop = Lock(false)
      let writer = Background {
        var round = 0
        while !stop.withLock({ $0 }) {
          try repository.put([ObsDog(round % 10, "n\(round)")])
          round += 1
          usleep(100)
        }
      }
      let late = Lock(0)
      for round in 0..<TestEffort.count(30, more: 120) {
        let (isOver, holder) = (Lock(false), Lock<NotificationToken?>(nil))
        let queue = DispatchQueue(label: "tokens")
        let second = Lock<NotificationToken?>(repository.dogs.observe { _ in })
        // Another token ends with the release of the handler, and another observation begins there.
        let witness = Witness {
          second.withLock { $0 = nil }
          repository.dogs.observe { _ in }.invalidate()
        }
        let token = repository.dogs.observe(on: queue) { _ in
          if isOver.withLock({ $0 }) { late.withLock { $0 += 1 } }
          withExtendedLifetime(witness) {}
          guard round % 3 == 0 else { return }
          holder.withLock { $0 }?.invalidate()
          if holder.withLock({ $0 }) != nil { isOver.withLock { $0 = true } }
        }
        holder.withLock { $0 = token }
        if round % 2 == 0 { usleep(500) }
        queue.sync {
          token.invalidate()
          isOver.withLock { $0 = true }
        }
      }
      stop.withLock { $0 = true }
      try writer.wait()
      #expect(late.withLock { $0 } == 0)
      while (try? repository.store().core().hub.isActive) ?? false { usleep(1_000) }
    }
  }

  /// Closing while handlers run everywhere, and opening again.
  @Test func storesCloseWhileTheyDeliver() async throws {
    try await ObsRepository.forBoth { repository in
      let isStored = repository.directory != nil
      for round in 0..<40 {
        let counter = Calls()
        let heard = ObsHeard()
        var tokens = (0..<8).map { _ in
          repository.dogs.observe {
            heard.state.withLock { _ = $0 }; _ = $0
          }
        }
        tokens += (0..<4).map { _ in repository.dogs.observe(on: counter) { counter, _ in counter.count += 1 }
        }
        tokens.append(repository.dogs.observe { _ in if round % 4 == 0 { repository.close() } })
        let loop = Task.detached { for try await _ in repository.dogs.changes() {} }
        for id in 0..<5 {
          // The store may be closed at any time.
          do { try repository.put([ObsDog(round * 5 + id)]) } catch { #expect(code(error) == .storeClosed) }
        }
        repository.close()
        loop.cancel()
        do { try await loop.value } catch { #expect(code(error) == .storeClosed) }
        withExtendedLifetime(tokens) {}
      }
      if isStored { #expect(repository.dogs.count >= 40) }
    }
  }

  /// An observation that begins while others write sees a committed state, and then all later changes.
  @Test func manyComeAndGoWhileOthersWrite() throws {
    try ObsRepository.forBoth { repository in
      try repository.put((0..<20).map { ObsDog($0, "n", age: 100) })
      let (stop, wrong) = (Lock(false), Lock<[String]>([]))
      let writer = Background {
        var random = StressRandom(seed: 1)
        while !stop.withLock({ $0 }) {
          try repository.write { transaction in
            let all = Array(transaction.objects(ObsDog.self))
            let (from, to, gone) = (all[random.next(20)], all[random.next(20)], all[random.next(20)])
            from.age -= 3
            to.age += 3
            try transaction.create(ObsDog.self, value: ["id": 1_000 + random.next(1 << 40), "age": gone.age])
            try transaction.delete(gone)
          }
          usleep(100)
        }
      }
      let listeners = (0..<4).map { task in
        Background {
          for round in 0..<TestEffort.count(20, more: 60) {
            let heard = ObsHeard()
            let token = repository.dogs.sorted(byKeyPath: "age").observe { change in
              heard.note(change)
              switch change {
              case .initial(let dogs), .update(let dogs, _, _, _):
                let sum = dogs.sum(of: \.age)
                if sum != 2_000 || dogs.count != 20 {
                  wrong.withLock { $0.append("\(sum) of \(dogs.count)") }
                }
              case .error(let error): wrong.withLock { $0.append("\(error)") }
              }
            }
            let calls = 1 + (round + task) % 3
            while heard.calls.count < calls { usleep(200) }
            token.invalidate()
            wrong.withLock { $0 += heard.wrong }
          }
        }
      }
      for listener in listeners { try listener.wait() }
      stop.withLock { $0 = true }
      try writer.wait()
      #expect(wrong.withLock { $0 } == [])
    }
  }

  /// The number of a commit in memory does not show that there was an unpublished one.
  @Test(arguments: StoreKind.allCases) func whatAnInterruptedWriteLeftIsHeardOf(_ kind: StoreKind)
    async throws
  {
    let directory = try TemporaryDirectory()
    let joint = StressJoint(
      StressJoint.names.map { StressJointRepository($0, kind, in: directory) }
    )
    try joint.fill()
    let heard = joint.repositories.map { _ in HeardAccounts() }
    let tokens = zip(joint.repositories, heard).map { repository, heard in
      repository.store().objects(StressAccount.self).sorted(byKeyPath: "id").observe { heard.note($0) }
    }
    for repository in joint.repositories { try repository.store().waitUntilDelivered() }
    struct StepFailed: Error {}
    let failing: @Sendable (String) throws -> Void = { step in
      if step == "commit(1)" || step.hasPrefix("replay") { throw StepFailed() }
    }
    JointSteps.$observer.withValue(failing) {
      let error = #expect(throws: FiefError.self) { try joint.transfer(1) }
      #expect(error?.code == .unfinishedWrite)
    }
    // The write changes another type than the observed one.
    for repository in joint.repositories {
      try repository.writeNow { try $0.create(StressTransfer.self, value: ["round": 9]) }
      try repository.store().waitUntilDelivered()
    }
    for (repository, heard) in zip(joint.repositories, heard) {
      let accounts = repository.store().objects(StressAccount.self).sorted(byKeyPath: "id")
      #expect(heard.contents == HeardAccounts.contents(of: accounts) && heard.wrong == [])
      #expect(heard.contents.first == "0:1")
    }
    withExtendedLifetime(tokens) {}
    joint.close()
  }
}

private actor Calls { var count = 0 }

/// A value that is used by one task at a time.
private struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
