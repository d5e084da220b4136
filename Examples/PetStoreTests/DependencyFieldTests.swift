import Testing

@testable import PetStoreKit

@Suite("Reading dependencies") struct DependencyFieldTests {
  @Test("Clauses, alternatives, versions, qualifiers, architectures and profiles")
  func everything() throws {
    let field = try DependencyField(
      "libc6 (>= 2.34), python3:any(<<3.12) | python3-minimal:native ,\n perl [amd64 !i386] <!nocheck> <x>, g++"
    )
    #expect(
      field.clauses == [
        [DependencyAtom(name: "libc6", relation: .laterOrEqual, version: "2.34")],
        [
          DependencyAtom(name: "python3", qualifier: "any", relation: .earlier, version: "3.12"),
          DependencyAtom(name: "python3-minimal", qualifier: "native"),
        ],
        [DependencyAtom(name: "perl", architectures: ["amd64", "!i386"])],
        [DependencyAtom(name: "g++")],
      ]
    )
  }

  @Test("Every sign of comparison, the single ones meaning or equal")
  func signs() throws {
    let text = "a (<< 1), a (<= 1), a (= 1), a (>= 1), a (>> 1), a (< 1), a (> 1)"
    let relations = try DependencyField(text).clauses.map { $0[0].relation }
    #expect(
      relations == [
        .earlier, .earlierOrEqual, .equal, .laterOrEqual, .later, .earlierOrEqual, .laterOrEqual,
      ]
    )
  }

  @Test("Nothing, blanks and spare commas are no clauses", arguments: ["", "  \n ", ",", " , ,"])
  func empty(text: String) throws {
    #expect(try DependencyField(text).clauses.isEmpty)
  }

  @Test("A comma at the end is passed over")
  func trailingComma() throws {
    #expect(try DependencyField("a, b,").clauses.map { $0[0].name } == ["a", "b"])
  }

  @Test(
    "What is not well formed is an error that tells the place",
    arguments: [
      ("a b", 2), ("a |", 3), ("| a", 0), ("a (1.0)", 3), ("a (>= )", 6), ("a (>= 1.0", 9), ("a (>= 1 2)", 8),
      ("a:", 2), ("a [amd64", 8), ("a <x", 4), ("ä", 0), ("a (>> 1) (= 2)", 9), ("a, (>= 1)", 3),
    ]
  )
  func malformed(text: String, offset: Int) {
    let error = #expect(throws: DependencyField.SyntaxError.self) { try DependencyField(text) }
    #expect(error?.offset == offset)
  }

  @Test("Ten thousand clauses")
  func many() throws {
    let text = (0..<10_000).map { "p\($0) (>= \($0)) | q\($0)" }.joined(separator: ", ")
    let field = try DependencyField(text)
    #expect(field.clauses.count == 10_000)
    #expect(field.clauses.last?.map(\.name) == ["p9999", "q9999"])
  }
}

@Suite("Comparing versions") struct DebianVersionTests {
  /// Versions in rising order; the answers are dpkg's.
  private static let rising = [
    "0", "0.0.26~rc1", "0.0.26", "0.0.26-1~bpo12+1", "0.0.26-1", "0.0.26-1+b1", "0.0.26-1.1", "0.0.26-10",
    "0.0.26a-1", "0.0.26+dfsg-1", "0.9", "0.10", "1.0~~", "1.0~", "1.0", "1.0-0.1", "1.0a", "1.0+", "2.0.9-1",
    "2.0.10-1", "10", "99999999999999999999999", "100000000000000000000000", "1:0.1", "1:2-1-1", "2:0",
  ]

  @Test("The order is dpkg's, either way round")
  func order() {
    for (index, left) in Self.rising.enumerated() {
      for (other, right) in Self.rising.enumerated() {
        let result = DebianVersion.compare(left, right).signum()
        #expect(result == (index - other).signum(), "\(left) and \(right)")
      }
    }
  }

  @Test(
    "Leading zeros and an epoch of zero change nothing",
    arguments: [("1.01", "1.1"), ("0:1", "1"), ("1-0", "1")]
  )
  func equal(left: String, right: String) {
    #expect(DebianVersion.compare(left, right) == 0)
  }

  @Test("Relations")
  func relations() {
    #expect(VersionRelation.laterOrEqual.allows("2.36-9", comparedTo: "2.34"))
    #expect(!VersionRelation.earlier.allows("1.0", comparedTo: "1.0"))
    #expect(VersionRelation.earlier.allows("1.0~rc1", comparedTo: "1.0"))
    #expect(VersionRelation.equal.allows("0:1.0", comparedTo: "1.0"))
    #expect(VersionRelation.later.allows("1:0", comparedTo: "99"))
    #expect(!VersionRelation.earlierOrEqual.allows("1.1", comparedTo: "1.0"))
  }
}
