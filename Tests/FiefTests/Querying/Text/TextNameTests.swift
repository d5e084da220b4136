import Fief
import Testing

@Suite("Text form: names", .timeLimit(.minutes(20))) struct TextNameTests {
  @Test("Words of the language are names where they stand as one") func words() throws {
    let schema = QueryTextSchema.unknown
    func read(_ text: String) throws -> QueryDescription {
      try QueryTextForm.parse(text, type: "Any", schema: schema)
    }
    let words = [
      "any", "some", "all", "none", "text", "in", "like", "contains", "matches", "between", "beginswith",
      "endswith", "date", "data", "limit", "sort", "first", "last", "offset", "distinct", "length", "uuid",
      "asc", "desc", "nulls", "locale", "no", "yes", "double", "count", "lower",
    ]
    for word in words {
      for text in [
        "# == 3", "3 == #", "# IN {1, 2}", "# LIKE[c] 'a*'", "# TEXT 'a'", "# NOT IN {#, 3}", "#", "NOT #",
        "(# OR #) AND #", "#.x == 'a'", "#['k'] > 1", "# - 1 == -#", "x > 3 AND #", "x == # LIMIT(3)",
        "# SORT(#)", "SORT(# DESC, #[c] NULLS LAST)", "DISTINCT(#, x)", "#.@count > 1", "ANY(#, # == 3)",
        "SUBQUERY(#, $x, $x.# == #).@count > #", "COALESCE(#, 1) == TERNARY(#, #, #)", "ALL #.x > 3",
        "x ?? # == 1", "# BETWEEN {1, #}",
      ] {
        let bare = text.replacing("#", with: word)
        let quoted = text.replacing("#", with: "`\(word)`")
        do {
          let descriptions = (try read(bare), try read(quoted))
          #expect(descriptions.0 == descriptions.1, "\(bare)")
        } catch { Issue.record(error, "\(bare)") }
      }
    }
    for (bare, quoted) in [
      ("ANY text == 'a'", "ANY `text` == 'a'"), ("ANY in.x LIKE 'a'", "ANY `in`.x LIKE 'a'"),
      ("NONE text['k'] > 3", "NONE `text`['k'] > 3"), ("ALL like IN {1}", "ALL `like` IN {1}"),
      ("any TEXT 'a'", "`any` MATCHES 'a'"), ("all like 'a'", "`all` LIKE 'a'"),
      ("SOME any > 3", "SOME `any` > 3"), ("NOT ANY (text) > 3", "NOT ANY `text` > 3"),
      ("any CONTAINS 'x'", "`any` CONTAINS 'x'"), ("any CONTAINS text", "`any` CONTAINS `text`"),
      ("any CONTAINS text AND x > 3", "`any` CONTAINS `text` AND x > 3"),
      ("(all CONTAINS like) OR any LIKE in.x", "(`all` CONTAINS `like`) OR `any` LIKE `in`.x"),
      ("any CONTAINS like['k']", "`any` CONTAINS `like`['k']"),
      ("ANY in LIKE[c] 'a'", "ANY `in` LIKE[c] 'a'"),
      ("ANY text CONTAINS 'a'", "ANY `text` CONTAINS 'a'"),
      ("ALL like IN {1} AND x", "ALL `like` IN {1} AND x"),
      ("ANY text CONTAINS text", "ANY `text` CONTAINS `text`"),
      ("any CONTAINS text SORT(x)", "`any` CONTAINS `text` SORT(x)"),
    ] {
      let descriptions = (try read(bare), try read(quoted))
      #expect(descriptions.0 == descriptions.1, "\(bare)")
    }
  }
}
