import Fief
import FiefStress
import FiefTesting
import Foundation
import Synchronization
import TestEffort
import Testing

@testable import FiefCore

/// Failures of single steps of writes to several stores, and stores that are not there when they are needed.
@Suite(.serialized) struct JointFailureTests {
  private struct StepFailed: Error {}

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func joint(_ kind: StoreKind) throws -> StressJoint {
    let joint = StressJoint(
      StressJoint.names.map { StressJointRepository($0, kind, in: directory) }
    )
    try joint.fill()
    return joint
  }

  /// Calls a closure while certain steps fail, and gives the steps that were taken.
  private func failing(_ isFailing: @escaping @Sendable (String) -> Bool, _ body: () throws -> Void) rethrows
    -> [String]
  {
    let steps = Lock<[String]>([])
    let observer: @Sendable (String) throws -> Void = { step in
      steps.withLock { $0.append(step) }
      if isFailing(step) { throw StepFailed() }
    }
    try JointSteps.$observer.withValue(observer, operation: body)
    return steps.withLock { $0 }
  }

  /// Makes a write whose commit fails in one store, and leaves it unfinished there; returns the store.
  private func leaveUnfinished(_ joint: StressJoint, at commit: String = "commit(1)") throws
    -> StressJointRepository
  {
    _ = failing({ $0 == commit || $0.hasPrefix("replay") }) {
      let error = #expect(throws: FiefError.self) { try joint.transfer(1) }
      #expect(error?.code == .unfinishedWrite && error?.details.count == 1)
    }
    let rounds = try joint.repositories.map { try joint.rounds($0) }
    #expect(rounds.sorted() == [0, 1, 1])
    return joint.repositories[try #require(rounds.firstIndex(of: 0))]
  }

  /// The store that has the journal of an unfinished write.
  private func coordinator(of joint: StressJoint) throws -> StressJointRepository {
    try #require(
      try joint.repositories.first { try $0.unfinishedWrites().contains { $0.role == .coordinator } }
    )
  }

  private func saveNow(_ repository: StressJointRepository) throws {
    var outcome: Result<Bool, any Error>?
    outcome = Result {
      try repository.saveAndWait(entity: StressTransfer(), update: true)
      return true
    }
    #expect(try outcome?.get() == true)
  }

  @Test(arguments: StoreKind.allCases) func aFailureBeforeTheDecisionChangesNothing(_ kind: StoreKind) throws
  {
    let joint = try joint(kind)
    defer { joint.close() }
    let steps = try failing({ _ in false }) { try joint.transfer(1) }
    let decision = try #require(steps.firstIndex(of: "commit(0)"))
    for step in steps[...decision] {
      _ = failing({ $0 == step }) {
        #expect(throws: StepFailed.self) { try joint.transfer(2) }
      }
      #expect(try joint.problems() == [], "\(step)")
      #expect(try joint.rounds(joint.repositories[0]) == 1, "\(step)")
    }
    try joint.transfer(2)
    #expect(try joint.problems() == [])
  }

  @Test(arguments: StoreKind.allCases) func markersThatAreLeftAreDropped(_ kind: StoreKind) throws {
    let joint = try joint(kind)
    defer { joint.close() }
    _ = failing({ $0 == "run" || $0.hasPrefix("unmark") }) {
      #expect(throws: StepFailed.self) { try joint.transfer(1) }
    }
    let left = try joint.repositories.flatMap { try $0.unfinishedWrites() }
    #expect(left.count == 2 && left.allSatisfy { $0.role == .participant && $0.id == left[0].id })
    // Every kind of write drops them.
    for repository in joint.repositories {
      try repository.write { try $0.create(StressTransfer.self, value: ["round": 9]) }
    }
    #expect(try joint.problems() == [])
    #expect(try joint.rounds(joint.repositories[0]) == 0)
  }

