import Fief
import Foundation
import Testing

/// Rules that keep objects, and rules that leave links alone.
@Suite struct DenyRuleTests {
  private func expectDenied(
    _ property: String,
    _ key: String,
    by other: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(throws: FiefError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .deletionDenied, sourceLocation: sourceLocation)
    #expect(error?.store == "rules" && error?.type == "RuleAuthor", sourceLocation: sourceLocation)
    #expect(error?.property == property && error?.key == key, sourceLocation: sourceLocation)
    #expect(error?.showingValues().details == ["related object: \(other)"], sourceLocation: sourceLocation)
  }

  @Test func whatHasRelationsStays() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      let ben = RuleAuthor("Ben")
      let books = [RuleBook("1", [RuleAuthor("Ann"), ben]), RuleBook("2", [ben])]
      try repository.saveNow(books)
      expectDenied("books", "Ann", by: "RuleBook[1]") { try repository.deleteNow([RuleAuthor("Ann")]) }
      expectDenied("books", "Ben", by: "RuleBook[2]") {
        let objects: [Object] = [RuleAuthor("Ben"), RuleBook("1", [])]
        try repository.deleteNow(objects)
      }
      expectDenied("books", "Ben", by: "RuleBook[1]") { try repository.deleteAllNow(RuleAuthor.self) }
      let counts = try repository.read { snapshot in snapshot.objects(RuleBook.self).map { $0.authors.count }
      }
      #expect(counts == [2, 1])
      // Objects that one call deletes do not deny each other's deletion.
      try repository.deleteNow([ben] + books)
      let names = try repository.read { snapshot in snapshot.objects(RuleAuthor.self).map(\.name) }
      #expect(names == ["Ann"])
      try repository.store().write { transaction in
        try transaction.object(ofType: RuleAuthor.self, forPrimaryKey: "Ann")?.home = RuleHome("Elm")
      }
      expectDenied("home", "Ann", by: "RuleHome[Elm]") { try repository.deleteAllNow(RuleAuthor.self) }
      try repository.deleteNow([RuleHome("Elm")])
      try repository.deleteAllNow(RuleAuthor.self)
    }
  }

  @Test func aWriteGoesOnAfterADenial() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      try repository.saveNow([RuleBook("1", [RuleAuthor("Ann")]), RuleAuthor("Ben"), RuleAuthor("Cleo")])
      try repository.store().write { transaction in
        let ann = try #require(try transaction.object(ofType: RuleAuthor.self, forPrimaryKey: "Ann"))
        let ben = try #require(try transaction.object(ofType: RuleAuthor.self, forPrimaryKey: "Ben"))
        let loan = RuleLoan(1, ben)
        try transaction.add(loan)
        expectDenied("books", "Ann", by: "RuleBook[1]") { try transaction.delete([ben, ann]) }
        expectDenied("books", "Ann", by: "RuleBook[1]") { try transaction.deleteAll(RuleAuthor.self) }
        // The objects are as live as before.
        ben.home = RuleHome("Oak")
        #expect(loan.reader === ben && ben.loans.count == 1)
        try transaction.delete(ofType: RuleAuthor.self, forPrimaryKeys: ["Cleo"])
      }
      try repository.read { snapshot in
        #expect(snapshot.objects(RuleAuthor.self).map(\.name) == ["Ann", "Ben"])
        #expect(snapshot.objects(RuleLoan.self).first?.reader?.home?.street == "Oak")
      }
    }
  }

  @Test func linksThatAreLeftAloneLeadToNothing() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      let ann = RuleAuthor("Ann")
      let ben = RuleAuthor("Ben")
      let club = RuleClub("club", [ann, ben, ann])
      club.byRole["first"] = .some(ann)
      try repository.saveNow([club, RuleLoan(1, ann), RuleLoan(2, ben)])
      try repository.deleteNow([RuleAuthor("Ann")])
      #expect(try repository.check().problems == [])
      try repository.read { snapshot in
        let loans = Array(snapshot.objects(RuleLoan.self))
        #expect(loans[0].reader == nil && loans[1].reader?.name == "Ben")
        let club = try #require(snapshot.objects(RuleClub.self).first)
        #expect(club.readers.map(\.name) == ["Ben"])
        #expect(snapshot.objects(RuleLoan.self).where { $0.reader.name == "Ann" }.count == 0)
        #expect(snapshot.objects(RuleLoan.self).where { $0.reader.name == "Ben" }.count == 1)
        #expect(snapshot.objects(RuleClub.self).where { $0.readers.name == "Ben" }.count == 1)
        #expect(snapshot.objects(RuleLoan.self).filter("reader.name == nil OR days == 0").count == 2)
      }
      // A change of something else leaves the link as it is.
      let loan = try #require(repository.object(ofType: RuleLoan.self, forPrimaryKey: 1))
      loan.days = 7
      try repository.saveNow([loan], .modified)
      try repository.store().write { transaction in
        try transaction.object(ofType: RuleLoan.self, forPrimaryKey: 1)?.days = 8
      }
      #expect(try repository.check().problems == [])
      let back = RuleAuthor("Ann")
      try repository.saveNow([back])
      #expect(repository.object(ofType: RuleLoan.self, forPrimaryKey: 1)?.reader?.name == "Ann")
      let found = try #require(repository.object(ofType: RuleAuthor.self, forPrimaryKey: "Ann"))
      #expect(found.loans.map(\.id) == [1] && found.clubs.map(\.name) == ["club"])
      #expect(repository.object(ofType: RuleClub.self, forPrimaryKey: "club")?.readers.count == 3)
    }
  }

  @Test func liveLinksThatAreLeftAloneReadAsNil() throws {
    try RuleRepository.forBoth(RuleTypes.all) { repository in
      let ann = RuleAuthor("Ann")
      try repository.saveNow([RuleLoan(1, ann), RuleClub("club", [ann])])
      try repository.store().write { transaction in
        let loan = try #require(try transaction.object(ofType: RuleLoan.self, forPrimaryKey: 1))
        let club = try #require(try transaction.object(ofType: RuleClub.self, forPrimaryKey: "club"))
        let fresh = RuleLoan(2, loan.reader)
        try transaction.add(fresh)
        let reader = try #require(loan.reader)
        #expect(club.readers.count == 1)
        try transaction.delete(reader)
        #expect(loan.reader == nil && fresh.reader == nil && club.readers.isEmpty)
        loan.days = 3
        fresh.days = 4
      }
      #expect(try repository.read { $0.objects(RuleAuthor.self).count } == 0)
      try repository.saveNow([RuleAuthor("Ann")])
      try repository.read { snapshot in
        let found = snapshot.objects(RuleLoan.self).map { ($0.days, $0.reader?.name) }
        #expect(found.map(\.0) == [3, 4] && found.map(\.1) == ["Ann", "Ann"])
      }
      // All of a type at once.
      try repository.deleteAllNow(RuleAuthor.self)
      #expect(repository.object(ofType: RuleLoan.self, forPrimaryKey: 1)?.reader == nil)
      try repository.saveNow([RuleAuthor("Ann")])
      #expect(repository.object(ofType: RuleLoan.self, forPrimaryKey: 1)?.reader?.name == "Ann")
    }
  }
}
