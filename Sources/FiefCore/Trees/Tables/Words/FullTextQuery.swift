/// The search terms of a full-text query, from the right side of `matches`.
///
/// | | |
/// |---|---|
/// | `apple tree` | both words, anywhere |
/// | `app*` | a word with this prefix |
/// | `"apple tree"` | these words in a row |
/// | `-apple` | not this word; with quotes, not these words in a row |
///
/// ``Tokenizer`` splits the query into folded words, so case and diacritics do not matter. A query without
/// words matches nothing. A query that only excludes words matches every text without these words, but never
/// nil.
struct FullTextQuery: Hashable, Sendable {
  /// A word, or a prefix of words.
  struct Term: Hashable, Sendable {
    /// The folded word.
    var bytes: [UInt8]
    var isPrefix = false
  }

  /// Words that a text must contain, or must not contain, together.
  struct Clause: Hashable, Sendable {
    var terms: [Term]
    /// Whether the words must be adjacent and in this order.
    var isPhrase = false
    var isExcluded = false
  }

  /// The maximum number of words in a query, because a search reads the entries of all words at once.
  static let mostWords = 1_000

  private(set) var clauses: [Clause] = []

  /// Whether the query contains no words and therefore matches nothing.
  var isEmpty: Bool { clauses.isEmpty }
  /// Whether an index can find the texts, which requires at least one word that is not excluded.
  var isSearchable: Bool { clauses.contains { !$0.isExcluded } }
  /// The required words without duplicates.
  var required: [Term] {
    var known: Set<Term> = []
    return clauses.filter { !$0.isExcluded }.flatMap(\.terms).filter { known.insert($0).inserted }
  }
  var wordCount: Int { clauses.reduce(0) { $0 + $1.terms.count } }
  /// Whether the query contains phrases. An index does not store the order of words.
  var hasPhrases: Bool { clauses.contains { $0.isPhrase && $0.terms.count > 1 } }

  /// Creates a query by parsing a text. Every text is a valid query.
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
          // Excluding `a-b` excludes the two words in succession. Excluding either word alone would exclude
          // too many texts.
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
      // Outside of a phrase, the last ideograph of a run is part of the last pair, and a single ideograph is
      // searched as a prefix.
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

  /// Returns whether a text matches. For many texts, ``FullTextMatcher`` is faster.
  func matches(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { FullTextMatcher(self).matches(UnsafeRawBufferPointer($0)) }
  }
}
