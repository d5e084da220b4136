import Fief
import FiefTesting
import Foundation
import Testing

/// Changes of all objects of results, without making them.
struct BulkChangeTests {
  final class BulkTeam: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted(originProperty: "team") var members: LinkingObjects<BulkMember>
    @Persisted var total: Int
    @Persisted var list: List<BulkMember>

    override class func derivedProperties() -> [DerivedProperty] {
      [DerivedProperty("total", .sum(of: "members.points"))]
    }
    override class func relationships() -> [Relationship] {
      [Relationship("members", deleteRule: .deny), Relationship("list", maximum: 5)]
    }
  }

  final class BulkMember: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var points: Int
    @Persisted var note: String?
    @Persisted var team: BulkTeam?
    @Persisted var changed: Date?
    @Persisted var parts: List<BulkPart>

    override class func derivedProperties() -> [DerivedProperty] { [DerivedProperty("changed", .lastChange)] }
    override class func indexes() -> [IndexDefinition] { [.unique("note")] }
    override class func relationships() -> [Relationship] { [Relationship("parts", deleteRule: .cascade)] }
  }

  final class BulkPart: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  private func club(_ kind: StoreKind, members: Int = 100) throws -> StoreFixture<TestRepository> {
    let club = try StoreFixture(
      TestRepository(objectTypes: [BulkTeam.self, BulkMember.self, BulkPart.self]),
      kind
    )
    try club.write { transaction in
      let teams = try (0..<2).map {
        try transaction.create(BulkTeam.self, value: ["id": $0, "name": "team \($0)"])
      }
      for id in 0..<members {
        let member = try transaction.create(BulkMember.self, value: ["id": id, "points": id])
        member.team = teams[id % 2]
        member.parts.append(try transaction.create(BulkPart.self, value: ["id": id]))
      }
    }
    return club
  }

  private func total(_ club: StoreFixture<TestRepository>) -> Int {
    club.store().objects(BulkTeam.self).reduce(0) { $0 + $1.total }
  }

  private static func sum(_ numbers: Range<Int>) -> Int { numbers.reduce(0, +) }

  private func points(_ club: StoreFixture<TestRepository>) throws -> [Int] {
    try club.store().objects(BulkMember.self).sorted(byKeyPath: \.id).all().map(\.points)
  }

  @Test(arguments: StoreKind.allCases)
  func updateChangesTheObjectsOfTheResults(_ kind: StoreKind) async throws {
    let club = try club(kind)
    let members = club.store().objects(BulkMember.self)
    let count = try syncUpdate(members.where { $0.points >= 50 })
    #expect(count == 50)
    #expect(try points(club) == (0..<100).map { $0 < 50 ? $0 : $0 + 1000 })
    // The index has the new values, and the sum of the teams too.
    #expect(members.where { $0.points >= 1050 }.count == 50)
    #expect(total(club) == Self.sum(0..<100) + 50_000)
    let later = try await members.where { $0.points < 50 }.update(.set(\.points, 0))
    #expect(later == 50)
    #expect(try await members.where { $0.points == 7 }.update(.increment(\.points)) == 0)
    #expect(members.where { $0.points == 0 }.count == 50)
  }

  /// Outside of an async function, where `write` is the one that waits.
  private func write(
    _ club: StoreFixture<TestRepository>,
    _ body: (WriteTransaction) throws -> Void
  ) throws {
    try club.write { try body($0) }
  }

  private func syncUpdate(_ results: Results<BulkMember>) throws -> Int {
    try results.update {
      $0.increment(\.points, by: 500)
      $0.increment(\.points, by: 500)
    }
  }

  @Test func updateDoesNotMeetAnObjectTwiceThatItMoves() throws {
    let club = try club(.inMemory)
    let members = club.store().objects(BulkMember.self)
    #expect(
      try members.where { $0.points >= 10 }.sorted(byKeyPath: \.points).update(.increment(\.points, by: 20))
        == 90
    )
    #expect(try points(club) == (0..<100).map { $0 < 10 ? $0 : $0 + 20 })
  }

  @Test(arguments: StoreKind.allCases)
  func orderLimitDistinctAndSectionsCount(_ kind: StoreKind) throws {
    let club = try club(kind)
    let members = club.store().objects(BulkMember.self)
    let sorted = members.sorted(byKeyPath: \.points, ascending: false)
    #expect(try sorted.limit(3).update(.set(\.points, -1)) == 3)
    #expect(try points(club).suffix(4) == [96, -1, -1, -1])
    #expect(
      try members.distinct(by: \.points).where { $0.points == -1 }.update(.increment(\.points, by: -1)) == 1
    )
    #expect(try points(club).suffix(3) == [-2, -1, -1])
    let section = try #require(members.sectioned(by: \.points).first { $0.key == -1 })
    #expect(try section.objects.update(.set(\.points, -5)) == 2)
    #expect(try points(club).suffix(3) == [-2, -5, -5])
    #expect(try sorted.limit(2).delete() == 2)
    #expect(try points(club).count == 98 && points(club).max() == 94)
  }

  @Test func listsChangeAnObjectOnce() throws {
    let club = try club(.inMemory)
    try club.write { transaction in
      let team = try #require(try transaction.object(ofType: BulkTeam.self, forPrimaryKey: 0))
      let member = try #require(try transaction.object(ofType: BulkMember.self, forPrimaryKey: 4))
      for _ in 0..<3 { team.list.append(member) }
    }
    let team = try #require(try club.store().fetchObject(ofType: BulkTeam.self, forPrimaryKey: 0))
    #expect(try team.list.where { $0.points > 0 }.update(.increment(\.points)) == 1)
    #expect(try points(club)[4] == 5)
    #expect(try team.members.where { $0.points < 7 }.update(.increment(\.points, by: 100)) == 4)
    #expect(try team.list.where { $0.points > 0 }.delete() == 1)
    #expect(try points(club).count == 99)
  }

  @Test(arguments: StoreKind.allCases)
  func failureInTheMiddleChangesNothing(_ kind: StoreKind) async throws {
    let club = try club(kind)
    let members = club.store().objects(BulkMember.self)
    try write(club) { transaction in
      try transaction.update(BulkMember.self, forPrimaryKey: 60, .set(\.points, .max))
    }
    let before = try points(club)
    let error = await #expect(throws: FiefError.self) { try await members.update(.increment(\.points)) }
    #expect(error?.code == .invalidValue && error?.key == "60" && error?.property == "points")
    // The same values in a unique index, and a relationship that denies the deletion.
    let duplicate = await #expect(throws: FiefError.self) { try await members.update(.set(\.note, "same")) }
    #expect(duplicate?.code == .duplicateValue)
    let denied = await #expect(throws: FiefError.self) {
      try await club.store().objects(BulkTeam.self).delete()
    }
    #expect(denied?.code == .deletionDenied)
    #expect(try points(club) == before)
    #expect(club.store().objects(BulkTeam.self).count == 2)
    // In a write the rest of it stays, where the closure goes on.
    try write(club) { transaction in
      try transaction.update(BulkMember.self, forPrimaryKey: 1, .set(\.points, 1234))
      #expect(throws: FiefError.self) {
        try transaction.objects(BulkMember.self).update(.increment(\.points))
      }
      #expect(throws: FiefError.self) { try transaction.objects(BulkTeam.self).delete() }
    }
    #expect(try points(club).enumerated().allSatisfy { $0 == 1 ? $1 == 1234 : $1 == before[$0] })
    let team = try #require(try club.store().fetchObject(ofType: BulkTeam.self, forPrimaryKey: 1))
    #expect(team.total == 2500 - 1 + 1234)
  }

  @Test(arguments: StoreKind.allCases)
  func deleteFollowsTheRules(_ kind: StoreKind) async throws {
    let club = try club(kind)
    let members = club.store().objects(BulkMember.self)
    #expect(try await members.where { $0.id < 30 }.delete() == 30)
    #expect(club.store().objects(BulkPart.self).count == 70)
    #expect(total(club) == Self.sum(30..<100))
    #expect(try await members.delete() == 70)
    #expect(members.isEmpty && club.store().objects(BulkPart.self).isEmpty)
    #expect(try await club.store().objects(BulkTeam.self).delete() == 2)
    #expect(try await club.store().objects(BulkTeam.self).delete() == 0)
  }

  @Test func liveObjectsShowTheChanges() throws {
    let club = try club(.inMemory)
    try club.write { transaction in
      let first = try #require(try transaction.object(ofType: BulkMember.self, forPrimaryKey: 1))
      let team = try #require(first.team)
      first.points = 11
      #expect(
        try transaction.objects(BulkMember.self).where { $0.points == 11 }.update(.increment(\.points)) == 2
      )
      #expect(first.points == 12)
      // The odd numbers below 100, of which two have changed: 1 became 12, 11 became 12.
      #expect(team.total == 2500 + 11 + 1)
      first.note = "kept"
      try transaction.update(BulkMember.self, forPrimaryKey: 1, .increment(\.points, by: 8))
      #expect(first.points == 20 && first.note == "kept")
      #expect(try transaction.objects(BulkMember.self).where { $0.id == 1 }.delete() == 1)
      #expect(team.members.count == 49)
      #expect(try transaction.objects(BulkMember.self).where { $0.id == 3 }.update(.delete(\.team)) == 1)
      #expect(team.members.count == 48)
    }
    #expect(try points(club).count == 99)
  }

  @Test func writeThatIsRolledBackUndoesThem() throws {
    let club = try club(.inMemory)
    var held: BulkMember?
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try club.write { transaction in
        held = try transaction.object(ofType: BulkMember.self, forPrimaryKey: 1)
        try transaction.objects(BulkMember.self).update(.set(\.points, 0))
        #expect(held?.points == 0)
        throw Stop()
      }
    }
    #expect(held?.points == 1)
    #expect(try points(club) == Array(0..<100))
  }

  @Test func resultsOfNoStoreAreRefused() throws {
    let list = List<BulkMember>()
    list.append(BulkMember())
    #expect { try list.where { $0.points == 0 }.update(.increment(\.points)) } throws: {
      ($0 as? FiefError)?.code == .objectNotFound
    }
    let club = try club(.inMemory)
    let results = club.store().objects(BulkMember.self)
    #expect { try results.update(.field("nothing", 1)) } throws: {
      ($0 as? FiefError)?.code == .unknownProperty
    }
    club.close()
    #expect { try results.update(.increment(\.points)) } throws: { ($0 as? FiefError)?.code == .storeClosed }
  }

  @Test func observersAreNotifiedOfChangedProperties() async throws {
    let club = try club(.inMemory)
    let updates = Lock<[[Int]]>([])
    let results = club.store().objects(BulkMember.self).where { $0.id < 10 }
    let token = results.observe { change in
      if case .update(_, _, _, let modifications) = change { updates.withLock { $0.append(modifications) } }
      if case .initial = change { updates.withLock { $0.append([]) } }
    }
    while updates.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
    _ = try await results.where { $0.id >= 5 }.update(.increment(\.points, by: 3))
    while updates.withLock({ $0.count < 2 }) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(updates.withLock { $0.last } == [5, 6, 7, 8, 9])
    withExtendedLifetime(token) {}
  }
}
