import Fief
import Foundation
import Testing

@testable import FiefCore

/// A least number of objects that counts where there are any, and one that counts always.
@Suite struct OptionalMinimumTests {
  final class Member: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var crew: Crew?
  }
  final class Crew: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var members: List<Member>
    @Persisted(originProperty: "crew") var joined: LinkingObjects<Member>
    override class func relationships() -> [Relationship] {
      [Relationship("members", minimum: 2, maximum: 4), Relationship("joined", minimum: 2, maximum: 4)]
    }
  }
  enum Required {
    final class Member: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var crew: Crew?
    }
    final class Crew: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var members: List<Member>
      @Persisted(originProperty: "crew") var joined: LinkingObjects<Member>
      override class func relationships() -> [Relationship] {
        [
          Relationship("members", isRequired: true, minimum: 2, maximum: 4),
          Relationship("joined", minimum: 2, maximum: 4),
        ]
      }
    }
  }

  private func put(_ count: Int, in repository: RuleRepository) throws {
    try repository.store().write { tx in
      try tx.deleteAll()
      let crew = try tx.create(Crew.self, value: ["id": 1])
      for id in 0..<count { crew.members.append(try tx.create(Member.self, value: ["id": id])) }
    }
  }

  @Test func noneOrAsManyAsThereHaveToBe() throws {
    try RuleRepository.forBoth([Crew.self, Member.self]) { repository in
      for count in [0, 2, 4] { try put(count, in: repository) }
      for count in [1, 5] {
        let error = #expect(throws: FiefError.self) { try put(count, in: repository) }
        #expect(error?.code == .validationFailed)
        let found = count == 1 ? "1 object, none or at least 2" : "5 objects, at most 4"
        #expect(error?.showingValues().details == ["Crew[1].members: \(found)"])
      }
    }
  }

  @Test func theLastTwoGoTogether() throws {
    try RuleRepository.forBoth([Crew.self, Member.self]) { repository in
      try put(2, in: repository)
      #expect(throws: FiefError.self) { try repository.deleteNow([Member(value: ["id": 0])]) }
      #expect(try repository.count(Member.self) == 2)
      try repository.deleteNow([Member(value: ["id": 0]), Member(value: ["id": 1])])
      #expect(repository.object(ofType: Crew.self, forPrimaryKey: 1)?.members.isEmpty == true)
    }
  }

  @Test func inversesHaveTheSameRule() throws {
    try RuleRepository.forBoth([Crew.self, Member.self]) { repository in
      func join(_ count: Int) throws {
        try repository.store().write { tx in
          try tx.deleteAll()
          let crew = try tx.create(Crew.self, value: ["id": 1])
          for id in 0..<count { try tx.create(Member.self, value: ["id": id]).crew = crew }
        }
      }
      for count in [0, 2, 4] { try join(count) }
      for count in [1, 5] { #expect(throws: FiefError.self) { try join(count) } }
    }
  }

  @Test func theStoreKeepsWhichOfThemItIs() throws {
    let directory = try TemporaryDirectory()
    try MigratingStore(directory.path, version: 1, [Crew.self, Member.self]).opened { store in
      try store.write { tx in
        for id in 1...3 {
          let crew = try tx.create(Crew.self, value: ["id": id])
          if id == 2 {
            for id in 0..<2 { crew.members.append(try tx.create(Member.self, value: ["id": id])) }
          }
        }
      }
    }
    let dynamic = try DynamicStore(directory: directory["migrated"], isReadOnly: true)
    let rules = dynamic.types.first { $0.name == "Crew" }?.relationships ?? []
    #expect(
      rules.map(\.description).sorted() == [
        "joined: nullify, none or 2 to 4", "members: nullify, none or 2 to 4",
      ]
    )
    #expect(rules.allSatisfy { !$0.isRequired && $0.minimum == 2 })
    dynamic.close()
    let required: [Object.Type] = [Required.Crew.self, Required.Member.self]
    // The same version is another rule; a higher one lists those that have none.
    #expect(try MigratingStore(directory.path, version: 1, required).failure().code == .migrationRequired)
    let error = try MigratingStore(directory.path, version: 2, required).failure()
    #expect(error.code == .validationFailed)
    #expect(
      error.showingValues().details == [
        "Crew[1].members: 0 objects, at least 2", "Crew[3].members: 0 objects, at least 2",
      ]
    )
    let repaired = MigratingStore(directory.path, version: 2, required) { migration, _ in
      migration.enumerateObjects(ofType: "Crew") { old, new in
        if let new, (old?["id"] as? Int) != 2 { migration.delete(new) }
      }
    }
    try repaired.opened { (store) throws in #expect(try store.all(Required.Crew.self).map(\.id) == [2]) }
  }

  @Test func earlierFormatsHadOneMeaningForEach() throws {
    func stored(_ minimum: Int, isRequired: Bool, format: UInt32) throws -> RelationshipEntry {
      let entry = RelationshipEntry(
        column: 1,
        deleteRule: .cascade,
        minimum: minimum,
        maximum: 4,
        isRequired: isRequired
      )
      var writer = ValueWriter()
      entry.append(to: &writer)
      return try writer.withBytes {
        var reader = ValueReader($0, context: nil)
        return try RelationshipEntry(from: &reader, format: format)
      }
    }
    #expect(try stored(1, isRequired: true, format: 5).isRequired)
    #expect(try !stored(2, isRequired: true, format: 5).isRequired)
    #expect(try stored(2, isRequired: true, format: 6).isRequired)
    #expect(try !stored(2, isRequired: false, format: 6).isRequired)
    #expect(try !stored(0, isRequired: false, format: 6).isRequired)
  }
}
