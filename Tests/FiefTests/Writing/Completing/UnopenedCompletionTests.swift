import Dispatch
import Fief
import Foundation
import Testing

@testable import FiefCore

/// Completion handlers of calls to stores that cannot be opened.
@Suite(.timeLimit(.minutes(20)))
struct UnopenedCompletionTests {
  private let outcomes = Lock<[String]>([])

  private func repository(_ name: String) -> WriteRepository {
    var repository = WriteRepository.inMemory()
    repository.schemaName = name
    repository.storeOptions.eventOutput = .silent
    return repository
  }

  private func code(_ outcome: Result<Bool, any Error>) -> String {
    guard case .failure(let error) = outcome else { return "saved" }
    return (error as? FiefError)?.code.rawValue ?? "\(error)"
  }

  @Test func aHandlerThatBlocksHoldsUpNoOtherStore() async throws {
    let (entered, blocker) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    repository("a/b").save(entity: WriteBook("1"), update: false) { _ in
      entered.signal()
      blocker.wait()
    }
    try await onThread { entered.wait() }
    let outcomes = outcomes
    repository("c/d").save(entity: WriteBook("1"), update: false) { outcome in
      outcomes.withLock { $0.append(code(outcome)) }
    }
    try await until { outcomes.withLock { !$0.isEmpty } }
    blocker.signal()
    #expect(outcomes.withLock { $0 } == ["invalidStoreName"])
  }

  @Test func handlersOfOneStoreComeInTheOrderOfTheCalls() async throws {
    let repository = repository("a/b")
    let outcomes = outcomes
    for number in 0..<100 {
      repository.save(entity: WriteBook("1"), update: false) { _ in
        outcomes.withLock { $0.append("\(number)") }
      }
    }
    try await until { outcomes.withLock { $0.count } == 100 }
    #expect(outcomes.withLock { $0 } == (0..<100).map { "\($0)" })
  }

  @Test func allFormsCallTheirHandlersOnTheQueueOfTheOptions() async throws {
    let queue = DispatchQueue(label: "handlers")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    var repository = repository("a/b")
    repository.storeOptions.completionQueue = queue
    let outcomes = outcomes
    let note = { @Sendable (name: String) in
      let place = DispatchQueue.getSpecific(key: key) == true ? "queue" : "elsewhere"
      outcomes.withLock { $0.append("\(name) \(place)") }
    }
    repository.save(entity: WriteBook("1"), update: false) { _ in note("save") }
    repository.writeAsync({ try $0.add(WriteBook("1")) }) { _ in note("write") }
    repository.store().writeAsync({ try $0.add(WriteBook("1")) }) { _ in note("store") }
    try await until { outcomes.withLock { $0.count } == 3 }
    #expect(outcomes.withLock { $0 } == ["save queue", "write queue", "store queue"])
  }
}
