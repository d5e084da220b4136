import Fief
import FiefStress
import Foundation
import LMDB
import Testing

@testable import FiefCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The state of stores when a process forks or ends, and of calls that a signal interrupts.
@Suite(.timeLimit(.minutes(20))) struct ProcessEndTests {
  @Test func aForkedProcessIsToldSoAndLeavesTheStoresAlone() throws {
    let directory = try TemporaryDirectory()
    let (lines, end) = try CrashChild("forked", directory.path).finish()
    #expect(end == .exited(0))
    let refused = ["count forkedProcess", "write forkedProcess", "read forkedProcess"]
    #expect(
      lines.map { String($0) } == ["before none", "before none"] + refused + refused + [
        "reopened none", "status 0", "after none", "objects 3", "after none", "objects 2", "end 1",
      ]
    )
  }

  @Test func aForkedProcessEndsNoWriteOfItsParent() throws {
    let directory = try TemporaryDirectory()
    let (lines, end) = try CrashChild("forkedInWrite", directory.path).finish()
    #expect(end == .exited(0))
    #expect(
      lines.map { String($0) } == [
        "begin none", "commit forkedProcess", "cancel forkedProcess", "status 0", "commit none", "objects 1",
        "end 1",
      ]
    )
  }

  @Test func aForkedProcessObservesItsOwnStores() throws {
    let directory = try TemporaryDirectory()
    let (lines, end) = try CrashChild("forkedObserving", directory.path).finish()
    #expect(end == .exited(0))
    #expect(lines.map { String($0) } == ["before 5", "forked 5", "status 0", "after 5", "end 1"])
  }

  @Test func aProcessThatEndsInABegunWriteLeavesNothing() throws {
    let directory = try TemporaryDirectory()
    let (lines, end) = try CrashChild("begun", directory.path).kill(microseconds: 0, after: "begun")
    #expect(end == .killed && lines == ["begun 1"])
    let repository = StressJointRepository("first", directory: directory.path)
    defer { repository.close() }
    let store = repository.store()
    try store.beginHeldWrite()
    store.create(StressAccount.self, value: ["id": 2])
    // The other process's writes wait for this one.
    let other = try CrashChild("come-and-go", directory.path, "1", "1")
    try store.commitHeldWrite(withoutNotifying: [])
    let outcome = other.finish()
    let saved = outcome.lines.dropLast()
    #expect(outcome.end == .exited(0) && saved.allSatisfy { $0.hasPrefix("saved") })
    #expect(try repository.count(StressAccount.self) == saved.count + 1)
  }

  @Test func aStoreInMemoryGoesWithItsProcess() throws {
    let name = UUID().uuidString
    let (lines, end) = try CrashChild("memory", name).finish()
    #expect(end == .exited(0))
    let path = try #require(lines.first?.dropFirst("in ".count))
    #expect(path.contains("fief-memory-"))
    #expect(!FileManager.default.fileExists(atPath: String(path)))
  }

  @Test func anInterruptionHasACodeOfItsOwn() {
    let error = FiefError(LMDBError(.interrupted, returnCode: EINTR))
    #expect(error.code == .interrupted)
    #expect(ErrorAdvice(error).next == "Try again.")
    #expect(FiefError(LMDBError(.forkedProcess)).code == .forkedProcess)
  }
}
