import Fief
import Foundation

/// One question, in every form that can say it.
struct CorpusEntry {
  /// The text form, which is its name too.
  let text: String
  let arguments: [Any]
  let isIncluded: ((Query<CorpusItem>) -> Query<Bool>)?
  let predicate: Predicate<CorpusItem>?
  /// The answer in plain Swift.
  let holds: (CorpusRow) -> Bool

}

/// The questions of the corpus.
struct Corpus {
  private(set) var entries: [CorpusEntry] = []

  init() {
    addNumbers()
    addNumberValues()
    addTexts()
    addValues()
    addLogic()
    addArithmetic()
    addLinks()
    addCollections()
    addQuantifiers()
    addAggregates()
    addMaps()
    addEmbedded()
  }

  /// - Parameters:
  ///   - text: the text form.
  ///   - arguments: its arguments.
  ///   - isIncluded: the closure of `where { }`; nil where it cannot say it.
  ///   - predicate: the `#Predicate`; nil where the macro cannot say it.
  ///   - holds: the answer in plain Swift.
  mutating func add(
    _ text: String,
    _ arguments: Any...,
    where isIncluded: ((Query<CorpusItem>) -> Query<Bool>)?,
    _ predicate: Predicate<CorpusItem>? = nil,
    plain holds: @escaping (CorpusRow) -> Bool
  ) {
    entries.append(
      CorpusEntry(
        text: text,
        arguments: arguments,
        isIncluded: isIncluded,
        predicate: predicate,
        holds: holds
      )
    )
  }
}