  @Test(arguments: StoreKind.allCases) func aCommitThatFailsIsMadeFromTheJournal(_ kind: StoreKind) throws {
    let joint = try joint(kind)
    defer { joint.close() }
    for (round, step) in ["commit(1)", "commit(2)", "clean"].enumerated() {
      let steps = try failing({ $0 == step }) { try joint.transfer(round, size: 100_000) }
      #expect(steps.contains { $0.hasPrefix("replay") } == (step != "clean"))
      #expect(try joint.rounds(joint.repositories[0]) == round + 1)
      if step == "clean" { continue }
      #expect(try joint.problems() == [], "\(step)")
    }
    // The leftovers are only found by the checker, until the coordinator is opened.
    let left = try joint.repositories.flatMap { try $0.unfinishedWrites() }
    #expect(left.map(\.role) == [.coordinator, .coordinator])
    guard kind.outlivesClosing else { return }
    joint.close()
    for repository in joint.repositories { #expect(repository.store().openingError == nil) }
    #expect(try joint.problems() == [])
  }

  /// The short form has each way in one kind of store only.
  static let ways: [(StoreKind, String)] =
    TestEffort.isLong
    ? StoreKind.allCases.flatMap { kind in
      ["save", "write", "async", "joint", "dynamic", "reopen"].map { (kind, $0) }
    }
    : [
      (.inMemory, "save"), (.onDisk, "write"), (.encrypted, "async"), (.inMemory, "joint"),
      (.onDisk, "dynamic"), (.encrypted, "reopen"),
    ]

  @Test(arguments: ways)
  func aPartThatIsMissingIsTakenByTheNextWrite(_ kind: StoreKind, _ way: String) async throws {
    if kind == .inMemory, way == "reopen" || way == "dynamic" { return }
    let joint = try joint(kind)
    defer { joint.close() }
    let late = try leaveUnfinished(joint)
    #expect(try late.check().unfinishedWrites.map(\.role) == [.participant])
    switch way {
    case "save":
      try saveNow(late)
    case "write": try late.writeNow { try $0.create(StressTransfer.self, value: ["round": 9]) }
    case "async": try await late.write { _ = try $0.create(StressTransfer.self, value: ["round": 9]) }
    case "joint": try joint.transfer(2)
    case "dynamic":
      let store = try DynamicStore(
        directory: directory[late.name],
        isReadOnly: false,
        encryption: kind.ownEncryption
      )
      _ = try store.write { try $0.put("StressTransfer", ["round": 9]) }
      store.close()
    default: joint.close()
    }
    let expected = way == "joint" ? 2 : 1
    #expect(try joint.repositories.map { try joint.rounds($0) } == [expected, expected, expected])
    if way != "reopen" {
      let count = try late.count(StressTransfer.self)
      #expect(count == 2)
    }
    // The coordinator may keep the journal until it is opened again.
    if kind.outlivesClosing {
      joint.close()
      #expect(try joint.problems() == [])
    } else {
      for repository in joint.repositories { #expect(try repository.check().problems == []) }
    }
  }

  /// The journal makes no tree in the place of one that has lost its name, as its entries alone would be there.
  @Test func aTreeThatIsLostIsNotMadeFromTheJournal() throws {
    let joint = try joint(.onDisk)
    defer { joint.close() }
    let late = try leaveUnfinished(joint)
    let table = try #require(try late.store().core().tables["StressAccount"])
    joint.close()
    let file = directory[late.name] + "/data.mdb"
    func content() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file)) }
    let whole = try content()
    // The catalogue has the name of a type's tree too, and that of an index as its numbers.
    let name = Array(table.entry.indexTree(try #require(table.entry.indexes.first)).utf8)
    try FileDamage.flip(16, at: name.count - 1, of: name, in: file)
    let damaged = try content()
    #expect(late.store().openingError?.code == .damagedStore)
    joint.close()
    #expect(try content() == damaged)
    try FileDamage.replace(file, with: whole)
    #expect(try joint.repositories.map { try joint.rounds($0) } == [1, 1, 1])
    #expect(try joint.problems() == [])
  }

  @Test func aStoreThatIsNotThereIsATypedErrorAndIsTriedAgain() throws {
    let joint = try joint(.onDisk)
    defer { joint.close() }
    let late = try leaveUnfinished(joint)
    let coordinator = try coordinator(of: joint)
    joint.close()
    // The write is in doubt without the coordinator: the store can be read, and not written to.
    try FileManager.default.moveItem(atPath: directory[coordinator.name], toPath: directory["away"])
    let events = Lock<[FiefError.Code]>([])
    var reporting = late
    reporting.storeOptions.eventHandler = { event in
      if case .unfinishedWrite(let error) = event { events.withLock { $0.append(error.code) } }
    }
    #expect(try joint.rounds(reporting) == 0)
    #expect(events.withLock { $0 } == [.unfinishedWrite])
    for _ in 0..<2 {
      let error = #expect(throws: FiefError.self) {
        try reporting.write { try $0.create(StressTransfer.self) }
      }
      #expect(error?.code == .blockedByUnfinishedWrite && error?.store == late.name)
      #expect(error?.path == directory[coordinator.name])
      var outcome: Result<Bool, any Error>?
      outcome = Result {
        try reporting.saveAndWait(entity: StressTransfer(), update: true)
        return true
      }
      #expect(throws: FiefError.self) { try outcome?.get() }
    }
    // Another store in its place is not it.
    try StressJointRepository("other", directory: directory.path).write { _ in }
    StressJointRepository("other", directory: directory.path).close()
    try FileManager.default.moveItem(atPath: directory["other"], toPath: directory[coordinator.name])
    #expect(throws: FiefError.self) { try reporting.write { try $0.create(StressTransfer.self) } }
    try FileManager.default.removeItem(atPath: directory[coordinator.name])
    // Back in its place, it says what became of it.
    try FileManager.default.moveItem(atPath: directory["away"], toPath: directory[coordinator.name])
    try reporting.write { try $0.create(StressTransfer.self) }
    #expect(try joint.rounds(reporting) == 1)
    joint.close()
    #expect(try joint.problems() == [])
  }

