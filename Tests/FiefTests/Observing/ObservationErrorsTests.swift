import Dispatch
import Fief
import Foundation
import Testing

@testable import FiefCore
@testable import FiefObserving

/// Notifications of observers of a store that cannot be read.
@Suite(.timeLimit(.minutes(20))) struct ObservationErrorsTests {
  @Test func closedStoresAreAnErrorOnce() throws {
    try ObsRepository.forBoth { repository in
      let dog = ObsDog(1)
      try repository.put([dog])
      let managed = try #require(repository.store().object(ofType: ObsDog.self, forPrimaryKey: 1))
      let dogs = repository.dogs
      repository.close()
      let queue = DispatchQueue(label: "errors")
      let codes = Lock<[FiefError.Code?]>([])
      let tokens = [
        managed.observe(on: queue) { change in
          guard case .error(let error) = change else { return codes.withLock { $0.append(nil) } }
          codes.withLock { $0.append((error as? FiefError)?.code) }
        },
        dogs.observe(on: queue) { change in
          guard case .error(let error) = change else { return codes.withLock { $0.append(nil) } }
          codes.withLock { $0.append((error as? FiefError)?.code) }
        },
      ]
      while codes.withLock({ $0.count }) < 2 { usleep(1_000) }
      queue.sync {}
      #expect(codes.withLock { $0 } == [.storeClosed, .storeClosed])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func endedTokensHearOfNoError() throws {
    try ObsRepository.forBoth { repository in
      let queue = DispatchQueue(label: "held")
      queue.suspend()
      let calls = Lock(0)
      let token = repository.dogs.observe(keyPaths: ["nope"], on: queue) { _ in calls.withLock { $0 += 1 } }
      // The error has been sent to the queue.
      try repository.delivered()
      token.invalidate()
      queue.resume()
      queue.sync {}
      #expect(calls.withLock { $0 } == 0)
    }
  }

  @Test func takenReadersAreWaitedFor() throws {
    let directory = try TemporaryDirectory()
    var repository = ObsRepository(realmMemoryType: .inStorage, directory: directory.path)
    repository.storeOptions.maximumReaders = 4
    try repository.put([ObsDog(1)])
    let (heard, calledBack) = (ObsHeard(), ObsHeard())
    let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let held = DispatchQueue(label: "held")
    let tokens = [
      repository.dogs.observe { heard.note($0) },
      repository.dogs.observe(on: held) { calledBack.note($0) },
    ]
    try repository.delivered()
    held.suspend()
    try repository.put([ObsDog(2)])
    while heard.calls.count < 2 { usleep(1_000) }
    let reader = repository
    for _ in 0..<4 {
      Thread.detachNewThread {
        do {
          try reader.read { _ in
            entered.signal()
            gate.wait()
          }
        } catch {
          Issue.record(error)
          entered.signal()
        }
      }
    }
    for _ in 0..<4 { entered.wait() }
    // One has to be evaluated, the other one to be delivered.
    try repository.put([ObsDog(3)])
    held.resume()
    usleep(100_000)
    #expect(heard.calls == ["initial 1", "-[] +[1] ~[]"] && calledBack.calls == ["initial 1"])
    for _ in 0..<4 { gate.signal() }
    try repository.delivered()
    #expect(heard.calls == ["initial 1", "-[] +[1] ~[]", "-[] +[2] ~[]"])
    #expect(calledBack.calls == ["initial 1", "-[] +[1, 2] ~[]"])
    withExtendedLifetime(tokens) {}
    repository.closeChecked()
  }
}
