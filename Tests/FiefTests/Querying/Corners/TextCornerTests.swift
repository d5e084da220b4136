import Fief
import Foundation
import Testing

/// Texts that are empty, folded, composed or full of wildcards, with an index and without.
@Suite(.timeLimit(.minutes(20))) struct TextCornerTests {
  private static let names = [
    "", "İstanbul", "ISTANBUL", "istanbul", "ıstanbul", "Straße", "STRASSE", "é", "e\u{301}", "ﬁne", "a*b",
    "a?b", "a\\b", "%", "_", "日本語", "👩‍👩‍👧", "\0x", "Ａ", "axb",
  ]

  private static func fill(_ item: CornerItem) {
    item.name = names[item.id]
    item.nameIndexed = names[item.id]
    item.body = names[item.id]
  }

  @Test func partsAndPatterns() throws {
    try CornerRepository.forAll(Self.names.count, Self.fill) { repository in
      func names(_ text: String, _ arguments: [Any]) -> [String]? {
        do { return try repository.items.query(text, arguments: arguments).map(\.name) } catch {
          Issue.record(error)
          return nil
        }
      }
      func found(_ text: String, _ arguments: Any...) -> [String]? {
        let plain = names("name " + text, arguments)
        #expect(names("nameIndexed " + text, arguments) == plain, "\(text)")
        return plain
      }
      for empty in ["CONTAINS ''", "BEGINSWITH ''", "ENDSWITH ''", "BEGINSWITH[c] ''", "CONTAINS[cd] ''"] {
        #expect(found(empty) == Self.names, "\(empty)")
      }
      #expect(found("LIKE ''") == [""])
      #expect(found("LIKE '*'") == Self.names)
      #expect(found("LIKE '?'") == Self.names.filter { $0.unicodeScalars.count == 1 })
      #expect(found("LIKE 'a?b'") == ["a*b", "a?b", "a\\b", "axb"])
      #expect(found("LIKE 'a\\\\*b'") == ["a*b"])
      #expect(found("LIKE 'a\\\\?b'") == ["a?b"])
      #expect(found("LIKE 'a\\\\\\\\b'") == ["a\\b"])
      #expect(found("LIKE %@", "a\\?b") == ["a?b"])
      #expect(found("CONTAINS '\\0'") == ["\0x"])
      #expect(found("IN %@", Self.names) == Self.names)
      #expect(found("== %@", "e\u{301}") == ["e\u{301}"])
    }
  }

  @Test func caseAndMarks() throws {
    try CornerRepository.forAll(Self.names.count, Self.fill) { repository in
      func found(_ text: String) -> [String] {
        let plain = repository.items.filter("name " + text).map(\.name)
        #expect(repository.items.filter("nameIndexed " + text).map(\.name) == plain, "\(text)")
        return plain
      }
      // Case follows Unicode's tables and no language's: a dotted capital I keeps its dot as a mark.
      #expect(found("==[c] 'istanbul'") == ["ISTANBUL", "istanbul", "ıstanbul"])
      #expect(found("==[cd] 'istanbul'") == ["İstanbul", "ISTANBUL", "istanbul", "ıstanbul"])
      #expect(found("==[c] 'strasse'") == ["Straße", "STRASSE"])
      #expect(found("BEGINSWITH[c] 'STRASS'") == ["Straße", "STRASSE"])
      #expect(found("LIKE[c] 'stra*E'") == ["Straße", "STRASSE"])
      #expect(found("==[d] 'e'") == ["é", "e\u{301}"])
      #expect(found("==[c] 'FINE'") == ["ﬁne"])
    }
  }

  @Test func words() throws {
    try CornerRepository.forAll(Self.names.count, Self.fill) { repository in
      func found(_ words: String) -> [String] {
        let closure = repository.items.where { $0.body.matches(words) }.map(\.body)
        #expect(repository.items.filter("body MATCHES %@", words).map(\.body) == closure)
        #expect(
          repository.items.filter(#Predicate { $0.body.fullText.contains(words) }).map(\.body) == closure
        )
        return closure
      }
      #expect(found("日本") == ["日本語"] && found("日") == ["日本語"] && found("本*") == ["日本語"])
      #expect(found("本日").isEmpty)
      #expect(found("stras*") == ["Straße", "STRASSE"])
      for nothing in ["", " ", "\" \"", "-", "*", "\"", "- -"] {
        #expect(found(nothing).isEmpty, "'\(nothing)'")
      }
    }
  }

  /// A float is what is nearest to a number that is written down.
  @Test func floatsAreFoundAsTheyAreWritten() throws {
    try CornerRepository.forAll(10) {
      $0.small = Float($0.id) / 10
      $0.smallIndexed = $0.small
      $0.floats.append(objectsIn: [$0.small, 1.7])
    } _: { repository in
      let items = repository.items
      for name in ["small", "smallIndexed"] {
        #expect(items.filter("%K == 0.1", name).map(\.id) == [1])
        #expect(items.filter("0.1 == %K", name).map(\.id) == [1])
        #expect(items.filter("%K == %@", name, 0.1).map(\.id) == [1])
        #expect(items.filter("%K == %@", name, 0.1 as Float).map(\.id) == [1])
        #expect(items.filter("%K <= 0.3 AND %K >= 0.1", name, name).map(\.id) == [1, 2, 3])
        #expect(items.filter("%K BETWEEN {0.1, 0.3}", name).map(\.id) == [1, 2, 3])
        #expect(items.filter("%K IN {0.1, 0.7}", name).map(\.id) == [1, 7])
        #expect(items.filter("%K < 1e300 AND %K > -1e300", name, name).count == 10)
        #expect(items.filter("%K == 1e300 OR %K == 1e-300", name, name).isEmpty)
      }
      #expect(items.filter("floats CONTAINS 0.1").map(\.id) == [1])
      #expect(items.filter("ANY floats == 1.7").count == 10)
      #expect(items.where { $0.small == 0.1 }.map(\.id) == [1])
    }
  }
}
