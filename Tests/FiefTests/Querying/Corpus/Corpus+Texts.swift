import Fief
import Foundation

extension Corpus {
  /// Texts: by their bytes, and without case or accents.
  mutating func addTexts() {
    // Literals in a #Predicate cost the compiler much.
    let no = false
    let (fox, zero): (String, Int8) = ("fox", 0)
    let composed = "\u{E9}"
    let names = ["Ann", "Bob", "", "nobody"]
    let noName: String? = nil
    let same = ComparisonResult.orderedSame
    add(
      "string == 'Ann'",
      where: { $0.string == "Ann" },
      #Predicate { $0.string == "Ann" },
      plain: { $0.string == "Ann" }
    )
    add(
      "string != 'Ann'",
      where: { $0.string != "Ann" },
      #Predicate { $0.string != "Ann" },
      plain: { $0.string != "Ann" }
    )
    add(
      "string < 'Ann'",
      where: { $0.string < "Ann" },
      #Predicate { $0.string < "Ann" },
      plain: { $0.string < "Ann" }
    )
    add(
      "string <= 'Ann'",
      where: { $0.string <= "Ann" },
      #Predicate { $0.string <= "Ann" },
      plain: { $0.string <= "Ann" }
    )
    add(
      "string > 'Ann'",
      where: { $0.string > "Ann" },
      #Predicate { $0.string > "Ann" },
      plain: { $0.string > "Ann" }
    )
    add(
      "string >= 'Ann'",
      where: { $0.string >= "Ann" },
      #Predicate { $0.string >= "Ann" },
      plain: { $0.string >= "Ann" }
    )
    add(
      "string == ''",
      where: { $0.string == "" },
      #Predicate { $0.string.isEmpty },
      plain: { $0.string == "" }
    )
    add(
      "string == %@",
      composed,
      where: { $0.string == composed },
      #Predicate { $0.string == composed },
      plain: { $0.string == ByteText(composed) }
    )
    add(
      "string ==[c] 'ann'",
      where: { $0.string.equals("ann", options: .caseInsensitive) },
      #Predicate { $0.string.caseInsensitiveCompare("ann") == same },
      plain: { $0.string.c == "ann" }
    )
    add(
      "string ==[c] %@",
      "\u{E9}cole",
      where: { $0.string.equals("\u{E9}cole", options: .caseInsensitive) },
      plain: { $0.string.c == ByteText("\u{E9}cole").c }
    )
    add(
      "string ==[d] 'e'",
      where: { $0.string.equals("e", options: .diacriticInsensitive) },
      plain: { $0.string.d == "e" }
    )
    add(
      "string ==[cd] 'ZOE'",
      where: { $0.string.equals("ZOE", options: [.caseInsensitive, .diacriticInsensitive]) },
      plain: { $0.string.cd == "zoe" }
    )
    add(
      "string !=[c] 'ANNA'",
      where: { $0.string.notEquals("ANNA", options: .caseInsensitive) },
      #Predicate { $0.string.caseInsensitiveCompare("ANNA") != same },
      plain: { $0.string.c != "anna" }
    )
    add(
      "string CONTAINS 'n'",
      where: { $0.string.contains("n") },
      #Predicate { $0.string.contains("n") },
      plain: { $0.string.has("n") }
    )
    add(
      "string CONTAINS ''",
      where: { $0.string.contains("") },
      #Predicate { $0.string.contains("") },
      plain: {
        _ = $0; return true
      }
    )
    add(
      "string CONTAINS[c] 'NN'",
      where: { $0.string.contains("NN", options: .caseInsensitive) },
      plain: { $0.string.c.has("nn") }
    )
    add(
      "string CONTAINS[cd] 'E'",
      where: { $0.string.contains("E", options: [.caseInsensitive, .diacriticInsensitive]) },
      #Predicate { $0.string.localizedStandardContains("E") },
      plain: { $0.string.cd.has("e") }
    )
    add(
      "string CONTAINS '本'",
      where: { $0.string.contains("本") },
      #Predicate { $0.string.contains("本") },
      plain: { $0.string.has("本") }
    )
    add(
      "string BEGINSWITH 'A'",
      where: { $0.string.starts(with: "A") },
      #Predicate { $0.string.starts(with: "A") },
      plain: { $0.string.starts("A") }
    )
    add(
      "string BEGINSWITH ''",
      where: { $0.string.starts(with: "") },
      #Predicate { $0.string.starts(with: "") },
      plain: {
        _ = $0; return true
      }
    )
    add(
      "string BEGINSWITH[c] 'AN'",
      where: { $0.string.starts(with: "AN", options: .caseInsensitive) },
      plain: { $0.string.c.starts("an") }
    )
    add(
      "string BEGINSWITH[d] 'na'",
      where: { $0.string.starts(with: "na", options: .diacriticInsensitive) },
      plain: { $0.string.d.starts("na") }
    )
    add(
      "string ENDSWITH 'b '",
      where: { $0.string.ends(with: "b ") },
      plain: { $0.string.ends("b ") }
    )
    add(
      "string ENDSWITH[c] 'A'",
      where: { $0.string.ends(with: "A", options: .caseInsensitive) },
      plain: { $0.string.c.ends("a") }
    )
    add(
      "string ENDSWITH[cd] 'É'",
      where: { $0.string.ends(with: "\u{C9}", options: [.caseInsensitive, .diacriticInsensitive]) },
      plain: { $0.string.cd.ends("e") }
    )
    add(
      "string LIKE 'A*'",
      where: { $0.string.like("A*") },
      plain: { $0.string.starts("A") }
    )
    add(
      "string LIKE[c] '*n*a'",
      where: { $0.string.like("*n*a", caseInsensitive: true) },
      plain: { $0.string.c.ends("a") && $0.string.c.has("n") }
    )
    add(
      "string LIKE 'a?b'",
      where: { $0.string.like("a?b") },
      plain: { ["a*b", "a?b"].contains($0.string) }
    )
    add(
      "string LIKE %@",
      #"a\*b"#,
      where: { $0.string.like(#"a\*b"#) },
      plain: { $0.string == "a*b" }
    )
    add(
      "string LIKE '*'",
      where: { $0.string.like("*") },
      plain: {
        _ = $0; return true
      }
    )
    add(
      "string IN {'Ann', 'Bob', '', 'nobody'}",
      where: { $0.string.in(names) },
      #Predicate { names.contains($0.string) },
      plain: { names.contains($0.string.text) }
    )
    add(
      "string IN[c] %@",
      ["ANN", "bob"],
      where: { $0.string.in(["ANN", "bob"], options: .caseInsensitive) },
      plain: { ["ann", "bob"].contains($0.string.c) }
    )
    add(
      "NOT string BEGINSWITH 'A'",
      where: { !$0.string.starts(with: "A") },
      #Predicate { !$0.string.starts(with: "A") },
      plain: { !$0.string.starts("A") }
    )
    add(
      "optString == %@",
      noName as Any,
      where: { $0.optString == noName },
      #Predicate { $0.optString == noName },
      plain: { $0.optString == nil }
    )
    add(
      "optString != nil",
      where: { $0.optString != nil },
      #Predicate { $0.optString != nil },
      plain: { $0.optString != nil }
    )
    add(
      "optString == 'a'",
      where: { $0.optString == "a" },
      #Predicate { $0.optString == "a" },
      plain: { $0.optString == "a" }
    )
    add(
      "optString != 'a'",
      where: { $0.optString != "a" },
      #Predicate { $0.optString != "a" },
      plain: { $0.optString != "a" }
    )
    add(
      "optString > 'B'",
      where: { $0.optString > "B" },
      #Predicate { $0.optString.flatMap { $0 > "B" } ?? no },
      plain: { $0.optString >? "B" }
    )
    add(
      "optString <= 'B'",
      where: { $0.optString <= "B" },
      #Predicate { $0.optString.flatMap { $0 <= "B" } ?? no },
      plain: { $0.optString <=? "B" }
    )
    add(
      "NOT optString < 'B'",
      where: { !($0.optString < "B") },
      #Predicate { !($0.optString.flatMap { $0 < "B" } ?? no) },
      plain: { !($0.optString <? "B") }
    )
    add(
      "optString CONTAINS 'a'",
      where: { $0.optString.contains("a") },
      #Predicate { $0.optString?.contains("a") ?? no },
      plain: { $0.optString?.has("a") ?? false }
    )
    add(
      "NOT optString CONTAINS 'a'",
      where: { !$0.optString.contains("a") },
      #Predicate { !($0.optString?.contains("a") ?? no) },
      plain: { !($0.optString?.has("a") ?? false) }
    )
    add(
      "optString BEGINSWITH[c] 'a'",
      where: { $0.optString.starts(with: "a", options: .caseInsensitive) },
      plain: { $0.optString?.c.starts("a") ?? false }
    )
    add(
      "optString CONTAINS[cd] 'o'",
      where: { $0.optString.contains("o", options: [.caseInsensitive, .diacriticInsensitive]) },
      #Predicate { $0.optString?.localizedStandardContains("o") == true },
      plain: { $0.optString?.cd.has("o") ?? false }
    )
    add(
      "optString ==[c] 'ann'",
      where: { $0.optString.equals("ann", options: .caseInsensitive) },
      #Predicate { $0.optString.flatMap { $0.caseInsensitiveCompare("ann") == same } ?? no },
      plain: { $0.optString?.c == "ann" }
    )
    add(
      "string == optString",
      where: { $0.string == $0.optString },
      plain: { $0.string == $0.optString }
    )
    add(
      "string < optString",
      where: { $0.string < $0.optString },
      #Predicate { row in row.optString.flatMap { row.string < $0 } ?? no },
      plain: { $0.string <? $0.optString }
    )
    add(
      "string BEGINSWITH optString",
      where: { $0.string.starts(with: $0.optString) },
      plain: { row in row.optString.map { row.string.starts($0) } ?? false }
    )
    add(
      "string CONTAINS[c] optString",
      where: { $0.string.contains($0.optString, options: .caseInsensitive) },
      plain: { row in row.optString.map { row.string.c.has($0.c) } ?? false }
    )
    add(
      "string.@length > 3",
      where: { $0.string.length > 3 },
      #Predicate { $0.string.count > 3 },
      plain: { $0.string.text.count > 3 }
    )
    add(
      "optString.@length == 1",
      where: { $0.optString.length == 1 },
      #Predicate { $0.optString.flatMap { $0.count == 1 } ?? no },
      plain: { $0.optString?.text.count == 1 }
    )
    add(
      "LOWERCASE(string) == 'anna'",
      where: { $0.string.lowercased() == "anna" },
      plain: { $0.string.text.lowercased() == "anna" }
    )
    add(
      "UPPERCASE(optString) == 'ANNA'",
      where: { $0.optString.uppercased() == "ANNA" },
      plain: { $0.optString?.text.uppercased() == "ANNA" }
    )
    add(
      "`text` MATCHES 'quick'",
      where: { $0.text.matches("quick") },
      #Predicate { $0.text.fullText.contains("quick") },
      plain: { $0.text.words("quick") }
    )
    add(
      "`text` MATCHES 'fox quick'",
      where: { $0.text.matches("fox quick") },
      #Predicate { $0.text.fullText.contains("fox quick") },
      plain: { $0.text.words("fox", "quick") }
    )
    add(
      "`text` MATCHES 'fox*'",
      where: { $0.text.matches("fox*") },
      #Predicate { $0.text.fullText.contains("fox*") },
      plain: { $0.text.words("fox") || $0.text.words("foxes") }
    )
    add(
      "`text` MATCHES 'missing'",
      where: { $0.text.matches("missing") },
      #Predicate { $0.text.fullText.contains("missing") },
      plain: {
        _ = $0; return false
      }
    )
    add(
      "`text` MATCHES 'fox' AND int8 > 0",
      where: { $0.text.matches("fox") && $0.int8 > 0 },
      #Predicate { $0.text.fullText.contains(fox) && $0.int8 > zero },
      plain: { $0.text.words("fox") && $0.int8 > 0 }
    )
  }
}
