import Fief
import Foundation
import Testing

@testable import FiefCore

@Suite("Scopes and what they hold") struct ScopeLifetimeTests {
  private let repository = ModelRepository(
    realmMemoryType: .inMemory(identifier: UUID().uuidString),
    directory: nil
  )

  private func owner(_ id: Int, in tx: AccessScope) throws -> ModelOwner {
    try #require(try tx.object(ofType: ModelOwner.self, forPrimaryKey: id))
  }

  private func pet(_ name: String, in tx: AccessScope) throws -> RandomPet {
    try #require(try tx.object(ofType: RandomPet.self, forPrimaryKey: name))
  }

  private func addFixture() throws {
    try repository.write { tx in
      let owner = ModelOwner()
      owner.id = 1
      owner.home = ModelHome()
      try tx.add(owner)
      for name in ["a", "b"] {
        let pet = RandomPet()
        pet.name = name
        try tx.add(pet)
      }
    }
  }

  @Test("A part of an object without another reference is changed as any other")
  func partsWithoutHolder() throws {
    try addFixture()
    try repository.write { tx in
      try owner(1, in: tx).pets.append(try pet("a", in: tx))
      try owner(1, in: tx).home?.street = "Main"
      try pet("a", in: tx).friends.insert(try pet("b", in: tx))
      try pet("a", in: tx).tags["x"] = 1
      // The same again: each of the lookups above has written what was changed before it.
      try owner(1, in: tx).pets.append(try pet("b", in: tx))
      try owner(1, in: tx).home?.floor = 3
    }
    try repository.read { snapshot in
      let owner = try owner(1, in: snapshot)
      #expect(owner.pets.map(\.name) == ["a", "b"])
      #expect(owner.home?.street == "Main")
      #expect(owner.home?.floor == 3)
      let pet = try pet("a", in: snapshot)
      #expect(pet.friends.map(\.name) == ["b"])
      #expect(pet.tags["x"] == 1)
    }
    repository.closeChecked()
  }

  @Test("A collection that was taken before another change still writes its own")
  func collectionAcrossFlush() throws {
    try addFixture()
    try repository.write { tx in
      let pets = try owner(1, in: tx).pets
      try owner(1, in: tx).name = "Emi"
      let first = try pet("a", in: tx)
      pets.append(first)
      pets.append(try pet("b", in: tx))
    }
    let names = try repository.read { try owner(1, in: $0).pets.map(\.name) }
    #expect(names == ["a", "b"])
    repository.closeChecked()
  }

  @Test("A part of an object that was added in the write, and has no other reference")
  func partsOfAddedObject() throws {
    try repository.write { tx in
      func make() throws -> ModelOwner {
        let owner = ModelOwner()
        owner.id = 7
        owner.pets.append(RandomPet(value: ["name": "first"]))
        try tx.add(owner)
        return owner
      }
      try make().pets.append(RandomPet(value: ["name": "second"]))
    }
    let names = try repository.read { try owner(7, in: $0).pets.map(\.name) }
    #expect(names == ["first", "second"])
    repository.closeChecked()
  }

  @Test("The inverse of an object without another reference is looked up as any other")
  func inverseWithoutHolder() throws {
    try addFixture()
    try repository.write { tx in
      try pet("a", in: tx).owner = try owner(1, in: tx)
      let names = try owner(1, in: tx).owned.map(\.name)
      #expect(names == ["a"])
    }
    try repository.read { snapshot in
      let count = try owner(1, in: snapshot).owned.count
      #expect(count == 1)
    }
    #expect(repository.object(ofType: ModelOwner.self, forPrimaryKey: 1)?.owned.map(\.name) == ["a"])
    repository.closeChecked()
  }

  @Test("Nothing of a write or a read stays when it has ended")
  func released() throws {
    try addFixture()
    weak var synchronous: AccessScope?
    weak var rolledBack: AccessScope?
    weak var reading: AccessScope?
    struct Refused: Error {}
    try repository.write { tx in
      synchronous = tx
      try owner(1, in: tx).pets.append(try pet("a", in: tx))
      try tx.add(ModelOwner(value: ["id": 2]))
    }
    try? repository.write { tx in
      rolledBack = tx
      try tx.add(ModelOwner(value: ["id": 3]))
      try owner(1, in: tx).name = "never"
      throw Refused()
    }
    try repository.read { snapshot in
      reading = snapshot
      _ = try owner(1, in: snapshot).pets.first?.name
    }
    #expect(synchronous == nil)
    #expect(rolledBack == nil)
    #expect(reading == nil)
    repository.closeChecked()
  }

  @Test("Nothing of a queued write stays when it has ended")
  func queuedReleased() async throws {
    let queued = WeakScope()
    try await repository.write { tx in
      queued.scope = tx
      try tx.add(ModelOwner(value: ["id": 4]))
    }
    // A write that was queued later has ended only after the earlier one was given up.
    try await repository.write { _ in }
    #expect(queued.scope == nil)
    repository.closeChecked()
  }

  @Test(
    "An object that outlives its scope keeps its values, its links resolve to the newest state, and it joins writes"
  )
  func outlivingObject() throws {
    try addFixture()
    var kept: ModelOwner?
    try repository.write { tx in
      kept = try owner(1, in: tx)
      kept?.name = "Emi"
    }
    try repository.write { tx in try owner(1, in: tx).pets.append(try pet("b", in: tx)) }
    let fresh = try #require(repository.object(ofType: ModelOwner.self, forPrimaryKey: 1))
    #expect(kept?.name == "Emi")
    #expect(fresh.pets.first?.name == "b")
    try repository.write { tx in
      kept?.name = "live again"
      let name = try owner(1, in: tx).name
      #expect(name == "live again")
    }
    repository.closeChecked()
  }
}

/// Carries a weak reference through a closure that may run on another thread.
// SAFETY: written on the thread of the write queue before the write returns, and read after it.
private final class WeakScope: @unchecked Sendable {
  weak var scope: AccessScope?
}
