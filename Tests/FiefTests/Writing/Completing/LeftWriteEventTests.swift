import Fief
import Foundation
import Testing

@testable import FiefCore

/// Writes that nothing waits for and that have no handler: their failures are events.
@Suite(.timeLimit(.minutes(20)))
struct LeftWriteEventTests {
  private struct Refused: Error {}

  private let directory: TemporaryDirectory
  private let events = Lock<[StoreEvent]>([])

  init() throws { directory = try TemporaryDirectory() }

  private func repository(_ kind: TypedPlace) -> WriteRepository {
    var repository = kind == .memory ? WriteRepository.inMemory() : .onDisk(directory)
    repository.storeOptions.eventHandler = { [events] event in
      if event.isFailure { events.withLock { $0.append(event) } }
    }
    return repository
  }

  @Test(arguments: TypedPlace.inClear) func aFailureWithoutAHandlerIsAnEvent(_ kind: TypedPlace) async throws
  {
    let repository = repository(kind)
    try repository.saveNow([WriteBook("1")])
    repository.writeAsync { try $0.add(WriteBook("1")) }
    repository.writeAsync { _ in throw Refused() }
    repository.writeAsync { try $0.add(WriteBook("2")) }
    try await until { events.withLock { $0.count } == 2 && repository.isbns == ["1", "2"] }
    let found = events.withLock { $0 }
    guard case .failedWrite(let store, let error) = found[0] else {
      Issue.record("\(found)")
      return
    }
    #expect(store == "books" && code(error) == .duplicatePrimaryKey)
    #expect(found[0].failure?.code == .duplicatePrimaryKey && found[0].store == "books")
    guard case .failedWrite(_, let own) = found[1] else {
      Issue.record("\(found)")
      return
    }
    #expect(own is Refused)
    let text = EventText(found[0]).lines()
    #expect(text.hasPrefix("fief: books: a write failed and stored nothing"))
    repository.closeChecked()
  }

  @Test(arguments: TypedPlace.inClear) func aFailureWithAHandlerIsNone(_ kind: TypedPlace) async throws {
    let repository = repository(kind)
    try repository.saveNow([WriteBook("1")])
    let errors = Lock<[FiefError.Code?]>([])
    repository.writeAsync({ try $0.add(WriteBook("1")) }) { error in
      errors.withLock { $0.append(code(error)) }
    }
    try await until { errors.withLock { !$0.isEmpty } }
    repository.closeChecked()
    #expect(errors.withLock { $0 } == [.duplicatePrimaryKey] && events.withLock { $0.isEmpty })
  }

  @Test func aStoreThatCannotBeOpenedIsAnEvent() async throws {
    var repository = repository(.memory)
    repository.schemaName = "a/b"
    repository.writeAsync { try $0.add(WriteBook("1")) }
    try await until { events.withLock { !$0.isEmpty } }
    #expect(events.withLock { $0.first?.failure?.code } == .invalidStoreName)
  }
}
