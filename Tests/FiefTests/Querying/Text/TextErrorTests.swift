import Fief
import Foundation
import Testing

@testable import FiefCore

/// The errors of texts, and their places.
@Suite("Text form: errors", .timeLimit(.minutes(20))) struct TextErrorTests {
  private func failure(_ text: String, _ arguments: [Any] = []) -> FiefError? {
    do {
      _ = try TextSchema.condition(text, arguments)
      return nil
    } catch { return error as? FiefError }
  }

  @Test("An error has the place, what was found and what was expected") func place() throws {
    let error = try #require(failure("age > 3 AND\n  name BEGINSWITH AND x"))
    #expect(error.code == .malformedQuery)
    #expect(error.store == "people")
    #expect(error.type == "Person")
    #expect(
      error.details == [
        "at: line 2, column 19, byte 30",
        "found: 'AND'",
        "expected: a property, a value, an argument, a function or '('",
        "  name BEGINSWITH AND x",
        "                  ^",
      ]
    )
  }

  @Test("A long line is shown around the place; characters count, not bytes") func longLine() throws {
    let text = String(repeating: "ä", count: 200)
    let error = try #require(failure("name == '\(text)' ; name == '\(text)'"))
    #expect(error.details[0] == "at: line 1, column 212, byte 411")
    let line = error.details[error.details.count - 2]
    let caret = try #require(error.details.last)
    #expect(line.count < 130)
    #expect(Array(line)[caret.count - 1] == ";")
    let control = try #require(failure("\u{1B}[31m age"))
    #expect(!control.details.joined().contains("\u{1B}["))
  }

  @Test(
    "Texts that do not follow the grammar, and the column of what is wrong",
    arguments: [
      ("age >", 6), ("age", 1), ("> 3", 1), ("age > 3 name", 9), ("age > 3 AND", 12), ("(age > 3", 9),
      ("age > 3)", 8),
      ("age > 3 > 2", 9), ("age == 'x", 8), ("age == \"x'", 8), ("`age > 3", 1), ("`` > 3", 1),
      ("age IN 3", 5),
      ("age IN {1, 2", 13), ("age BETWEEN {1}", 5), ("age BETWEEN 3", 5), ("name LIKE[x] 'a'", 11),
      ("name ==[c 'a'", 11),
      ("age > 3x", 8), ("age > 1.2.3", 10), ("age # 3", 5), ("age > $", 8), ("age > @", 8),
      ("age > @count", 7),
      ("SUBQUERY(dogs, d, d.age > 3).@count > 1", 16), ("SUBQUERY(dogs, $d, $d.age > 3) > 1", 32),
      ("SUBQUERY(dogs, $d, $d.age > 3).@sum > 1", 32), ("dogs.@median.age > 3", 6),
      ("dogs.@count.age > 3", 12),
      ("nothing(age) > 3", 1), ("uuid('x') == id", 1), ("date('yesterday') == born", 1),
      ("data(hex 'abc') == photo", 1),
      ("2026-13-20@10:00:00 == born", 1), ("name == '\\q'", 10), ("name == '\\u{110000}'", 10),
      ("age > AND 3", 7),
      ("NOT", 4), ("age == NOT 3", 8), ("LIMIT(-1)", 7), ("LIMIT(age)", 7), ("LIMIT(1) LIMIT(2)", 10),
      ("LIMIT(1) LAST(2)", 10), ("SORT()", 6), ("SORT(age DOWN)", 10), ("SORT(age NULLS)", 15),
      ("SORT(name[d])", 10),
      ("SORT(age) age > 3", 11), ("DISTINCT(dogs.@count)", 21), ("name MATCHES 3", 6), ("$d.age > 3", 1),
      ("scores[1.5] > 1", 8), ("scores[-2] > 1", 8), ("scores[] > 1", 8), ("age > {1}", 7), ("1", 1),
      ("age + 1", 1),
      ("99999999999999999999999999999999999999999m > age", 1),
      ("age > 1e999", 7), ("name MATCHES[c] 'a'", 17), ("ANY 3", 5), ("ANY(dogs", 9), ("age > LIKE 3", 7),
      ("ANY(dogs, $d)", 11),
      ("age.@links.X > 3", 14),
    ] as [(String, Int)]
  ) func malformed(text: String, column: Int) throws {
    let error = try #require(failure(text), "\(text)")
    #expect(error.code == .malformedQuery, "\(text): \(error)")
    #expect(error.details.first?.hasPrefix("at: line 1, column \(column), ") == true, "\(text): \(error)")
  }

  @Test(
    "Names that there are not, and what cannot be done",
    arguments: [
      ("agee > 3", FiefError.Code.unknownProperty, 1), ("dogs.agee > 3", .unknownProperty, 6),
      ("ANY dogs.toys.name == 'x'", .unknownProperty, 15), ("name.first == 'x'", .unknownProperty, 6),
      ("SORT(agee)", .unknownProperty, 6), ("dogs.@sum.agee > 3", .unknownProperty, 11),
      ("ANY", .unknownProperty, 1), ("text > 3", .unknownProperty, 1), ("ANY age > 3", .invalidQuery, 5),
      ("age.@count > 3", .invalidQuery, nil),
      ("SORT(dogs.age)", .invalidQuery, 6),
      ("age.@sum > 3", .invalidQuery, 1), ("age['x'] > 3", .invalidQuery, 4),
      ("scores[3] > 1", .invalidQuery, 7), ("age[*] > 3", .invalidQuery, 4),
      ("age.@type == 'int'", .invalidQuery, 4),
      ("anything.@type == 'cat'", .invalidQuery, nil), ("anything[0].name == 1", .unknownProperty, 13),
      ("'x' IN name", .invalidQuery, 8),
      ("ANY(age, SELF > 3)", .invalidQuery, 5), ("dogs.@sum.toys > 3", .invalidQuery, 11),
      ("best == object('Cat', 'x')", .unknownType, 23),
    ] as [(String, FiefError.Code, Int?)]
  ) func impossible(text: String, code: FiefError.Code, column: Int?) throws {
    guard let column else { return }
    let error = try #require(failure(text), "\(text)")
    #expect(error.code == code, "\(text): \(error)")
    #expect(error.details.first?.hasPrefix("at: line 1, column \(column), ") == true, "\(text): \(error)")
  }

  @Test("A name that is wrong is answered with those that there are") func suggestion() throws {
    let error = try #require(failure("dogs.agee > 3"))
    #expect(error.type == "Dog")
    #expect(error.property == "agee")
    #expect(error.details.contains("expected: a property of Dog: age, marks, name, owners, toys"))
  }

  @Test("Arguments that are missing, too many, mixed or of the wrong kind") func arguments() {
    #expect(failure("age > %@")?.code == .malformedQuery)
    #expect(failure("age > $1", [1])?.code == .malformedQuery)
    #expect(failure("age > %@", [1, 2])?.code == .malformedQuery)
    #expect(failure("age > $1", [1, 2])?.code == .malformedQuery)
    #expect(failure("age > $0 AND age < %@", [1, 2])?.code == .malformedQuery)
    #expect(failure("%K > 3", [3])?.code == .invalidQuery)
    #expect(failure("%K > 3", [""])?.code == .invalidQuery)
    #expect(failure("age IN %@", [3])?.code == .malformedQuery)
    #expect(failure("age > %@", [[1, 2]])?.code == .malformedQuery)
    #expect(failure("age > %@", [Calendar(identifier: .gregorian)])?.code == .invalidQuery)
    #expect(failure("LIMIT(%@)", ["many"])?.code == .malformedQuery)
  }

  @Test("No text overflows the stack") func depth() throws {
    func nested(_ opening: String, _ inner: String, _ closing: String, _ count: Int) -> String {
      String(repeating: opening, count: count) + inner + String(repeating: closing, count: count)
    }
    for (opening, inner, closing) in [
      ("(", "age > 3", ")"), ("NOT ", "age > 3", ""), ("!", "age > 3", ""), ("age > -", "3", ""),
      ("age > +", "3", ""),
      ("ANY(dogs, ", "age > 3", ")"), ("LENGTH(", "name", ")"),
      ("SUBQUERY(dogs, $x, ", "age > 3", ").@count > 1"),
      ("TERNARY(", "age > 3", ", 1, 2)"), ("{", "1", "}"), ("age ?? ", "3", ""), ("(age + ", "3", ")"),
      ("-", "3", ""), ("COALESCE(1, ", "2", ")"), ("best.", "age", ""), ("(", "", ""),
      ("age == (", "1", ") == 2"),
    ] {
      let error = try #require(failure(nested(opening, inner, closing, 10_000)), "\(opening)")
      #expect(error.code == .malformedQuery || error.code == .unknownProperty, "\(opening): \(error.message)")
    }
    // A text without nesting may be long.
    let long = Array(repeating: "age > 3", count: 10_000).joined(separator: " AND ")
    guard case .all(let parts)? = try TextSchema.condition(long) else {
      Issue.record("not a conjunction")
      return
    }
    #expect(parts.count == 10_000)
    let sum = "age > 0" + String(repeating: " + 1", count: QueryParser.mostOperators)
    #expect(throws: Never.self) { try TextSchema.condition(sum) }
    #expect(failure(sum + " + 1")?.code == .malformedQuery)
    let owners = "best" + String(repeating: ".owners.best", count: 20) + ".age > 3"
    #expect(failure(owners)?.code == .malformedQuery)
    #expect(failure(String(repeating: " ", count: 1 << 20) + "age > 3")?.code == .malformedQuery)
  }

  @Test("The deepest texts that are allowed are read on a small stack") func smallStack() async throws {
    let deepest = QueryParser.deepest - 1
    func nested(_ opening: String, _ inner: String, _ closing: String, _ count: Int) -> String {
      String(repeating: opening, count: count) + inner + String(repeating: closing, count: count)
    }
    let texts = [
      nested("(", "age > 3", ")", deepest), nested("NOT ", "age > 3", "", deepest),
      "age > " + nested("(1 + ", "3", ")", deepest / 2), nested("ANY(dogs, SELF.", "age > 3", ")", 1),
      nested("age > TERNARY(", "age > 3", ", 1, 2)", deepest / 2 - 2),
      nested("ANY(best.owners, ", "age > 3", ")", min(deepest, QueryLowering.deepest)),
    ]
    for text in texts {
      // Not the continuation's own value: the thread sanitizer sees no order where it is resumed before it waits.
      let failure = Lock<(any Error)?>(nil)
      await withCheckedContinuation { continuation in
        let thread = Thread {
          do {
            let read = try TextSchema.description(text)
            _ = try QueryTextForm.parse(QueryPrinter.text(of: read), type: "Person", schema: .unknown)
          } catch { failure.withLock { $0 = error } }
          continuation.resume()
        }
        thread.stackSize = 512 << 10
        thread.start()
      }
      if let error = failure.withLock({ $0 }) {
        // The full form has more parentheses.
        #expect((error as? FiefError)?.message == "The query is nested too deeply.", "\(text): \(error)")
      }
    }
  }
}
