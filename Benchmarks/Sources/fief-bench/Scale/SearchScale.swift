import Fief
import Foundation

/// A full-text query with very many words. The text is in no store, because a store limits the words of a query.
struct SearchScale {
  static let rows = ["search_words"]

  let directory: String
  /// The number of words of the query and of the text.
  let count: Int

  func run() throws -> (seconds: Double, operations: Int, sum: UInt64) {
    try Files.makeEmpty(directory)
    let words = (0..<count).map { "word\($0)" }.joined(separator: " ")
    var isFound = false
    let seconds = Clock.time { isFound = words.fullText.contains(words) }
    guard isFound, !words.fullText.contains("word\(count)") else {
      throw BenchmarkError("search_words: a wrong answer")
    }
    return (seconds, count, UInt64(count))
  }
}
