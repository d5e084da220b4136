import Fief
import FiefStress
import FiefTesting
import Foundation
import LMDB
import Synchronization
import TestEffort
import Testing

@testable import FiefCore

/// Writes to several stores, through the manager.
struct JointWriteTests {
  private struct Refused: Error {}

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func joint(_ kind: StoreKind, options: StoreOptions = StoreOptions()) throws -> StressJoint {
    let joint = StressJoint(
      StressJoint.names.map { StressJointRepository($0, kind, in: directory, options: options) }
    )
    try joint.fill()
    return joint
  }

  private func expectWhole(
    _ joint: StressJoint,
    rounds: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try joint.problems() == [], sourceLocation: sourceLocation)
    #expect(try joint.rounds(joint.repositories[0]) == rounds, sourceLocation: sourceLocation)
  }

  @Test(arguments: StoreKind.allCases) func allStoresHaveTheChanges(_ kind: StoreKind) throws {
    let joint = try joint(kind)
    defer { joint.close() }
    let rounds = TestEffort.count(8, more: 20)
    for round in 0..<rounds { try joint.transfer(round) }
    try expectWhole(joint, rounds: rounds)
    guard kind.outlivesClosing else { return }
    joint.close()
    try expectWhole(joint, rounds: rounds)
  }

  @Test(arguments: StoreKind.allCases)
  func noFormWritesInsideOfAnOptimisticTransaction(_ kind: StoreKind) async throws {
    let joint = try joint(kind)
    defer { joint.close() }
    let codes = OwnedLock<[FiefError.Code?]>([])
    @Sendable func note(_ body: () async throws -> Void) async {
      do {
        try await body()
        codes.withLock { $0.append(nil) }
      } catch {
        codes.withLock { $0.append((error as? FiefError)?.code) }
      }
    }
    try await joint.repositories[1].store().runTransaction { _ in
      await note {
        try await joint.manager.write(to: joint.repositories) { try joint.move(in: $0, 1, size: 10) }
      }
      await note {
        try await joint.manager.write(to: joint.repositories[0], and: joint.repositories[1]) { _, _ in }
      }
      await note { try Self.writeAndWait(joint) }
      // None of these stores runs a transaction.
      await note {
        try await joint.manager.write(to: joint.repositories[0], and: joint.repositories[2]) { _, _ in }
      }
    }
    #expect(codes.withLock { $0 } == [.nestedWrite, .nestedWrite, .nestedWrite, nil])
    try expectWhole(joint, rounds: 0)
  }

  private static func writeAndWait(_ joint: StressJoint) throws {
    try joint.manager.write(to: joint.repositories) { try joint.move(in: $0, 1, size: 10) }
  }

  @Test(arguments: StoreKind.allCases) func theAsynchronousFormsDoTheSame(_ kind: StoreKind) async throws {
    let joint = try joint(kind)
    defer { joint.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for round in 0..<12 {
        group.addTask {
          try await joint.manager.write(to: joint.repositories) {
            try joint.move(in: $0, round * 3, size: 10)
          }
        }
      }
      try await group.waitForAll()
    }
    let sum = try await joint.manager.write(to: joint.repositories[0], and: joint.repositories[1]) {
      first,
      second in
      let one = try first.object(ofType: StressAccount.self, forPrimaryKey: 0)?.balance ?? 0
      return one + (try second.object(ofType: StressAccount.self, forPrimaryKey: 0)?.balance ?? 0)
    }
    #expect(sum == 24)
    try expectWhole(joint, rounds: 12)
  }

  @Test(arguments: StoreKind.allCases) func whatTheClosureThrowsLeavesEverythingAsItWas(_ kind: StoreKind)
    throws
  {
    let joint = try joint(kind)
    defer { joint.close() }
    let kept = StressTransfer()
    #expect(throws: Refused.self) {
      try joint.manager.write(to: joint.repositories) { write in
        try joint.move(in: write, 1, size: 10)
        try write["second"].add(kept)
        throw Refused()
      }
    }
    try expectWhole(joint, rounds: 0)
    // The object is new again.
    try joint.repositories[0].write { try $0.add(kept) }
    try joint.transfer(1)
    try expectWhole(joint, rounds: 1)
  }

  @Test(arguments: StoreKind.allCases, StressJoint.names)
  func whatOneStoreRefusesChangesNone(_ kind: StoreKind, _ name: String) throws {
    let joint = try joint(kind)
    defer { joint.close() }
    let error = #expect(throws: FiefError.self) {
      try joint.manager.write(to: joint.repositories) { write in
        try joint.move(in: write, 1, size: 10)
        try write[name].create(StressAccount.self, value: ["id": 3])
      }
    }
    #expect(error?.code == .duplicatePrimaryKey && error?.store == name)
    try expectWhole(joint, rounds: 0)
  }

  /// The short form has each store of the write, each one in another kind of store.
  static let fullStores: [(StoreKind, String)] =
    TestEffort.isLong
    ? StoreKind.allCases.flatMap { kind in StressJoint.names.map { (kind, $0) } }
    : Array(zip(StoreKind.allCases, StressJoint.names))

  @Test(arguments: fullStores)
  func aFullStoreChangesNone(_ kind: StoreKind, _ name: String) throws {
    var options = StoreOptions()
    options.initialMapSize = 1 << 20
    options.maximumMapSize = 4 << 20
    options.reservedBytes = 0
    let joint = try joint(kind, options: options)
    defer { joint.close() }
    let error = #expect(throws: FiefError.self) {
      try joint.manager.write(to: joint.repositories) { write in
        try joint.move(in: write, 1, size: 10)
        let entry = StressTransfer()
        entry.text = String(repeating: "x", count: 5 << 20)
        try write[name].add(entry)
      }
    }
    #expect(error?.code == .storeFull && error?.store == name, "\(String(describing: error))")
    try expectWhole(joint, rounds: 0)
    try joint.transfer(2)
    try expectWhole(joint, rounds: 1)
  }

  @Test(arguments: StoreKind.allCases) func allStoresGrow(_ kind: StoreKind) throws {
    var options = StoreOptions()
    options.initialMapSize = 256 << 10
    let joint = try joint(kind, options: options)
    defer { joint.close() }
    let count = TestEffort.count(500, more: 1_500)
    // Journals of several pieces, and one value larger than a piece.
    try joint.transfer(1, size: 1 << 20)
    try joint.manager.write(to: joint.repositories) { write in
      try joint.move(in: write, 3, size: 10)
      for repository in joint.repositories {
        let transaction = try write.transaction(of: repository)
        for id in 100..<count {
          try transaction.create(StressAccount.self, value: ["id": id, "note": "note \(id)"])
        }
      }
    }
    try expectWhole(joint, rounds: 2)
    for repository in joint.repositories { #expect(try repository.count(StressAccount.self) == count - 80) }
  }

  @Test func storesOnDiskAndInMemoryAreWrittenTogether() throws {
    let joint = StressJoint([
      StressJointRepository("first", directory: directory.path),
      StressJointRepository("second", identifier: directory.path),
      StressJointRepository("third", identifier: directory.path),
    ])
    defer { joint.close() }
    try joint.fill()
    for round in 0..<5 { try joint.transfer(round) }
    try expectWhole(joint, rounds: 5)
  }

  @Test func relaxedStoresAreWrittenTogether() throws {
    var options = StoreOptions()
    options.durability = .relaxed
    let joint = try joint(.onDisk, options: options)
    defer { joint.close() }
    for round in 0..<5 { try joint.transfer(round) }
    try expectWhole(joint, rounds: 5)
  }

  @Test func observersHearOfEachStoresPart() throws {
    let joint = try joint(.inMemory)
    defer { joint.close() }
    let heard = OwnedLock<[String]>([])
    let tokens = try joint.repositories.map { repository in
      try repository.observe { changes in heard.withLock { $0.append("\(repository.name)") } }
    }
    try joint.transfer(1)
    for repository in joint.repositories { try repository.store().waitUntilDelivered() }
    #expect(heard.withLock { $0.sorted() } == StressJoint.names)
    try withExtendedLifetime(tokens) { try expectWhole(joint, rounds: 1) }
  }

  @Test func misuseIsRefused() throws {
    let joint = try joint(.inMemory)
    defer { joint.close() }
    let (first, second, third) = (joint.repositories[0], joint.repositories[1], joint.repositories[2])
    func code(_ body: () throws -> Void) -> FiefError.Code? {
      do { try body() } catch { return (error as? FiefError)?.code }
      return nil
    }
    #expect(code { try joint.manager.write(to: [first, first]) { _ in } } == .nestedWrite)
    #expect(code { try joint.manager.write(to: []) { _ in } } == .invalidValue)
    #expect(
      code { try first.write { _ in try joint.manager.write(to: [second, third]) { _ in } } } == .nestedWrite
    )
    #expect(
      code {
        try joint.manager.write(to: [first, second]) { _ in
          try joint.manager.write(to: [third]) { _ in }
        }
      } == .nestedWrite
    )
    #expect(code { try joint.manager.write(to: [first, second]) { _ = try $0["third"] } } == .nestedWrite)
    #expect(
      code { try joint.manager.write(to: [first, second]) { _ = try $0.transaction(of: third) } }
        == .nestedWrite
    )
    #expect(
      code { try joint.manager.write(to: [first, second]) { _ in try first.write { _ in } } } == .nestedWrite
    )
    var readOnly = StressJointRepository("other", directory: directory.path)
    #expect(readOnly.store().openingError == nil)
    readOnly.close()
    readOnly.storeOptions.isReadOnly = true
    #expect(code { try joint.manager.write(to: [first, readOnly]) { _ in } } == .readOnlyStore)
    readOnly.close()
    try expectWhole(joint, rounds: 0)
  }

  @Test(arguments: StoreKind.allCases) func theClosureWritesToNoOtherStore(_ kind: StoreKind) throws {
    let joint = try joint(kind)
    defer { joint.close() }
    let (first, second, third) = (joint.repositories[0], joint.repositories[1], joint.repositories[2])
    try joint.manager.write(to: [first, second]) { write in
      for attempt in 0..<3 {
        let error = #expect(throws: FiefError.self) {
          switch attempt {
          case 0: try third.write { try $0.create(StressTransfer.self, value: ["round": 1]) }
          case 1:
            try third.deleteAllAndWait(deleteObjClass: StressTransfer.self)
          default:
            let other = StressTransfer()
            try third.saveAndWait(entity: other, update: true)
          }
        }
        #expect(error?.code == .nestedWrite && error?.store == third.name)
      }
      #expect(try third.count(StressTransfer.self) == 0)
      try write.transaction(of: first).create(StressTransfer.self, value: ["round": 5])
    }
    // Others may, and this thread may afterwards.
    try third.write { _ = try $0.create(StressTransfer.self, value: ["round": 1]) }
    #expect(try third.count(StressTransfer.self) == 1 && first.count(StressTransfer.self) == 1)
  }

  @Test(arguments: StoreKind.allCases) func oneStoreOrNoChangeIsNoTrouble(_ kind: StoreKind) throws {
    let joint = try joint(kind)
    defer { joint.close() }
    try joint.manager.write(to: joint.repositories) { _ in }
    for repository in joint.repositories {
      try joint.manager.write(to: [repository]) { write in
        try write.transaction(of: repository).create(StressTransfer.self, value: ["round": 7])
      }
      try joint.manager.write(to: joint.repositories) { write in
        try write[repository.name].create(StressTransfer.self, value: ["round": 8])
      }
      #expect(try repository.count(StressTransfer.self) == 2)
    }
    try expectWhole(joint, rounds: 0)
  }

  @Test func manyWritersOfOverlappingStoresDoNotWaitForEachOther() async throws {
    let rounds = TestEffort.count(8, more: 20)
    let joint = try joint(.inMemory)
    defer { joint.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for _ in 0..<rounds {
            let pair = [joint.repositories[task % 3], joint.repositories[(task + 1) % 3]]
            try await joint.manager.write(to: task < 3 ? pair : pair.reversed()) { write in
              for repository in pair {
                let transaction = try write.transaction(of: repository)
                let counter = try transaction.object(ofType: StressAccount.self, forPrimaryKey: 0)
                counter?.balance += 1
              }
            }
            try await joint.repositories[task % 3].save(entity: StressTransfer(), update: true)
          }
        }
      }
      try await group.waitForAll()
    }
    try expectWhole(joint, rounds: 4 * rounds)
  }
}
