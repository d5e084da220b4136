import Fief
import FiefTesting
import Foundation
import Testing

/// A person who cannot be deleted while others have it as their keeper.
final class TimedPerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var friend: TimedPerson?
  @Persisted var keeper: TimedPerson?
  @Persisted(originProperty: "keeper") var kept: LinkingObjects<TimedPerson>
  @Persisted var changedAt: Date?

  override class func relationships() -> [Relationship] { [Relationship("kept", deleteRule: .deny)] }

  override class func derivedProperties() -> [DerivedProperty] { [DerivedProperty("changedAt", .lastChange)] }
}

@Suite struct DerivedTimeTests {
  /// A deletion that may be denied is rolled back by itself, and yet part of the write.
  @Test func isOneForAllThatAWriteChanges() throws {
    try RuleRepository.forBoth([TimedPerson.self]) { repository in
      try repository.write { transaction in
        for id in 0..<5 { try transaction.create(TimedPerson.self, value: ["id": id]) }
      }
      try repository.write { transaction in
        let persons = Array(transaction.objects(TimedPerson.self))
        persons[1].friend = persons[0]
      }
      try repository.write { transaction in
        try transaction.delete(ofType: TimedPerson.self, forPrimaryKeys: [0])
        try transaction.object(ofType: TimedPerson.self, forPrimaryKey: 2)?.name = "changed"
      }
      let times = try repository.read { $0.objects(TimedPerson.self).map(\.changedAt) }
      // The first one has lost its friend.
      #expect(times[0] == times[1] && times[2] == times[3])
      #expect(try #require(times[1]) > #require(times[2]))
    }
  }

  @Test(arguments: StoreKind.allCases) func isThatOfTheClock(_ kind: StoreKind) throws {
    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 1_000))
    var options = StoreOptions()
    options.clock = clock.read
    let fixture = try StoreFixture(
      TestRepository(version: 1, objectTypes: [TimedPerson.self], options: options),
      kind
    )
    func time() throws -> Double? {
      try fixture.read {
        try $0.object(ofType: TimedPerson.self, forPrimaryKey: 1)?.changedAt?.timeIntervalSinceReferenceDate
      }
    }
    try fixture.saveAndWait(entity: TimedPerson(value: ["id": 1]))
    #expect(try time() == 1_000)
    clock.advance(by: -0.5)
    try fixture.write { try $0.object(ofType: TimedPerson.self, forPrimaryKey: 1)?.name = "changed" }
    #expect(try time() == 999.5)
  }
}
