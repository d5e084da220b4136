import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// An owner of so many members that they are in a tree of their own.
final class CrowdClub: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var members: List<CrowdMember>
  @Persisted var honoured: MutableSet<CrowdMember>
  @Persisted var byName: Map<String, CrowdMember?>
  @Persisted var guarded: List<CrowdMember>
  @Persisted var bounded: List<CrowdMember>
  @Persisted var count = 0
  @Persisted var points = 0
  @Persisted var least: Int?
  @Persisted var honouredPoints = 0
  @Persisted var namedCount = 0

  override class func relationships() -> [Relationship] {
    [
      Relationship("members", deleteRule: .cascade), Relationship("guarded", deleteRule: .deny),
      Relationship("bounded", maximum: 800),
    ]
  }

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("count", .count(of: "members")), DerivedProperty("points", .sum(of: "members.points")),
      DerivedProperty("least", .min(of: "members.points")),
      DerivedProperty("honouredPoints", .sum(of: "honoured.points")),
      DerivedProperty("namedCount", .count(of: "byName")),
    ]
  }
}

final class CrowdMember: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var points = 0
  @Persisted(originProperty: "members") var clubs: LinkingObjects<CrowdClub>
  @Persisted(originProperty: "honoured") var honours: LinkingObjects<CrowdClub>
  @Persisted var clubCount = 0
  @Persisted var clubPoints = 0

  override class func relationships() -> [Relationship] { [Relationship("honours", maximum: 1)] }

  override class func derivedProperties() -> [DerivedProperty] {
    [
      DerivedProperty("clubCount", .count(of: "clubs")), DerivedProperty("clubPoints", .sum(of: "clubs.id")),
    ]
  }
}

