import Fief
import FiefStress
import Foundation
import LMDB
import Synchronization

/// A process that has the old schema open and goes on reading and writing while another one migrates.
///
/// It writes the last error that each of its threads got, and the problems found.
final class OldProcess: Sendable {
  private let repository: StressMigrationRepository
  private let rounds = Atomic(0)

  init(_ directory: String) { repository = StressMigrationRepository(version: 1, directory: directory) }

  func run() {
    let error = repository.store().openingError
    if let error { Child.say("error \(error.code.rawValue)\n") }
    let loops: [@Sendable () throws -> Void] = [readScopes, readResults, writeScopes, save, saveFromMany]
    let group = DispatchGroup()
    for (number, loop) in loops.enumerated() {
      group.enter()
      Thread.detachNewThread {
        self.repeatUntilError(number, loop)
        group.leave()
      }
    }
    group.wait()
    // The error stays until the store is closed.
    Child.say("then \(code { _ = try self.repository.count(StressGone.self) })\n")
    repository.close()
    Child.say("reopened \(code { _ = try self.repository.count(StressGone.self) })\n")
    Child.say("end 1\n")
  }

  private func repeatUntilError(_ number: Int, _ loop: () throws -> Void) {
    var round = 0
    while true {
      do {
        try loop()
        round += 1
        if round == 3, rounds.add(1, ordering: .relaxed).newValue == 5 { Child.say("ready 1\n") }
      } catch let error as FiefError {
        return Child.say("loop \(number) \(error.code.rawValue)\n")
      } catch {
        return Child.say("loop \(number) \(error)\n")
      }
    }
  }

  private func code(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing"
    } catch {
      return (error as? FiefError)?.code.rawValue ?? "\(error)"
    }
  }

  private struct Wrong: Error { let what: String }

  private func readScopes() throws {
    try repository.read { snapshot in
      for id in [1, 5, 300] {
        guard let animal = try snapshot.object(ofType: StressAnimalBefore.self, forPrimaryKey: id) else {
          throw Wrong(what: "animal \(id) is gone")
        }
        try expectRight(animal, id)
      }
    }
  }

  private func readResults() throws {
    var id = 0
    for animal in try repository.store().objects(StressAnimalBefore.self).sorted(byKeyPath: "weight").all() {
      try expectRight(animal, id)
      id += 1
    }
    if id != StressMigrationRepository.count { throw Wrong(what: "\(id) animals") }
  }

  private func expectRight(_ animal: StressAnimalBefore, _ id: Int) throws {
    guard Int(animal.id) == id, animal.weight == Int32(id * 1000 - 5), animal.tag == "tag \(id % 50)" else {
      throw Wrong(what: "animal \(id) is \(animal)")
    }
  }

  private func writeScopes() throws {
    try repository.store().write { transaction in
      guard let holder = try transaction.object(ofType: StressHolderBefore.self, forPrimaryKey: 3) else {
        throw Wrong(what: "holder 3 is gone")
      }
      holder.title = "holder 3"
    }
  }

  private func save() throws {
    let holder = StressHolderBefore(value: ["id": 4, "title": "holder 4"])
    try repository.saveAndWait(entity: holder)
  }

  /// Many callers share a batch; each of them gets the error.
  private func saveFromMany() throws {
    let failures = OwnedLock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      let id = 10 + number
      let holder = StressHolderBefore(value: ["id": id, "title": "holder \(id)"])
      do { try repository.saveAndWait(entity: holder) } catch {
        failures.withLock { $0.append((error as? FiefError)?.code.rawValue ?? "\(error)") }
      }
    }
    let found = failures.withLock { $0 }
    if found.isEmpty { return }
    if Set(found) == ["schemaChanged"] { throw FiefError(.schemaChanged, "A save has failed.") }
    throw Wrong(what: "\(found)")
  }
}
