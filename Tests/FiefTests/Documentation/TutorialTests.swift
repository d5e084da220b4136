import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the tutorial.
@Suite(.serialized) struct TutorialTests {
  // Documentation: begin model
  final class Friend: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(originProperty: "borrower") var loans: LinkingObjects<Loan>
  }

  final class Loan: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var title = ""
    @Persisted var lent: Date
    @Persisted(indexed: true) var returned: Date?
    @Persisted var borrower: Friend?
  }
  // Documentation: end model

  // Documentation: begin repository
  struct ShelfRepository: DatabaseConfigurable, Sendable {
    let schemaName: String? = "shelf"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Friend.self, Loan.self]
  }
  // Documentation: end repository

  // Documentation: begin shelf
  struct Shelf {
    let repository = ShelfRepository()

    func lend(_ title: String, to name: String) async throws {
      try await repository.write { transaction in
        let loan = Loan()
        loan.title = title
        loan.lent = Date()
        loan.borrower = try transaction.create(Friend.self, value: ["name": name], update: .modified)
        try transaction.add(loan)
      }
    }

    /// The number of loans that have ended.
    func takeBack(_ title: String) async throws -> Int {
      try await repository.write { transaction in
        let loans = transaction.objects(Loan.self).where { $0.title == title && $0.returned == nil }
        let found = try loans.all()
        for loan in found { loan.returned = Date() }
        return found.count
      }
    }

    /// What is lent, the oldest loan first.
    func loans() throws -> [Loan] {
      try repository.objects(Loan.self)
        .where { $0.returned == nil }
        .sorted(byKeyPath: \.lent)
        .prefetching(\.borrower)
        .all()
    }

    /// How many books each friend has.
    func friends() throws -> [ResultsGroup<String?, Int>] {
      try repository.objects(Loan.self)
        .where { $0.returned == nil }
        .grouped(by: \.borrower?.name)
        .counts()
    }
  }
  // Documentation: end shelf

  // Documentation: begin main
  func run(_ arguments: [String]) async throws {
    let shelf = Shelf()
    switch (arguments.first, arguments.count) {
    case ("lend", 3):
      try await shelf.lend(arguments[1], to: arguments[2])
    case ("back", 2):
      let count = try await shelf.takeBack(arguments[1])
      print(count == 0 ? "That book is not lent." : "It is back.")
    case ("list", 1):
      for loan in try shelf.loans() { print(loan.title, "is with", loan.borrower?.name ?? "nn") }
    case ("friends", 1):
      for friend in try shelf.friends() { print(friend.key ?? "nn", friend.values) }
    default:
      print("shelf lend TITLE NAME | back TITLE | list | friends")
    }
  }
  // Documentation: end main

  private func main() async {
    // Documentation: begin start
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print(error)
      exit(1)
    }
    // Documentation: end start
  }

  // Documentation: begin test
  @Suite(.freshStores) struct ShelfTests {
    @Test func aBookIsLentAndComesBack() async throws {
      let shelf = Shelf()
      try await shelf.lend("Emma", to: "Kim")
      try await shelf.lend("Beowulf", to: "Kim")
      #expect(try await shelf.takeBack("Emma") == 1)
      #expect(try shelf.loans().map(\.title) == ["Beowulf"])
      try expectCount(of: shelf.repository, Friend.self, 1)
    }
  }
  // Documentation: end test

  @Test(.freshStores) func theApplicationRuns() async throws {
    for arguments in [
      ["lend", "Emma", "Kim"], ["lend", "Ulysses", "Bo"], ["list"], ["back", "Emma"], ["friends"], [],
    ] {
      try await run(arguments)
    }
    #expect(try Shelf().loans().map { $0.borrower?.name } == ["Bo"])
    #expect(try Shelf().friends().map(\.key) == ["Bo"])
  }

  /// The second version of the application.
  private enum Version2 {
    // Documentation: begin version2
    final class Loan: Object {
      @Persisted(primaryKey: true) var id: UUID
      @Persisted var title = ""
      @Persisted var author: String?  // New: nil in the loans that are there.
      @Persisted var lentOn: Date  // Was called lent.
      @Persisted(indexed: true) var returned: Date?
      @Persisted var borrower: Friend?
    }
    // Documentation: end version2

    final class Friend: Object {
      @Persisted(primaryKey: true) var name = ""
      @Persisted(originProperty: "borrower") var loans: LinkingObjects<Loan>
    }

    // Documentation: begin migration
    struct ShelfRepository: DatabaseConfigurable, Sendable {
      let schemaName: String? = "shelf"
      let schemaVersion: UInt64? = 2
      let objectTypes: [Object.Type]? = [Friend.self, Loan.self]
      let migrationBlock: MigrationBlock? = { migration, oldVersion in
        if oldVersion < 2 { migration.renameProperty(onType: "Loan", from: "lent", to: "lentOn") }
      }
    }
    // Documentation: end migration
  }

  @Test func theNextVersionKeepsTheLoans() async throws {
    let directory = try TemporaryDirectory()
    let old = StoreManager(directory: directory.path, repositories: [ShelfRepository()])
    try await old.use { try await Shelf().lend("Emma", to: "Kim") }
    let lent = try old.use { try ShelfRepository().objects(Loan.self).fetchFirst()?.lent }
    old.close()
    let new = StoreManager(directory: directory.path, repositories: [Version2.ShelfRepository()])
    defer { new.close() }
    let repository = try new.repository(Version2.ShelfRepository.self)
    let loan = try #require(try repository.objects(Version2.Loan.self).fetchFirst())
    #expect(loan.title == "Emma" && loan.author == nil && loan.lentOn == lent && loan.borrower?.name == "Kim")
    #expect(try repository.check().problems == [])
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("Tutorial", as: #filePath) }
}