/// Rules and derived properties over large collections.
@Suite(.timeLimit(.minutes(20))) struct LargeRelationshipTests {
  private static let many = 1_000

  private func withCrowd(_ body: (RuleRepository) throws -> Void) throws {
    try RuleRepository.forBoth([CrowdClub.self, CrowdMember.self]) { repository in
      try repository.write { tx in
        let members = (0..<Self.many).map { CrowdMember(value: ["id": $0, "points": $0 + 1]) }
        let club = CrowdClub(value: ["id": 1])
        club.members.append(objectsIn: members)
        club.honoured.insert(objectsIn: members)
        for member in members { club.byName["\(member.id)"] = member }
        try tx.add(club)
        try tx.add(CrowdClub(value: ["id": 2]))
      }
      try body(repository)
    }
  }

  private func club(_ repository: RuleRepository, _ id: Int = 1) throws -> CrowdClub {
    try #require(repository.object(ofType: CrowdClub.self, forPrimaryKey: id))
  }

  private func member(_ repository: RuleRepository, _ id: Int) throws -> CrowdMember {
    try #require(repository.object(ofType: CrowdMember.self, forPrimaryKey: id))
  }

  private static func delete(_ object: Object, _ repository: RuleRepository) throws {
    try repository.write { try $0.delete(object) }
  }

  private static let sum = many * (many + 1) / 2

  @Test func derivedPropertiesFollowLargeCollections() throws {
    try withCrowd { repository in
      var club = try club(repository)
      #expect(club.count == Self.many && club.points == Self.sum && club.least == 1)
      #expect(club.honouredPoints == Self.sum && club.namedCount == Self.many)
      #expect(try member(repository, 5).clubCount == 1)
      try repository.write { tx in
        let club = try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 1))
        let last = CrowdMember(value: ["id": Self.many, "points": -5])
        club.members.insert(last, at: 100)
        #expect(club.count == Self.many + 1 && club.points == Self.sum - 5 && club.least == -5)
        #expect(last.clubCount == 1 && last.clubPoints == 1)
        club.members.remove(at: 0)
        #expect(club.count == Self.many && club.points == Self.sum - 6)
        // The same number of elements, and others.
        club.members[0] = last
        let first = try #require(try tx.object(ofType: CrowdMember.self, forPrimaryKey: 0))
        #expect(first.clubCount == 0 && last.clubCount == 1)
        #expect(club.points == Self.sum - 6 - 2 - 5)
        club.honoured.remove(first)
        #expect(club.honouredPoints == Self.sum - 1)
        // A member's own value.
        last.points = 10
        #expect(club.points == Self.sum - 1 - 2 + 20 && club.least == 3)
      }
      club = try self.club(repository)
      #expect(club.count == Self.many && club.points == Self.sum - 3 + 20 && club.least == 3)
      // A deletion takes the member out of everything.
      try Self.delete(try member(repository, 2), repository)
      club = try self.club(repository)
      #expect(club.count == Self.many - 1 && club.points == Self.sum - 3 + 20 - 3 && club.least == 4)
      #expect(club.honouredPoints == Self.sum - 1 - 3)
      #expect(
        club.members.count == Self.many - 1 && club.byName.keys.contains("2")
          && (club.byName["2"] ?? nil)?.id == nil
      )
    }
  }

  @Test func membersOfALargeListHearOfTheirOwner() throws {
    try withCrowd { repository in
      try repository.write { tx in
        let second = try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 2))
        second.members.append(objectsIn: tx.objects(CrowdMember.self))
      }
      let members = repository.store().objects(CrowdMember.self)
      #expect(members.allSatisfy { $0.clubCount == 2 && $0.clubPoints == 3 })
      try repository.write { tx in
        try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 2)).members.removeAll()
      }
      #expect(members.allSatisfy { $0.clubCount == 1 && $0.clubPoints == 1 })
    }
  }

  @Test func aLargeListTakesItsMembersWithIt() throws {
    try withCrowd { repository in
      try Self.delete(try club(repository), repository)
      #expect(repository.store().objects(CrowdMember.self).isEmpty)
      #expect(repository.store().objects(CrowdClub.self).count == 1)
    }
  }

  @Test func aLargeListDenies() throws {
    try withCrowd { repository in
      try repository.write { tx in
        let second = try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 2))
        second.guarded.append(objectsIn: tx.objects(CrowdMember.self))
      }
      let error = failure { try Self.delete(try club(repository, 2), repository) } as? FiefError
      #expect(error?.code == .deletionDenied && error?.property == "guarded" && error?.key == "2")
      #expect(try club(repository, 2).guarded.count == Self.many)
      try repository.write { tx in
        let second = try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 2))
        second.guarded.removeAll()
        try tx.delete(second)
      }
      #expect(repository.store().objects(CrowdMember.self).count == Self.many)
    }
  }

  @Test func limitsCountLargeCollections() throws {
    let moved = TestEffort.count(100, more: 200)
    try withCrowd { repository in
      let tooMany = failure {
        try repository.write { tx in
          let second = try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 2))
          second.bounded.append(objectsIn: tx.objects(CrowdMember.self))
        }
      }
      #expect((tooMany as? FiefError)?.code == .validationFailed)
      #expect((tooMany as? FiefError)?.property == "bounded" && (tooMany as? FiefError)?.key == "2")
      #expect(try club(repository, 2).bounded.isEmpty)
      // Each member may be honoured once, and is by the first club.
      let twice = failure {
        try repository.write { tx in
          let second = try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 2))
          let members = tx.objects(CrowdMember.self).where { $0.id < moved }
          second.honoured.insert(objectsIn: members)
        }
      }
      #expect(
        (twice as? FiefError)?.code == .validationFailed && (twice as? FiefError)?.property == "honours"
      )
      #expect(try club(repository, 2).honoured.isEmpty)
      try repository.write { tx in
        let first = try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 1))
        let second = try #require(try tx.object(ofType: CrowdClub.self, forPrimaryKey: 2))
        for member in tx.objects(CrowdMember.self).where({ $0.id < moved }) {
          first.honoured.remove(member)
          second.honoured.insert(member)
        }
      }
      #expect(try club(repository, 2).honouredPoints == moved * (moved + 1) / 2)
    }
  }
}
