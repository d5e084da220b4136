import Fief
import FiefStress
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// Writes to several stores whose outcome is not known, and the errors of those that come after them.
@Suite(.timeLimit(.minutes(20))) struct JointOutcomeTests {
  private struct StepFailed: Error {}

  #if os(Linux)
    /// The device fails for good while the coordinator commits, after its meta page was written or not.
    @Test(arguments: [false, true], [false, true])
    func aDecisionThatIsNotKnownIsMadeInAllStoresOrInNone(isMade: Bool, isRelaxed: Bool) throws {
      let directory = try TemporaryDirectory()
      let joint = StressJoint(directory: directory.path)
      try joint.fill()
      joint.close()
      let (lines, end) = try CrashChild(
        "joint-undecided",
        directory.path,
        isMade ? "1" : "0",
        isRelaxed ? "1" : "0"
      ).finish()
      let rounds = isMade ? 2 : 1
      #expect(end == .exited(0))
      #expect(lines.first == "write unknownOutcome", "\(lines)")
      // The coordinator itself, whose device fails, and the others, which wait for what it says.
      #expect(
        lines.dropFirst().prefix(3).sorted() == [
          "blocked blockedByUnfinishedWrite", "blocked blockedByUnfinishedWrite", "blocked inputOutput",
        ],
        "\(lines)"
      )
      #expect(
        lines.dropFirst(4) == [
          "next none", "next none", "next none", "rounds \(rounds)", "rounds \(rounds)", "rounds \(rounds)",
          "problems []", "end 1",
        ],
        "\(lines)"
      )
    }

    /// The decision of a relaxed store is committed, and is not on the disk: no other store may have its part yet.
    @Test func aRelaxedDecisionThatIsNotSynchronisedIsNotKnown() throws {
      let directory = try TemporaryDirectory()
      let joint = StressJoint(directory: directory.path)
      try joint.fill()
      joint.close()
      let (lines, end) = try CrashChild("joint-undecided", directory.path, "2", "1").finish()
      #expect(end == .exited(0))
      #expect(
        lines == [
          "write unknownOutcome", "blocked none", "blocked none", "blocked none", "next none", "next none",
          "next none", "rounds 2", "rounds 2", "rounds 2", "problems []", "end 1",
        ],
        "\(lines)"
      )
    }
  #endif

  /// A write that takes place although a store does not have its part, and one that is refused because of that.
  @Test(arguments: StoreKind.allCases) func twoCodesTellWhetherAWriteTakesPlace(_ kind: StoreKind) throws {
    let directory = try TemporaryDirectory()
    let joint = StressJoint(
      StressJoint.names.map { StressJointRepository($0, kind, in: directory) }
    )
    defer { joint.close() }
    try joint.fill()
    let failing: @Sendable (String) throws -> Void = { step in
      if step == "commit(1)" || step.hasPrefix("replay") || step == "recover finish" { throw StepFailed() }
    }
    try JointSteps.$observer.withValue(failing) {
      let first = #expect(throws: FiefError.self) { try joint.transfer(1) }
      #expect(first?.code == .unfinishedWrite)
      let advice = ErrorAdvice(first ?? FiefError(.storage, ""))
      #expect(advice.consequence == "The write will complete: do not repeat it.")
      // Another one to several stores, and one to the store alone.
      let second = #expect(throws: FiefError.self) { try joint.transfer(2) }
      #expect(second?.code == .blockedByUnfinishedWrite)
      #expect(ErrorAdvice(second ?? FiefError(.storage, "")).consequence == "Nothing was changed.")
      let late = joint.repositories.filter { (try? joint.rounds($0)) == 0 }
      #expect(late.count == 1)
      for repository in late {
        let alone = #expect(throws: FiefError.self) {
          try repository.write { _ = try $0.create(StressTransfer.self, value: ["round": 9]) }
        }
        #expect(alone?.code == .blockedByUnfinishedWrite)
        let saved = #expect(throws: FiefError.self) {
          try repository.saveAndWait(entity: StressTransfer(), update: true)
        }
        #expect(saved?.code == .blockedByUnfinishedWrite)
        guard kind.outlivesClosing else { continue }
        let dynamic = try DynamicStore(
          directory: directory[repository.name],
          isReadOnly: false,
          encryption: kind.ownEncryption
        )
        let foreign = #expect(throws: FiefError.self) {
          _ = try dynamic.write { try $0.put("StressTransfer", ["round": 9]) }
        }
        #expect(foreign?.code == .blockedByUnfinishedWrite)
        dynamic.close()
      }
    }
    // A refused write does not take place, an unfinished one does.
    for repository in joint.repositories { try repository.write { _ = try $0.count(StressTransfer.self) } }
    #expect(try joint.repositories.map { try joint.rounds($0) } == [1, 1, 1])
    for repository in joint.repositories {
      #expect(try repository.count(StressTransfer.self) == 1)
      #expect(try repository.check().problems == [])
    }
  }
}
