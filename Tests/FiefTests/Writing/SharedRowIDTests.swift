import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

private final class SharedName: Object {
  @Persisted var name = ""

  override class func indexes() -> [IndexDefinition] { [.unique("name")] }
}

private struct SharedNameRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType
  var directory: String?
  var schemaName: String? { "names" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [SharedName.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}

/// Several saves of one object without a primary key, each in one of the forms and with one of the outcomes: the object
/// is one in the store, whichever of them succeed.
@MainActor @Suite(.timeLimit(.minutes(20)))
struct SharedRowIDTests {
  /// A save and what becomes of it.
  private enum Step: CaseIterable {
    case blocking, blockingFails
    case task, taskFails, taskIsCancelled
    /// A save with a completion handler, by a caller without isolation.
    case left, leftFails
    /// A save with a completion handler, by code of the main actor.
    case handler, handlerFails
    case write, writeFails

    /// The steps that encode the object before they wait.
    static let inLine = allCases.filter { $0 != .write && $0 != .writeFails }

    var fails: Bool {
      switch self {
      case .blockingFails, .taskFails, .taskIsCancelled, .leftFails, .handlerFails, .writeFails: true
      default: false
      }
    }
  }

  /// An object that is used on one thread at a time.
  // SAFETY: the test waits until the save that it was given to is in line, or has ended.
  private struct Handed: @unchecked Sendable {
    let object: SharedName
  }

  @MainActor
  private final class World {
    let directory: TemporaryDirectory
    let repository: SharedNameRepository
    let queue: WriteQueue<WriteWork, WriteReceipt>

    init(_ kind: TypedPlace) throws {
      directory = try TemporaryDirectory()
      repository =
        kind == .memory
        ? SharedNameRepository(realmMemoryType: .inMemory(identifier: directory.path))
        : SharedNameRepository(realmMemoryType: .inStorage, directory: directory.path)
      queue = try #require(repository.store().openedCore).queue()
      // A save with this name fails.
      let taken = SharedName()
      taken.name = "taken"
      try repository.saveAndWait(entity: taken)
      // The row ids that the saves need are reserved: a save that has to wait for them encodes its objects later.
      let core = try #require(repository.store().openedCore)
      let table = try core.binding(of: SharedName.self).table
      let receipt = try core.submit(.reserveRowIDs(table, count: 100_000))
      core.rowIDs.add(try #require(receipt.rowIDs), for: table.entry.id)
    }

    var names: [String] {
      get throws {
        try repository.store().objects(SharedName.self).all().map(\.name).filter { $0 != "taken" }
      }
    }

    /// Begins a save, and returns when it is in line.
    ///
    /// - Parameter waits: whether it returns when the save has ended.
    func begin(
      _ step: Step,
      _ object: SharedName,
      _ name: String,
      _ outcome: Lock<Bool?>,
      waits: Bool
    ) async throws -> Task<Void, Never>? {
      object.name = step.fails && step != .taskIsCancelled ? "taken" : name
      let before = queue.statistics.pending
      let repository = repository
      var task: Task<Void, Never>?
      switch step {
      case .blocking, .blockingFails, .write, .writeFails:
        let handed = Handed(object: object)
        Thread.detachNewThread {
          let result = Result {
            switch step {
            case .blocking, .blockingFails:
              _ = try repository.saveAndWait(entity: handed.object, update: true)
            default: try repository.write { try $0.add(handed.object, update: .all) }
            }
          }
          outcome.withLock { $0 = (try? result.get()) != nil }
        }
      case .task, .taskFails, .taskIsCancelled:
        task = Task {
          let saved = try? await repository.save(entity: object, update: true)
          outcome.withLock { $0 = saved ?? false }
        }
      case .left, .leftFails: Self.leave(repository, Handed(object: object), outcome)
      case .handler, .handlerFails:
        repository.save(entity: object, update: true) { result in
          MainActor.assertIsolated()
          outcome.withLock { $0 = (try? result.get()) ?? false }
        }
      }
      while waits ? outcome.withLock({ $0 == nil }) : queue.statistics.pending == before {
        try await Task.sleep(for: .microseconds(50))
      }
      return task
    }

    private nonisolated static func leave(
      _ repository: SharedNameRepository,
      _ handed: Handed,
      _ outcome: Lock<Bool?>
    ) {
      repository.save(entity: handed.object, update: true) { result in
        outcome.withLock { $0 = (try? result.get()) ?? false }
      }
    }

    /// Makes the saves, all in line at once or one after the other, and checks the result.
    func run(_ steps: [Step], atOnce: Bool, _ place: String = "") async throws {
      let comment = Comment(rawValue: "\(steps), at once: \(atOnce) \(place)")
      if atOnce { queue.pause() }
      let object = SharedName()
      var outcomes: [Lock<Bool?>] = []
      var cancelled: [Task<Void, Never>] = []
      for (number, step) in steps.enumerated() {
        let outcome = Lock<Bool?>(nil)
        outcomes.append(outcome)
        let task = try await begin(step, object, "\(number)", outcome, waits: !atOnce)
        if let task, step == .taskIsCancelled { cancelled.append(task) }
      }
      for task in cancelled { task.cancel() }
      queue.resume()
      try await until { outcomes.allSatisfy { outcome in outcome.withLock { $0 != nil } } }
      let saved = outcomes.map { outcome in outcome.withLock { $0 ?? false } }
      let expected = steps.map { !$0.fails || (!atOnce && $0 == .taskIsCancelled) }
      #expect(saved == expected, comment)
      let last = saved.lastIndex(of: true)
      #expect(try names == (last.map { ["\($0)"] } ?? []), comment)
      if last == nil { #expect(object._rowID == 0 && object._context == nil, comment) }
      object.name = "final"
      try repository.saveAndWait(entity: object, update: true)
      #expect(try names == ["final"], comment)
      // A failure from here on takes nothing back.
      object.name = "taken"
      #expect(throws: FiefError.self) { try repository.saveAndWait(entity: object, update: true) }
      object.name = "last"
      try repository.saveAndWait(entity: object, update: true)
      #expect(try names == ["last"], comment)
      try repository.deleteAndWait(entity: object)
    }
  }

  /// A part of the orders of three, another one each time.
  @Test func ordersOfThreeInMemory() async throws {
    let world = try World(.memory)
    // In the short form the count of steps shares no factor with the parts: each step is in each place.
    let parts = TestEffort.count(7, more: 3)
    let first = Int.random(in: 0..<parts)
    let count = Step.inLine.count
    for number in stride(from: first, to: count * count * count, by: parts) {
      let steps = [number / count / count, number / count % count, number % count].map { Step.inLine[$0] }
      try await world.run(steps, atOnce: true)
    }
    world.repository.closeChecked()
  }

  @Test(arguments: TypedPlace.inClear) func someOrders(_ kind: TypedPlace) async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let world = try World(kind)
    for round in 0..<(kind == .memory ? TestEffort.count(70, more: 200) : TestEffort.count(15, more: 40)) {
      let steps = (0..<Int.random(in: 2...5, using: &generator)).compactMap { _ in
        (round % 2 == 0 ? Step.inLine : Step.allCases).randomElement(using: &generator)
      }
      try await world.run(steps, atOnce: round % 2 == 0, "seed \(seed), round \(round)")
    }
    world.repository.closeChecked()
  }
}
