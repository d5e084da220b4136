import Fief
import FiefTesting
import Foundation
import Testing

@Suite struct ExpectationTests {
  private func full(_ id: Int) -> ShopDog {
    let dog = ShopDog(id, "Lulu")
    dog.weight = 3.25
    dog.mood = .wild
    dog.born = Date(timeIntervalSinceReferenceDate: 123.456789)
    dog.photo = Data([1, 2, 255])
    dog.owner = ShopPerson("jane")
    dog.tags.append("a")
    dog.tags.append("b")
    dog.chip = ShopChip(value: ["number": 9])
    dog.scores["x"] = 1
    dog.scores["y"] = 2
    dog.colours.insert("red")
    dog.colours.insert("blue")
    return dog
  }

  @Test(arguments: StoreKind.allCases) func equalContentsAreNoIssue(_ kind: StoreKind) throws {
    let shop = try StoreFixture(ShopRepository(), kind, seed: .objects([ShopDog(2, "Rex")]))
    try shop.write { try $0.add(full(1)) }
    try expectContents(of: shop, ShopDog.self, equal: [ShopDog(2, "Rex"), full(1)])
    try expectContents(of: shop, ShopPerson.self, equal: [ShopPerson("jane")])
    try expectContents(of: shop, ShopDog.self, { $0.mood }, equal: [.calm, .wild])
  }

  private static let changes: [(String, String, @Sendable (ShopDog) -> Void)] = [
    ("weight", "3.25, expected 3.5", { $0.weight = 3.5 }),
    ("name", "\"Lulu\", expected \"lulu\"", { $0.name = "lulu" }),
    ("mood", "\"wild\", expected \"calm\"", { $0.mood = .calm }),
    ("born", "Date(123.456789", { $0.born = Date(timeIntervalSinceReferenceDate: 123.456) }),
    ("photo", "Data(0102ff), expected Data(0102)", { $0.photo = Data([1, 2]) }),
    ("owner", "ShopPerson(\"jane\"), expected nil", { $0.owner = nil }),
    ("tags", "[\"a\", \"b\"], expected [\"b\", \"a\"]", { $0.tags.swapAt(0, 1) }),
    ("chip", "{number: 9}, expected {number: 8}", { $0.chip?.number = 8 }),
    ("scores", "[\"x\": 1, \"y\": 2], expected [\"x\": 1, \"y\": 3]", { $0.scores["y"] = 3 }),
    ("colours", "{\"blue\", \"red\"}, expected {\"blue\"}", { $0.colours.remove("red") }),
  ]

  @Test(arguments: 0..<10) func eachDifferenceIsReportedWithItsProperty(_ index: Int) throws {
    let (property, text, change) = Self.changes[index]
    let shop = try StoreFixture(ShopRepository())
    try shop.write { try $0.add(full(1)) }
    let expected = full(1)
    change(expected)
    try withKnownIssue {
      try expectContents(of: shop, ShopDog.self, equal: [expected])
    } matching: { issue in
      let comment = issue.comments.first?.rawValue ?? ""
      return comment.contains("ShopDog(1).\(property): ") && comment.contains(text)
        && comment.split(separator: "\n").count == 2
        && issue.sourceLocation?.fileID == "FiefTestingTests/ExpectationTests.swift"
    }
  }

  @Test func missingAndUnexpectedObjectsAreReported() throws {
    let visits = try StoreFixture(
      VisitRepository(),
      seed: .objects([ShopVisit("a"), ShopVisit("a"), ShopVisit("b")])
    )
    try expectContents(of: visits, ShopVisit.self, equal: [ShopVisit("b"), ShopVisit("a"), ShopVisit("a")])
    try withKnownIssue {
      try expectContents(of: visits, ShopVisit.self, equal: [ShopVisit("a"), ShopVisit("c")])
    } matching: { issue in
      let lines = (issue.comments.first?.rawValue ?? "").split(separator: "\n").dropFirst()
      return lines.sorted() == [
        "  missing: ShopVisit {page: \"c\"}", "  unexpected: ShopVisit {page: \"a\"}",
        "  unexpected: ShopVisit {page: \"b\"}",
      ]
    }
    try withKnownIssue {
      try expectContents(of: visits, ShopVisit.self, \.page, equal: ["a", "b", "c"])
    } matching: {
      $0.comments.first?.rawValue.contains("missing: c (1 times)") == true
    }
    withKnownIssue { try expectCount(of: visits, ShopVisit.self, 2) }
    try expectCount(of: visits, ShopVisit.self, 3)
  }

  @Test(.freshStores) func changesAreReportedWhereNoneAreExpected() async throws {
    let shop = ShopRepository()
    try expectNoChanges(in: shop) {
      _ = shop.queryAll(returningClass: ShopDog.self)?.count
      #expect(throws: (any Error).self) {
        try shop.write { transaction in
          try transaction.add(ShopDog(1, "Lulu"))
          throw FiefError(.invalidValue, "On purpose.")
        }
      }
    }
    try await withKnownIssue {
      try await expectNoChanges(in: shop) { try await Shop().addLater(1, "Lulu") }
    } matching: {
      $0.comments.first?.rawValue.contains("inserted: ShopDog(1)") == true
    }
  }
}
