import Fief
import Testing

@Suite("Migration plans")
struct MigrationPlanTests {
  private enum Zero: MigrationStep {
    static let version: UInt64 = 0
    static let name = "zero"
    static let description = "Version 0 is that of a new store."
  }
  private enum Two: MigrationStep {
    static let version: UInt64 = 2
    static let name = "two"
    static let description = "The first step."
  }
  private enum OtherTwo: MigrationStep {
    static let version: UInt64 = 2
    static let name = "other two"
    static let description = "Made on another branch."
  }
  private enum Three: MigrationStep {
    static let version: UInt64 = 3
    static let name = "three"
    static let description = "The second step."
  }
  private enum Six: MigrationStep {
    static let version: UInt64 = 6
    static let name = "six"
    static let description = "Versions 4 and 5 are missing before it."
  }

  private func expect(_ plan: MigrationPlan, finds detail: String) {
    #expect(plan.error?.code == .invalidMigrationPlan)
    #expect(plan.error?.details == [detail])
    do {
      _ = try MigrationPlan(checking: plan.steps)
      Issue.record("The plan was made.")
    } catch {
      #expect(error.details == [detail])
    }
  }

  @Test("find versions that are there twice, out of order or missing when they are made")
  func wrongVersions() {
    expect(
      MigrationPlan([Two.self, OtherTwo.self]),
      finds: "version 2 appears twice: 'two' and 'other two'"
    )
    expect(MigrationPlan([Three.self, Two.self]), finds: "version 2, 'two', comes after version 3")
    expect(
      MigrationPlan([Two.self, Three.self, Six.self]),
      finds: "the versions 4 to 5 are missing before version 6, 'six'"
    )
    expect(
      MigrationPlan([Zero.self]),
      finds: "version 0, 'zero', is a new store's version: it needs no migration"
    )
  }

  @Test("in order know their versions and the steps that a store lacks")
  func inOrder() throws {
    let plan = try MigrationPlan(checking: [Two.self, Three.self])
    #expect(plan.error == nil)
    #expect(plan.version == 3)
    #expect(plan.oldestVersion == 1)
    #expect(plan.steps(after: 2).map { $0.version } == [3])
    #expect(plan.steps(after: 3).isEmpty)
    #expect(MigrationPlan([]).error == nil)
  }
}
