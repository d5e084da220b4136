import Fief
import Foundation
import Testing

@testable import FiefCore

/// The meaning of texts, as conditions.
@Suite("Text form: meaning", .timeLimit(.minutes(20))) struct TextFormTests {
  private static let adult = QueryCondition.comparison(.name("age"), .greater, .int(3))
  private static let rex = QueryCondition.comparison(.name("name"), .equal, .text("Rex"))
  private static let dogs = QueryCollection(QueryPath("dogs"))
  private static let numbers = QueryCollection(QueryPath("numbers"))
  private static let tags = QueryCollection(QueryPath("tags"))
  private static let scores = QueryCollection(QueryPath("scores"))

  private static let logic: [(String, QueryCondition)] = [
    ("age > 3", adult),
    ("  age\n>\t3 ", adult),
    ("age > 3 AND name == 'Rex'", .all([adult, rex])),
    ("age > 3 && name = \"Rex\"", .all([adult, rex])),
    (
      "age > 3 and name == 'Rex' or isActive == true",
      .any([
        .all([adult, rex]), .comparison(.name("isActive"), .equal, .value(.bool(true))),
      ])
    ),
    ("age > 3 OR (name == 'Rex' || age > 3)", .any([adult, rex, adult])),
    ("(age > 3 AND name == 'Rex') AND age > 3", .all([adult, rex, adult])),
    ("age > 3 AND (name == 'Rex' OR age > 3)", .all([adult, .any([rex, adult])])),
    ("NOT age > 3", .not(adult)),
    ("!(age > 3) AND name == 'Rex'", .all([.not(adult), rex])),
    ("NOT NOT age > 3", .not(.not(adult))),
    ("TRUEPREDICATE", .constant(true)),
    ("FALSEPREDICATE OR age > 3", .any([.constant(false), adult])),
    ("isActive", .comparison(.name("isActive"), .equal, .value(.bool(true)))),
    ("!isActive", .not(.comparison(.name("isActive"), .equal, .value(.bool(true))))),
    ("isActive == YES", .comparison(.name("isActive"), .equal, .value(.bool(true)))),
    ("(age > 3) == isActive", .comparison(.truth(adult), .equal, .name("isActive"))),
    ("((((age))) > (3))", adult),
  ]

  private static let comparisons: [(String, QueryCondition)] = [
    ("age != 3", .comparison(.name("age"), .notEqual, .int(3))),
    ("age <> 3", .comparison(.name("age"), .notEqual, .int(3))),
    ("age < 3", .comparison(.name("age"), .less, .int(3))),
    ("age =< 3", .comparison(.name("age"), .lessOrEqual, .int(3))),
    ("age <= 3", .comparison(.name("age"), .lessOrEqual, .int(3))),
    ("age => 3", .comparison(.name("age"), .greaterOrEqual, .int(3))),
    ("age >= 3", .comparison(.name("age"), .greaterOrEqual, .int(3))),
    ("3 < age", .comparison(.int(3), .less, .name("age"))),
    ("age == `in`", .comparison(.name("age"), .equal, .name("in"))),
    ("age == SELF.in", .comparison(.name("age"), .equal, .name("in"))),
    ("name BEGINSWITH[c] 'a'", .comparison(.name("name"), .beginsWith, .text("a"), .caseInsensitive)),
    ("name endswith[d] 'a'", .comparison(.name("name"), .endsWith, .text("a"), .diacriticInsensitive)),
    (
      "name CONTAINS [cd] 'a'",
      .comparison(
        .name("name"),
        .contains,
        .text("a"),
        [.caseInsensitive, .diacriticInsensitive]
      )
    ),
    ("name LIKE 'a*?\\\\*'", .comparison(.name("name"), .like, .text("a*?\\*"))),
    ("name ==[c] 'REX'", .comparison(.name("name"), .equal, .text("REX"), .caseInsensitive)),
    ("name IN[c] {'A', 'b'}", .oneOf(.name("name"), [.string("A"), .string("b")], .caseInsensitive)),
    ("age IN {1, 2, -3}", .oneOf(.name("age"), [.integer(1), .integer(2), .integer(-3)])),
    ("age IN {}", .oneOf(.name("age"), [])),
    ("age NOT IN {1}", .not(.oneOf(.name("age"), [.integer(1)]))),
    ("name NOT LIKE 'a*'", .not(.comparison(.name("name"), .like, .text("a*")))),
    ("NOT age IN {1}", .not(.oneOf(.name("age"), [.integer(1)]))),
    (
      "age IN {1, `in`}",
      .any([
        .comparison(.name("age"), .equal, .int(1)), .comparison(.name("age"), .equal, .name("in")),
      ])
    ),
    (
      "age BETWEEN {1, 5}",
      .all([
        .comparison(.name("age"), .greaterOrEqual, .int(1)), .comparison(.name("age"), .lessOrEqual, .int(5)),
      ])
    ),
    ("name MATCHES 'old dog'", .matches(QueryPath("name"), "old dog")),
    ("name TEXT 'old dog'", .matches(QueryPath("name"), "old dog")),
    ("address.city == 'Ulm'", .comparison(.name("address", "city"), .equal, .text("Ulm"))),
    ("best == nil", .comparison(.name("best"), .equal, .value(.null))),
    ("best.name == NULL", .comparison(.name("best", "name"), .equal, .value(.null))),
    ("`first name` == `in`", .comparison(.name("first name"), .equal, .name("in"))),
    ("größe > 1.5", .comparison(.name("größe"), .greater, .value(.double(1.5)))),
  ]

  private static let operands: [(String, QueryOperand)] = [
    ("1 + 2 * 3", .arithmetic(.int(1), .add, .arithmetic(.int(2), .multiply, .int(3)))),
    ("(1 + 2) * 3", .arithmetic(.arithmetic(.int(1), .add, .int(2)), .multiply, .int(3))),
    ("1 - 2 - 3", .arithmetic(.arithmetic(.int(1), .subtract, .int(2)), .subtract, .int(3))),
    ("1-2", .arithmetic(.int(1), .subtract, .int(2))),
    ("8 / 2 % 3", .arithmetic(.arithmetic(.int(8), .divide, .int(2)), .remainder, .int(3))),
    ("-age", .negative(.name("age"))),
    ("-(5)", .negative(.int(5))),
    ("-5", .int(-5)),
    ("+5", .int(5)),
    ("-9223372036854775808", .int(.min)),
    ("9223372036854775808", .value(.decimal(Decimal(string: "9223372036854775808") ?? 0))),
    ("1.5", .value(.double(1.5))),
    (".5", .value(.double(0.5))),
    ("1e3", .value(.double(1000))),
    ("1.50m", .value(.decimal(Decimal(string: "1.5") ?? 0))),
    ("2m", .value(.decimal(2))),
    ("age ?? 5 ?? 6", .coalesced(.name("age"), .coalesced(.int(5), .int(6)))),
    ("COALESCE(age, 5)", .coalesced(.name("age"), .int(5))),
    ("TERNARY(age > 3, 1, 2)", .conditional(adult, .int(1), .int(2))),
    ("LENGTH(name)", .length(.name("name"))),
    ("name.length", .length(.name("name"))),
    ("name.@length", .length(.name("name"))),
    ("name.@size", .length(.name("name"))),
    ("address.city.length", .length(.name("address", "city"))),
    ("LOWERCASE(name)", .lowercased(.name("name"))),
    ("upper(name)", .uppercased(.name("name"))),
    ("dogs.@count", .count(dogs, nil)),
    ("numbers.@size", .count(numbers, nil)),
    ("scores.@keys.@count", .count(QueryCollection(QueryPath("scores"), part: .keys), nil)),
    ("numbers.@sum", .aggregate(.sum, numbers, nil)),
    ("dogs.@avg.age", .aggregate(.average, dogs, QueryPath("age"))),
    ("dogs.@min.age", .aggregate(.minimum, dogs, QueryPath("age"))),
    ("scores.@max", .aggregate(.maximum, scores, nil)),
    ("scores['a b']", .path(QueryPath(steps: [.property("scores"), .mapKey("a b")]))),
    ("friends['x'].name", .path(QueryPath(steps: [.property("friends"), .mapKey("x"), .property("name")]))),
    (
      "SUBQUERY(dogs, $d, $d.age > 3 && $d.name == name).@count",
      .count(
        dogs,
        .all([
          adult, .comparison(.name("name"), .equal, .name("name", scope: 1)),
        ])
      )
    ),
    ("'it\\'s \\u{1F600}\\n\"'", .text("it's 😀\n\"")),
    ("\"\\ud83d\\ude00\\u00e9\"", .text("😀é")),
    ("'日本'", .text("日本")),
  ]

  private static let collections: [(String, QueryCondition)] = [
    ("ANY dogs.age > 3", .quantified(.any, dogs, adult)),
    ("SOME dogs.age > 3", .quantified(.any, dogs, adult)),
    ("dogs.age > 3", .quantified(.any, dogs, adult)),
    ("ALL dogs.age > 3", .quantified(.all, dogs, adult)),
    ("none dogs.name == 'Rex'", .quantified(.none, dogs, rex)),
    ("3 < ANY dogs.age", .quantified(.any, dogs, .comparison(.int(3), .less, .name("age")))),
    ("NOT dogs.age > 3", .not(.quantified(.any, dogs, adult))),
    (
      "dogs.age + 1 > age",
      .quantified(
        .any,
        dogs,
        .comparison(
          .arithmetic(.name("age"), .add, .int(1)),
          .greater,
          .name("age", scope: 1)
        )
      )
    ),
    ("ALL numbers > 3", .quantified(.all, numbers, .comparison(.path(.element), .greater, .int(3)))),
    (
      "numbers BETWEEN {1, 2}",
      .quantified(
        .any,
        numbers,
        .all([
          .comparison(.path(.element), .greaterOrEqual, .int(1)),
          .comparison(.path(.element), .lessOrEqual, .int(2)),
        ])
      )
    ),
    ("'a' IN tags", .quantified(.any, tags, .comparison(.path(.element), .equal, .text("a")))),
    (
      "name IN[c] tags",
      .quantified(
        .any,
        tags,
        .comparison(.path(.element), .equal, .name("name", scope: 1), .caseInsensitive)
      )
    ),
    ("tags CONTAINS 'a'", .quantified(.any, tags, .comparison(.path(.element), .equal, .text("a")))),
    ("ANY tags CONTAINS 'a'", .quantified(.any, tags, .comparison(.path(.element), .contains, .text("a")))),
    ("ANY tags IN {'a'}", .quantified(.any, tags, .oneOf(.path(.element), [.string("a")]))),
    (
      "dogs.toys.kind == 'ball'",
      .quantified(
        .any,
        dogs,
        .quantified(
          .any,
          QueryCollection(QueryPath("toys")),
          .comparison(.name("kind"), .equal, .text("ball"))
        )
      )
    ),
    (
      "ALL dogs.toys.kind == 'ball'",
      .quantified(
        .all,
        dogs,
        .quantified(
          .all,
          QueryCollection(QueryPath("toys")),
          .comparison(.name("kind"), .equal, .text("ball"))
        )
      )
    ),
    (
      "NONE dogs.toys.kind == 'ball'",
      .quantified(
        .none,
        dogs,
        .quantified(
          .any,
          QueryCollection(QueryPath("toys")),
          .comparison(.name("kind"), .equal, .text("ball"))
        )
      )
    ),
    (
      "dogs.toys.@count > 1",
      .quantified(
        .any,
        dogs,
        .comparison(
          .count(QueryCollection(QueryPath("toys")), nil),
          .greater,
          .int(1)
        )
      )
    ),
    ("best.owners.age > 3", .quantified(.any, QueryCollection(QueryPath("best", "owners")), adult)),
    (
      "best.@links.Person.best.@count > 3",
      .comparison(
        .count(QueryCollection(QueryPath("best", "@links.Person.best")), nil),
        .greater,
        .int(3)
      )
    ),
    (
      "scores.@keys == 'a'",
      .quantified(
        .any,
        QueryCollection(QueryPath("scores"), part: .keys),
        .comparison(.path(.element), .equal, .text("a"))
      )
    ),
    ("ALL scores.@values > 3", .quantified(.all, scores, .comparison(.path(.element), .greater, .int(3)))),
    ("friends.name == 'Rex'", .quantified(.any, QueryCollection(QueryPath("friends")), rex)),
    (
      "ANY(dogs, $d, $d.age > age)",
      .quantified(
        .any,
        dogs,
        .comparison(.name("age"), .greater, .name("age", scope: 1))
      )
    ),
    ("ANY(dogs, age > 3)", .quantified(.any, dogs, adult)),
    ("ALL(numbers, SELF > 3)", .quantified(.all, numbers, .comparison(.path(.element), .greater, .int(3)))),
    ("ANY(dogs.age) > 3", .quantified(.any, dogs, adult)),
    (
      "dogs.marks.length > 3",
      .quantified(
        .any,
        dogs,
        .quantified(
          .any,
          QueryCollection(QueryPath("marks")),
          .comparison(.length(.path(.element)), .greater, .int(3))
        )
      )
    ),
    (
      "NONE(dogs, $d, ANY($d.toys, $t, $t.kind == $d.name AND $t.kind == name))",
      .quantified(
        .none,
        dogs,
        .quantified(
          .any,
          QueryCollection(QueryPath("toys")),
          .all([
            .comparison(.name("kind"), .equal, .name("name", scope: 1)),
            .comparison(.name("kind"), .equal, .name("name", scope: 2)),
          ])
        )
      )
    ),
  ]

  @Test("Logic, comparisons and collections") func conditions() throws {
    for (text, expected) in Self.logic + Self.comparisons + Self.collections {
      do {
        let condition = try TextSchema.condition(text)
        #expect(condition == expected, "\(text)")
        // The canonical text means the same, also where nothing is known of the types.
        let canonical = QueryPrinter.text(of: expected)
        let again = try TextSchema.condition(canonical)
        #expect(again == expected, "\(text): \(canonical)")
      } catch {
        Issue.record(error, "\(text)")
      }
    }
  }

  @Test("Operands") func operands() throws {
    for (text, expected) in Self.operands {
      do {
        let condition = try TextSchema.condition("age == " + text)
        #expect(condition == .comparison(.name("age"), .equal, expected), "\(text)")
      } catch {
        Issue.record(error, "\(text)")
      }
    }
  }

  @Test("Values") func values() throws {
    let id = try #require(UUID(uuidString: "F1EF0000-0000-4000-8000-00000000000B"))
    let number = try ObjectId(string: "507f1f77bcf86cd799439011")
    let date = Date(timeIntervalSince1970: 1_795_168_800)
    let seconds = date.timeIntervalSinceReferenceDate
    let cases: [(String, QueryValue)] = [
      ("uuid('f1ef0000-0000-4000-8000-00000000000b')", .uuid(id)),
      ("UUID(F1EF0000-0000-4000-8000-00000000000B)", .uuid(id)),
      ("id == 'f1ef0000-0000-4000-8000-00000000000b'", .uuid(id)),
      ("oid('507f1f77bcf86cd799439011')", .objectId(number)),
      ("oid(507f1f77bcf86cd799439011)", .objectId(number)),
      ("date('2026-11-20T10:00:00Z')", .date(seconds)),
      ("date(2026-11-20T10:00:00Z)", .date(seconds)),
      ("2026-11-20@10:00:00", .date(seconds)),
      ("2026-11-20@10:00:00:500000000", .date(seconds + 0.5)),
      ("born == '2026-11-20T10:00:00Z'", .date(seconds)),
      ("data(base64 'AQID')", .data([1, 2, 3])),
      ("data(hex '0aFF')", .data([10, 255])),
      ("data('ab')", .data([97, 98])),
      ("B64('AQID')", .data([1, 2, 3])),
      ("double('-Infinity')", .double(-.infinity)),
      ("decimal('1.25')", .decimal(Decimal(string: "1.25") ?? 0)),
      ("object('Dog', 'rex')", .object(type: "Dog", key: ObjectKey(storedBytes: Array("rex".utf8)))),
      ("object('Dog', nil)", .object(type: "Dog", key: nil)),
      ("best == 'rex'", .object(type: "Dog", key: ObjectKey(storedBytes: Array("rex".utf8)))),
      ("money == 'rex'", .string("rex")),
    ]
    for (text, expected) in cases {
      let property = text.contains(" == ") ? "" : "anything == "
      guard case .comparison(_, .equal, .value(let value), _) = try TextSchema.condition(property + text)
      else {
        Issue.record("\(text)")
        continue
      }
      #expect(value == expected, "\(text)")
    }
  }

  @Test("Clauses") func clauses() throws {
    let text = """
      age > 3 SORT(age DESC NULLS LAST, address.city, name[c] ASC, `first name` LOCALE 'de', @relevance)
      DISTINCT(name, age) OFFSET(5) LIMIT(20)
      """
    let description = try TextSchema.description(text)
    #expect(description.condition == Self.adult)
    #expect(
      description.order == [
        QueryOrder(.path(QueryPath("age")), ascending: false, nils: .last),
        QueryOrder(.path(QueryPath("address", "city"))),
        QueryOrder(.path(QueryPath("name")), collation: .caseInsensitive),
        QueryOrder(.path(QueryPath("first name")), collation: .locale("de")),
        QueryOrder(.relevance),
      ]
    )
    #expect(description.distinct == [QueryPath("name"), QueryPath("age")])
    #expect(description.offset == 5)
    #expect(description.limit == .first(20))
    #expect(try TextSchema.description(QueryPrinter.text(of: description)) == description)
    #expect(try TextSchema.description("").condition == nil)
    #expect(try TextSchema.description("sort(age)") == TextSchema.description("SORT(age ASCENDING)"))
    #expect(try TextSchema.description("LAST(%@)", 3).limit == .last(3))
  }

  @Test("Arguments stand for values and for names, never for text") func arguments() throws {
    #expect(try TextSchema.condition("age > %@", [3]) == Self.adult)
    #expect(try TextSchema.condition("age > $0", [3]) == Self.adult)
    #expect(try TextSchema.condition("age > $1 AND name == $0", ["Rex", 3]) == .all([Self.adult, Self.rex]))
    #expect(try TextSchema.condition("age > $0 OR age > $0", [3]) == .any([Self.adult, Self.adult]))
    #expect(try TextSchema.condition("%K > %@", ["age", 3]) == Self.adult)
    #expect(try TextSchema.condition("%K.@count > 3", ["dogs"]) == TextSchema.condition("dogs.@count > 3"))
    #expect(
      try TextSchema.condition("%K == 'Ulm'", ["address.city"])
        == TextSchema.condition("address.city == 'Ulm'")
    )
    let attack = "x' OR TRUEPREDICATE OR name == '"
    #expect(
      try TextSchema.condition("name == %@", [attack]) == .comparison(.name("name"), .equal, .text(attack))
    )
    #expect(try TextSchema.condition("age IN %@", [[1, 2]]) == TextSchema.condition("age IN {1, 2}"))
    #expect(try TextSchema.condition("age IN %@", [Set([1])]) == TextSchema.condition("age IN {1}"))
    #expect(try TextSchema.condition("age BETWEEN %@", [1...5]) == TextSchema.condition("age BETWEEN {1, 5}"))
    #expect(try TextSchema.condition("age IN %@", [1...5]) == TextSchema.condition("age BETWEEN {1, 5}"))
    #expect(throws: FiefError.self) { try TextSchema.condition("age IN %@", [1..<5]) }
    #expect(throws: FiefError.self) { try TextSchema.condition("age == %@", [1...5]) }
    #expect(try TextSchema.condition("age == %@", [Int?.none as Any]) == TextSchema.condition("age == nil"))
    #expect(try TextSchema.condition("scores[%@] > 3", ["a"]) == TextSchema.condition("scores['a'] > 3"))
    #expect(try TextSchema.condition("age %größe == 0") == TextSchema.condition("age % größe == 0"))
  }
}
