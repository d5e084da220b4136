import Foundation

/// Computes the score of a text for a query: Okapi BM25.
///
/// The formula is from S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and
/// Beyond", Foundations and Trends in Information Retrieval 3 (2009), with k1 = 1.2 and b = 0.75. The weight
/// of a word is `ln(1 + (N - n + 0.5) / (n + 0.5))` as in Apache Lucene, which is never negative. All words
/// with a prefix of the query count as one word.
struct FullTextRanking {
  private static let saturation = 1.2
  private static let lengthWeight = 0.75

  /// The number of texts.
  let texts: Int
  /// The average number of words in a text.
  let averageLength: Double

  init(texts: Int, words: Int) {
    self.texts = texts
    averageLength = texts > 0 ? max(Double(words) / Double(texts), 1) : 1
  }

  /// Returns the weight of a word.
  ///
  /// - Parameter count: the number of texts with the word.
  func weight(textsWithWord count: Int) -> Double {
    let count = Double(min(count, texts))
    return log(1 + (Double(texts) - count + 0.5) / (count + 0.5))
  }

  /// Returns the contribution of one word to the score of a text.
  ///
  /// - Parameters:
  ///   - weight: the weight of the word.
  ///   - frequency: the number of occurrences of the word in the text.
  ///   - length: the number of words in the text.
  func score(weight: Double, frequency: Int, length: Int) -> Double {
    let frequency = Double(frequency)
    let relativeLength = Double(length) / averageLength
    let damping = Self.saturation * (1 - Self.lengthWeight + Self.lengthWeight * relativeLength)
    return weight * frequency * (Self.saturation + 1) / (frequency + damping)
  }
}
