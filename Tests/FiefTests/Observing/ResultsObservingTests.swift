import Dispatch
import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// The changes that observers of results get, where, and when.
@Suite(.timeLimit(.minutes(20))) struct ResultsObservingTests {
  @Test func theFirstStateAndThenWhatBecomesOfIt() throws {
    try ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "Rex", age: 4), ObsDog(2, "Ada", age: 9)])
      let heard = ObsHeard()
      let token = repository.dogs.where { $0.age > 3 }.sorted(byKeyPath: "name").observe { heard.note($0) }
      try repository.delivered()
      #expect(heard.calls == ["initial 2"])
      try repository.put([ObsDog(3, "Bo", age: 5), ObsDog(4, "Pup", age: 1)])
      try repository.delivered()
      try repository.change(2) { $0.age = 10 }
      try repository.delivered()
      // Moved: it is taken out and put in.
      try repository.change(1) { $0.name = "Abe" }
      try repository.delivered()
      // Does not fulfil the condition any more.
      try repository.change(3) { $0.age = 2 }
      try repository.delivered()
      try repository.change(4) { $0.name = "Puppy" }
      try repository.delivered()
      #expect(heard.calls == ["initial 2", "-[] +[1] ~[]", "-[] +[] ~[0]", "-[2] +[0] ~[]", "-[2] +[] ~[]"])
      #expect(heard.wrong == [] && heard.names == ["1:Abe:4", "2:Ada:10"])
      token.invalidate()
      try repository.put([ObsDog(9, "Zed", age: 8)])
      try repository.delivered()
      #expect(heard.calls.count == 5)
    }
  }

  @Test func keyPathsSayWhatAModificationIs() throws {
    try ObsRepository.forBoth { repository in
      let rex = ObsDog(1, "Rex", age: 4)
      rex.owner = ObsOwner(1, "Ann")
      try repository.put([rex, ObsDog(2, "Ada")])
      let (byName, byOwner, byTyped) = (ObsHeard(), ObsHeard(), ObsHeard())
      let tokens = [
        repository.dogs.observe(keyPaths: ["name"]) { byName.note($0) },
        repository.dogs.observe(keyPaths: ["owner.name"]) { byOwner.note($0) },
        repository.dogs.observe(keyPaths: [\.age]) { byTyped.note($0) },
      ]
      try repository.delivered()
      try repository.change(1) { $0.age = 5 }
      try repository.delivered()
      try repository.change(2) { $0.name = "Bea" }
      try repository.delivered()
      try repository.write { transaction in
        try #require(try transaction.object(ofType: ObsOwner.self, forPrimaryKey: 1)).name = "Ben"
      }
      try repository.delivered()
      #expect(byName.calls == ["initial 2", "-[] +[] ~[1]"])
      #expect(byOwner.calls == ["initial 2", "-[] +[] ~[0]"])
      #expect(byTyped.calls == ["initial 2", "-[] +[] ~[0]"])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func whatCannotBeObservedIsReported() throws {
    try ObsRepository.forBoth { repository in
      let (path, query, deep) = (ObsHeard(), ObsHeard(), ObsHeard())
      let tokens = [
        repository.dogs.observe(keyPaths: ["nmae"]) { path.note($0) },
        repository.dogs.filter("nope == 3").observe { query.note($0) },
        repository.dogs.observe(keyPaths: ["owner.dogs.owner.dogs.owner.name"]) { deep.note($0) },
      ]
      while path.calls.isEmpty || query.calls.isEmpty || deep.calls.isEmpty { usleep(1_000) }
      #expect(path.calls == ["\(FiefError.Code.unknownProperty as FiefError.Code? as Any)"])
      #expect(query.calls == ["\(FiefError.Code.unknownProperty as FiefError.Code? as Any)"])
      #expect(deep.calls == ["\(FiefError.Code.invalidQuery as FiefError.Code? as Any)"])
      try repository.put([ObsDog(1)])
      try repository.delivered()
      #expect(path.calls.count == 1)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func deliveryIsWhereTheCallerWants() async throws {
    try await ObsRepository.forBoth { repository in
      let queue = DispatchQueue(label: "mine")
      let key = DispatchSpecificKey<Bool>()
      queue.setSpecific(key: key, value: true)
      let places = Lock<[String]>([])
      let counter = Counter()
      let (executor, others) = (CountingExecutor(), CountingExecutor())
      try repository.put([ObsDog(7)])
      let dog = try #require(repository.object(ofType: ObsDog.self, forPrimaryKey: 7))
      let tokens = [
        dog.labels.observe(on: others) { _ in places.withLock { $0.append("map") } },
        try repository.observe(on: others) { _ in places.withLock { $0.append("repository") } },
        repository.dogs.observe(on: queue) { _ in
          places.withLock { $0.append("queue \(DispatchQueue.getSpecific(key: key) == true)") }
        },
        repository.dogs.observe(on: counter) { counter, _ in counter.count += 1 },
        repository.dogs.observe(on: MainActor.shared) { _, _ in
          MainActor.assertIsolated()
          places.withLock { $0.append("main") }
        },
        repository.dogs.observe(on: executor) { _ in places.withLock { $0.append("executor") } },
      ]
      try repository.put([ObsDog(1)])
      while await counter.count == 0 || places.withLock({ Set($0).count }) < 5 {
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(Set(places.withLock { $0 }) == ["queue true", "main", "executor", "map", "repository"])
      #expect(executor.count > 0 && others.count > 1)
      withExtendedLifetime(tokens) {}
    }
  }

  /// One transfer after another: whatever a handler sees has the same sum, its indexes lead to just what it sees, and
  /// the last state is seen, however slow it is.
  @Test(arguments: [0, 300, 3_000]) func slowListenersSeeCommittedStatesOnly(delay: UInt32) throws {
    try ObsRepository.forBoth { repository in
      try repository.put((0..<50).map { ObsDog($0, "n", age: 100) })
      let (heard, sums, writes) = (ObsHeard(), Lock<[Int]>([]), Lock(0))
      let steps = TestEffort.count(25, more: 400)
      defer { writes.withLock { $0 = steps } }
      let token = repository.dogs.sorted(byKeyPath: "age").observe { change in
        usleep(delay)
        // The slowest one is slower than the writes, however long they take.
        let begun = writes.withLock { $0 }
        while delay == 3_000, writes.withLock({ $0 }) < min(begun + 2, steps) { usleep(100) }
        heard.note(change)
        switch change {
        case .initial(let dogs), .update(let dogs, _, _, _):
          sums.withLock { $0.append(dogs.sum(of: \.age)) }
        case .error(let error): Issue.record(error)
        }
      }
      var random = StressRandom(seed: UInt64(delay))
      for step in 0..<steps {
        try repository.write { transaction in
          let all = Array(transaction.objects(ObsDog.self))
          let (from, to) = (all[random.next(all.count)], all[random.next(all.count)])
          from.age -= 7
          to.age += 7
          if step % 5 == 0 {
            // A new one with what another one had.
            let gone = all[random.next(all.count)]
            try transaction.create(ObsDog.self, value: ["id": 1_000 + step, "age": gone.age])
            try transaction.delete(gone)
          }
        }
        writes.withLock { $0 += 1 }
      }
      try repository.delivered()
      #expect(heard.wrong == [])
      #expect(Set(sums.withLock { $0 }) == [5_000])
      #expect(heard.names == repository.dogs.sorted(byKeyPath: "age").map { "\($0.id):\($0.name):\($0.age)" })
      if delay == 3_000 { #expect(heard.calls.count < steps, "what comes meanwhile comes together") }
      token.invalidate()
    }
  }

  @Test func aStuckListenerHoldsNobodyUp() throws {
    try ObsRepository.forBoth { repository in
      let gate = DispatchSemaphore(value: 0)
      let (stuck, other) = (ObsHeard(), ObsHeard())
      let first = repository.dogs.observe { change in
        if stuck.calls.isEmpty { gate.wait() }
        stuck.note(change)
      }
      let second = repository.dogs.observe { other.note($0) }
      for id in 0..<200 { try repository.put([ObsDog(id)]) }
      while other.names.count < 200 { usleep(1_000) }
      #expect(stuck.calls == [])
      gate.signal()
      try repository.delivered()
      #expect(stuck.names.count == 200 && stuck.calls.count == 2 && stuck.wrong == [])
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test func aHandlerMayWriteAndEndItself() throws {
    try ObsRepository.forBoth { repository in
      let heard = ObsHeard()
      let token = Lock<NotificationToken?>(nil)
      let observed = repository.dogs.observe { change in
        heard.note(change)
        let count = heard.names.count
        do { try repository.put([ObsDog(100 + count)]) } catch { Issue.record(error) }
        if count == 5 { token.withLock { $0?.invalidate() } }
      }
      token.withLock { $0 = observed }
      try repository.delivered()
      while heard.names.count < 5 { usleep(1_000) }
      try repository.delivered()
      #expect(heard.names.count == 5 && heard.wrong == [])
      #expect(try repository.count(ObsDog.self) == 6)
    }
  }

  @Test func writesOfTheListenerItselfAreLeftOut() async throws {
    try await ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "a"), ObsDog(2, "b"), ObsDog(3, "c")])
      let (own, other) = (ObsHeard(), ObsHeard())
      let token = repository.dogs.sorted(byKeyPath: "name").observe { own.note($0) }
      let second = repository.dogs.sorted(byKeyPath: "name").observe { other.note($0) }
      try repository.delivered()
      // The observer shows its own write at once, as a screen does.
      own.state.withLock { $0.names = ["1:a:0", "3:c:0", "4:d:7"] }
      try repository.writeNow(silent: [token]) { transaction in
        try transaction.delete(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 2)))
        try transaction.add(ObsDog(4, "d", age: 7))
      }
      try repository.delivered()
      #expect(own.calls == ["initial 3"] && other.calls == ["initial 3", "-[1] +[2] ~[]"])
      try repository.put([ObsDog(5, "b2")])
      try repository.delivered()
      #expect(own.calls == ["initial 3", "-[] +[1] ~[]"])
      // The write is on the queue, together with the writes of others.
      own.state.withLock { $0.names.removeAll { $0.hasPrefix("1:") } }
      try repository.store().pauseWrites()
      async let silent: Void = repository.write(withoutNotifying: [token]) { transaction in
        try transaction.delete(try #require(try transaction.object(ofType: ObsDog.self, forPrimaryKey: 1)))
      }
      async let loud: Void = repository.write { try $0.add(ObsDog(6, "e")) }
      while try repository.store().writeQueueStatistics().pending < 2 { await Task.yield() }
      try repository.store().resumeWrites()
      _ = try await (silent, loud)
      try repository.delivered()
      #expect(own.calls == ["initial 3", "-[] +[1] ~[]", "-[] +[3] ~[]"])
      #expect(own.wrong == [] && other.wrong == [])
      #expect(own.names == other.names)
      withExtendedLifetime((token, second)) {}
    }
  }

  @Test func loopsOverChangesEndWithTheirTaskAndTheStore() async throws {
    try await ObsRepository.forBoth { repository in
      let results = repository.dogs.sorted(byKeyPath: "id")
      let heard = ObsHeard()
      let loop = Task {
        for try await change in results.changes() {
          heard.note(change)
          if heard.names.count == 30 { break }
        }
      }
      // The results in the loop's body are the newest ones, so that nothing is written meanwhile.
      try await until { !heard.calls.isEmpty }
      for id in 0..<30 {
        try repository.put([ObsDog(id)])
        try await until { heard.names.count == id + 1 }
      }
      try await loop.value
      #expect(heard.wrong == [] && heard.names.count == 30)
      let (isCancelledBegun, isClosedBegun) = (Lock(false), Lock(false))
      let cancelled = Task {
        for try await _ in results.changes() { isCancelledBegun.withLock { $0 = true } }
        return true
      }
      try await until { isCancelledBegun.withLock { $0 } }
      cancelled.cancel()
      #expect(try await cancelled.value)
      let closed = Task {
        for try await _ in results.changes() { isClosedBegun.withLock { $0 = true } }
        return true
      }
      try await until { isClosedBegun.withLock { $0 } }
      repository.close()
      #expect(try await closed.value)
      await #expect(throws: FiefError.self) { for try await _ in results.changes() {} }
      await #expect(throws: FiefError.self) { for try await _ in results.filter("nope == 1").changes() {} }
    }
  }

  /// Observations that a commit does not concern are not evaluated.
  @Test func onlyThoseWhomACommitConcernsAreLookedAt() throws {
    try ObsRepository.forBoth { repository in
      try repository.put([ObsDog(1, "Rex")])
      let tokens = (0..<500).map { _ in repository.store().objects(ObsOwner.self).observe { _ in } }
      let heard = ObsHeard()
      let token = repository.dogs.observe { heard.note($0) }
      try repository.delivered()
      let before = try repository.store().core().hub.evaluations
      for number in 0..<10 {
        try repository.change(1) { $0.age = number + 1 }
        try repository.delivered()
      }
      let looks = try repository.store().core().hub.evaluations - before
      #expect((1...20).contains(looks), "\(looks)")
      #expect(heard.calls.count == 11)
      withExtendedLifetime((tokens, token)) {}
    }
  }

  @Test func anObservationEndsWithItsToken() throws {
    try ObsRepository.forBoth { repository in
      for round in 0..<50 {
        let tokens = (0..<5).map { _ in repository.dogs.observe { _ in } }
        try repository.put([ObsDog(round)])
        try repository.delivered()
        tokens.forEach { $0.invalidate() }
      }
      #expect(!(try repository.store().core().hub.isActive))
    }
  }
}

private actor Counter { var count = 0 }

/// A task executor that counts its jobs.
private final class CountingExecutor: TaskExecutor, Sendable {
  private let jobs = Lock(0)

  var count: Int { jobs.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.withLock { $0 += 1 }
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
