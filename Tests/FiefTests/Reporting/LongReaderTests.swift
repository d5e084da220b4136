import Fief
import FiefStress
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// A reader that does not end keeps the file growing, and an event says which one it is.
@Suite struct LongReaderTests {
  /// The kinds of commits.
  enum Way: CaseIterable { case closure, blockingSave, handlerSave, joint }

  private let directory: TemporaryDirectory
  private let events = Lock<[StoreEvent]>([])

  init() throws { directory = try TemporaryDirectory() }

  private func repository(_ kind: StoreKind, _ name: String = "first") -> StressJointRepository {
    var repository = StressJointRepository(name, kind, in: directory)
    repository.storeOptions.eventHandler = { [events] event in
      if case .longReader = event { events.withLock { $0.append(event) } }
    }
    return repository
  }

  private func accounts(_ round: Int) -> [StressAccount] {
    (0..<10).map { id in
      let account = StressAccount()
      account.id = id
      account.note = String(repeating: "\(round % 10)", count: 40_000)
      return account
    }
  }

  /// Makes commits of about 400 KiB each.
  private func fill(_ repository: StressJointRepository, _ way: Way = .closure, rounds: Int = 15) throws {
    let other = StressJointRepository("second", identifier: directory.path)
    for round in 0..<rounds {
      let accounts = accounts(round)
      switch way {
      case .closure: try repository.write { try $0.add(accounts, update: .all) }
      case .blockingSave: try repository.saveAndWait(entities: accounts, update: true)
      case .handlerSave:
        let done = DispatchSemaphore(value: 0)
        repository.save(entities: accounts, update: true) { _ in done.signal() }
        done.wait()
      case .joint:
        try StoreManager(repositories: [repository, other]).write(to: repository, and: other) { first, _ in
          try first.add(accounts, update: .all)
        }
      }
    }
    if way == .joint { other.close() }
  }

  /// Calls a closure while a thread reads; returns the line of the read.
  private func whileReading(_ repository: StressJointRepository, _ body: () throws -> Void) throws -> Int {
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchSemaphore(value: 0)
    let line = #line + 2
    Thread.detachNewThread {
      try? repository.read { _ in
        begun.signal()
        ended.wait()
      }
      done.signal()
    }
    begun.wait()
    defer {
      ended.signal()
      done.wait()
    }
    try body()
    return line
  }

  private func found(atLeast count: Int = 1) -> [StoreEvent] {
    let deadline = ContinuousClock.now + .seconds(600)
    while events.withLock({ $0.count }) < count, ContinuousClock.now < deadline { usleep(1000) }
    return events.withLock { $0 }
  }

  /// The short form has each kind of store and each way once.
  static let cases: [(StoreKind, Way)] =
    TestEffort.isLong
    ? StoreKind.allCases.flatMap { kind in Way.allCases.map { (kind, $0) } }
    : [(.onDisk, .closure), (.inMemory, .blockingSave), (.encrypted, .handlerSave), (.onDisk, .joint)]

  @Test(arguments: cases)
  func theEventNamesTheReader(_ kind: StoreKind, _ way: Way) throws {
    let repository = repository(kind)
    try fill(repository)
    let line = try whileReading(repository) {
      try fill(repository, way)
      guard case .longReader(let store, let reader, let held, let size) = try #require(found().first) else {
        return
      }
      #expect(store == "first" && reader.isOwn && reader.commitsBehind > 0 && reader.age != nil)
      #expect(held * 4 >= size && held <= size && held >= 1 << 20)
      let text = EventText(.longReader(store: store, reader, heldBytes: held, fileBytes: size)).lines()
      #expect(text.hasPrefix("fief: first: a long reader") && text.contains("this process"))
    }
    guard case .longReader(_, let reader, _, _) = try #require(found().first) else { return }
    #expect(reader.origin == "FiefTests/LongReaderTests.swift:\(line)")
    // Once, and again with twice as much: from 1 MiB to 6 MiB at most three times.
    #expect(events.withLock { $0.count } <= 3)
    repository.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func shortReadersAreNone(_ kind: StoreKind) throws {
    let repository = repository(kind)
    for round in 0..<TestEffort.count(4, more: 20) {
      _ = try whileReading(repository) { try repository.saveAndWait(entities: accounts(round), update: true) }
    }
    try fill(repository)
    repository.closeChecked()
    #expect(events.withLock { $0.isEmpty })
  }

  @Test func aReaderOfAnotherProcessIsFoundByWritersAndByStatistics() throws {
    let repository = repository(.onDisk)
    try fill(repository, rounds: 3)
    repository.close()
    let child = try CrashChild("read-hold", directory.path)
    child.wait(for: "reading")
    try fill(repository)
    guard case .longReader(_, let reader, _, _) = try #require(found().first) else { return }
    #expect(!reader.isOwn && reader.process == child.number && reader.origin == nil && reader.age != nil)
    #if os(Linux)
      #expect(reader.program == "fief-crash-child")
    #endif
    let dynamic = try DynamicStore(directory: directory["first"])
    let listed = try dynamic.statistics().readers
    #expect(listed.count == 1 && listed.first?.process == child.number)
    #expect(listed.first?.commitsBehind == 15 && listed.first?.age != nil)
    #expect("\(listed)".contains("15 commits behind, for at least "))
    _ = try child.kill(microseconds: 0, after: "reading")
    dynamic.close()
    // The store reports commits in their order. When it calls this handler, it has reported all earlier commits.
    try fill(repository, .handlerSave, rounds: 1)
    events.withLock { $0 = [] }
    // A process that died is no reader, and its pages are used again.
    try fill(repository, rounds: 20)
    repository.closeChecked()
    #expect(events.withLock { $0.isEmpty })
  }

  @Test func theHandlerMayWrite() throws {
    var repository = repository(.onDisk)
    let saved = Lock<[String]>([])
    let own = repository
    repository.storeOptions.eventHandler = { event in
      guard case .longReader = event, saved.withLock({ $0.isEmpty }) else { return }
      let account = StressAccount()
      account.id = 77
      let outcome = Result { try own.saveAndWait(entity: account) }
      saved.withLock { $0.append("\(outcome.map { true })") }
    }
    try fill(repository)
    _ = try whileReading(repository) {
      try fill(repository, .blockingSave)
      let deadline = ContinuousClock.now + .seconds(600)
      while saved.withLock({ $0.isEmpty }), ContinuousClock.now < deadline { usleep(1000) }
    }
    #expect(saved.withLock { $0.first } == "success(true)")
    #expect(try repository.exists(StressAccount.self, forPrimaryKey: 77))
    repository.closeChecked()
  }
}
