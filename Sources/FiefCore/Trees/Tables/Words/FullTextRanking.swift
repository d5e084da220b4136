import Foundation

/// The score of a text for a query: Okapi BM25.
///
/// After S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations and
/// Trends in Information Retrieval 3 (2009), with k1 = 1.2 and b = 0.75; the weight of a word is that of Apache
/// Lucene, `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative. The beginning of words counts as one
/// word that is wherever one of them is.
struct FullTextRanking {
  private static let saturation = 1.2
  private static let lengthWeight = 0.75

  /// The number of texts.
  let texts: Int
  /// The words of a text, on average.
  let averageLength: Double

  init(texts: Int, words: Int) {
    self.texts = texts
    averageLength = texts > 0 ? max(Double(words) / Double(texts), 1) : 1
  }

  /// The weight of a word.
  ///
  /// - Parameter count: the number of texts that have it.
  func weight(textsWithWord count: Int) -> Double {
    let count = Double(min(count, texts))
    return log(1 + (Double(texts) - count + 0.5) / (count + 0.5))
  }

  /// The part of one word in the score of a text.
  ///
  /// - Parameters:
  ///   - weight: that of the word.
  ///   - frequency: the number of times that the text has it.
  ///   - length: the number of the text's words.
  func score(weight: Double, frequency: Int, length: Int) -> Double {
    let frequency = Double(frequency)
    let relativeLength = Double(length) / averageLength
    let damping = Self.saturation * (1 - Self.lengthWeight + Self.lengthWeight * relativeLength)
    return weight * frequency * (Self.saturation + 1) / (frequency + damping)
  }
}