  @Test func aParticipantThatIsNotThereDoesNotHinderTheCoordinator() throws {
    let joint = try joint(.onDisk)
    defer { joint.close() }
    let late = try leaveUnfinished(joint, at: "commit(2)")
    joint.close()
    try FileManager.default.moveItem(atPath: directory[late.name], toPath: directory["away"])
    for repository in joint.repositories where repository.name != late.name {
      #expect(try joint.rounds(repository) == 1)
      try repository.write { try $0.create(StressTransfer.self) }
      repository.close()
    }
    try FileManager.default.moveItem(atPath: directory["away"], toPath: directory[late.name])
    #expect(try joint.rounds(late) == 1)
    joint.close()
    #expect(try joint.problems() == [])
  }

  @Test func whatIsGoneForGoodCanBeGivenUp() throws {
    let joint = try joint(.onDisk)
    defer { joint.close() }
    _ = failing({ $0.hasPrefix("commit(1)") || $0.hasPrefix("commit(2)") || $0.hasPrefix("replay") }) {
      #expect(throws: FiefError.self) { try joint.transfer(1) }
    }
    let coordinator = try coordinator(of: joint)
    #expect(try coordinator.abandonUnfinishedWrites().count == 2)
    for repository in joint.repositories where repository.name != coordinator.name {
      #expect(try repository.abandonUnfinishedWrites().count == 1)
      #expect(try joint.rounds(repository) == 0)
      #expect(try repository.check().problems == [] && repository.unfinishedWrites().isEmpty)
    }
    #expect(try joint.rounds(coordinator) == 1)
  }

  @Test func storesThatAreMovedTogetherFindEachOther() throws {
    let joint = try joint(.onDisk)
    _ = failing({ $0 == "commit(1)" || $0.hasPrefix("replay") }) {
      #expect(throws: FiefError.self) { try joint.transfer(1) }
    }
    joint.close()
    let place = try TemporaryDirectory()
    try FileManager.default.moveItem(atPath: directory.path, toPath: place["deeper"])
    let moved = StressJoint(directory: place["deeper"])
    defer { moved.close() }
    #expect(try moved.problems() == [])
    #expect(try moved.rounds(moved.repositories[0]) == 1)
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
  }

  @Test func aDamagedJournalIsFound() throws {
    let joint = try joint(.onDisk)
    defer { joint.close() }
    _ = failing({ $0 == "commit(1)" || $0.hasPrefix("replay") }) {
      #expect(throws: FiefError.self) { try joint.transfer(1) }
    }
    let coordinator = try coordinator(of: joint)
    let core = try coordinator.store().core()
    try core.environment.write { transaction in
      var pieces: [[UInt8]] = []
      try JointRows.forEach(JointRows.pieces, core.tables.catalogueTree, in: transaction) { key, _ in
        pieces.append(Array(key))
      }
      for piece in pieces {
        try piece.withUnsafeBytes { key in
          try [1, 2, 3, 4, 5].withUnsafeBytes { try transaction.put(core.tables.catalogueTree, key, $0) }
        }
      }
    }
    #expect(try coordinator.check().problems.count == 1)
    joint.close()
    // Nothing is half done, and each store can still be read.
    for repository in joint.repositories { #expect(try joint.rounds(repository) >= 0) }
    #expect(try joint.repositories.filter { try joint.rounds($0) == 0 }.count == 1)
  }
}
