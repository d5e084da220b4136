import Dispatch
import Fief
import Foundation
import Testing

/// The place at which completion handlers are called.
@Suite(.timeLimit(.minutes(20)))
struct CompletionPlaceTests {
  /// An actor with state that its handlers change.
  private actor Shelf {
    private(set) var events: [String] = []
    private let repository: WriteRepository

    init(_ repository: WriteRepository) { self.repository = repository }

    func fill(_ count: Int) {
      for number in 0..<count {
        let book = WriteBook("\(number)")
        repository.save(entity: book, update: false) { outcome in
          // Traps where it is called elsewhere.
          self.assertIsolated()
          self.events.append((try? outcome.get()) == true ? "\(number)" : "failed")
        }
      }
      events.append("called")
    }
  }

  @Test func handlersOfAnActorAreCalledOnIt() async throws {
    let repository = WriteRepository.inMemory()
    let shelf = Shelf(repository)
    await shelf.fill(200)
    while await shelf.events.count < 201 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(await shelf.events == ["called"] + (0..<200).map { "\($0)" })
    repository.closeChecked()
  }

  @MainActor @Test func handlersOfTheMainActorAreCalledOnIt() async throws {
    let repository = WriteRepository.inMemory()
    var events: [String] = []
    let author = WriteAuthor("Ann")
    await withCheckedContinuation { continuation in
      repository.save(entity: author, update: true) { _ in
        MainActor.assertIsolated()
        events.append("saved")
        continuation.resume()
      }
      events.append("called")
    }
    #expect(events == ["called", "saved"])
    // The object is the store's.
    author.name = "Bo"
    try await repository.save(entity: author, update: true)
    #expect(repository.authors == ["Bo"])
    repository.closeChecked()
  }

  @MainActor @Test func closingOnTheMainActorCallsThoseOfTheMainActor() throws {
    let directory = try TemporaryDirectory()
    let repository = WriteRepository.onDisk(directory)
    var saved: [String] = []
    for number in 0..<20 {
      repository.save(entity: WriteBook("\(number)"), update: false) { _ in saved.append("\(number)") }
    }
    #expect(saved.isEmpty)
    repository.close()
    #expect(saved == (0..<20).map { "\($0)" })
    #expect(try repository.count(WriteBook.self) == 20)
    repository.closeChecked()
  }

  @MainActor @Test func aQueueOfTheOptionsComesFirst() async throws {
    let queue = DispatchQueue(label: "handlers", attributes: .concurrent)
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    var repository = WriteRepository.inMemory()
    repository.storeOptions.completionQueue = queue
    let events = Lock<[Int]>([])
    for number in 0..<200 {
      let handler = { @Sendable (_: Result<Bool, any Error>) in
        events.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true ? number : -1) }
      }
      repository.save(entity: WriteBook("\(number)"), update: false, completion: handler)
    }
    try await until { events.withLock { $0.count } == 200 }
    #expect(events.withLock { $0 } == Array(0..<200))
    repository.closeChecked()
  }

  @Test func handlersWithoutIsolationAreCalledOneAtATime() async throws {
    let repository = WriteRepository.inMemory()
    let running = Lock((now: 0, most: 0, calls: 0))
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            repository.save(entity: WriteBook("\(task) \(number)"), update: false) { _ in
              running.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
              }
              // Others that may be called at once get the time to be.
              for _ in 0..<5 where running.withLock({ $0.now }) == 1 { sched_yield() }
              running.withLock { state in
                state.now -= 1
                state.calls += 1
              }
            }
          }
        }
      }
    }
    try await until { running.withLock { $0.calls } == 400 }
    #expect(running.withLock { $0.most } == 1)
    #expect(try repository.count(WriteBook.self) == 400)
    repository.closeChecked()
  }

  @Test func storesThatCloseEachOtherInHandlersEnd() async throws {
    let (one, other) = (WriteRepository.inMemory(), WriteRepository.inMemory())
    let closed = Lock(0)
    let barrier = DispatchSemaphore(value: 0)
    one.save(entity: WriteBook("1"), update: false) { _ in
      barrier.wait()
      other.close()
      closed.withLock { $0 += 1 }
    }
    other.save(entity: WriteBook("1"), update: false) { _ in
      barrier.signal()
      one.close()
      closed.withLock { $0 += 1 }
    }
    try await until { closed.withLock { $0 } == 2 }
  }
}
