/// The search terms of a full-text query: the right side of `matches`.
///
/// | | |
/// |---|---|
/// | `apple tree` | both words, anywhere |
/// | `app*` | a word that begins so |
/// | `"apple tree"` | one after the other |
/// | `-apple` | not this word; nor, with quotes, these words in a row |
///
/// Words are those of ``Tokenizer``, so that case and diacritics do not count. A query without a word matches
/// nothing; one that only excludes words matches every text without these, but never nil.
struct FullTextQuery: Hashable, Sendable {
  /// One word, or the beginning of some.
  struct Term: Hashable, Sendable {
    /// The folded word.
    var bytes: [UInt8]
    var isPrefix = false
  }

  /// Words that have to be there, or not be there, together.
  struct Clause: Hashable, Sendable {
    var terms: [Term]
    /// Whether the words are wanted one after another.
    var isPhrase = false
    var isExcluded = false
  }

  /// The greatest number of words in a query that a store answers: a search reads the entries of all of them at once.
  static let mostWords = 1_000

  private(set) var clauses: [Clause] = []

  /// Whether there is no word in it, so that it matches nothing.
  var isEmpty: Bool { clauses.isEmpty }
  /// Whether an index narrows it down: it has a word that is not excluded.
  var isSearchable: Bool { clauses.contains { !$0.isExcluded } }
  /// The words that every text has that matches, each once.
  var required: [Term] {
    var known: Set<Term> = []
    return clauses.filter { !$0.isExcluded }.flatMap(\.terms).filter { known.insert($0).inserted }
  }
  var wordCount: Int { clauses.reduce(0) { $0 + $1.terms.count } }
  /// Whether the words alone do not decide: their order does too.
  var hasPhrases: Bool { clauses.contains { $0.isPhrase && $0.terms.count > 1 } }

  /// Reads a query; every text is one.
  init(parsing text: String) {
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard let first = rest.first else { return }
      let isExcluded = first == "-" && !(rest.dropFirst().first?.isWhitespace ?? true)
      if isExcluded { rest = rest.dropFirst() }
      if rest.first == "\"" {
        rest = rest.dropFirst()
        let end = rest.firstIndex(of: "\"") ?? rest.endIndex
        add(String(rest[..<end]), isPrefix: false, isPhrase: true, isExcluded: isExcluded)
        rest = rest[end...].dropFirst()
      } else {
        let end = rest.firstIndex { $0.isWhitespace || $0 == "\"" } ?? rest.endIndex
        let piece = rest[..<end]
        add(
          String(piece),
          isPrefix: piece.last == "*",
          // Excluding a-b excludes both words in a row; otherwise fewer texts than intended would be found.
          isPhrase: isExcluded,
          isExcluded: isExcluded
        )
        rest = rest[end...]
      }
    }
  }

  private mutating func add(_ text: String, isPrefix: Bool, isPhrase: Bool, isExcluded: Bool) {
    var terms: [Term] = []
    var last: Tokenizer.Kind?
    text.forEachWord { token in
      // Outside of a phrase, pairs contain the last of their run, and a single ideograph matches every word
      // that has it.
      if token.kind == .last, !isPhrase { return true }
      terms.append(Term(bytes: Array(token.bytes), isPrefix: token.kind == .single && !isPhrase))
      last = token.kind
      return true
    }
    if last == .last, terms.count > 1 { terms.removeLast() }
    guard !terms.isEmpty else { return }
    if isPrefix || last == .single { terms[terms.count - 1].isPrefix = true }
    clauses.append(Clause(terms: terms, isPhrase: isPhrase && terms.count > 1, isExcluded: isExcluded))
  }

  /// Whether a text matches; for many texts, ``FullTextMatcher`` takes less time.
  func matches(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { FullTextMatcher(self).matches(UnsafeRawBufferPointer($0)) }
  }
}
