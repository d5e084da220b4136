import Fief

/// The result of an import.
public struct ImportResult: Sendable {
  /// The number of objects that were inserted.
  public let inserted: Int
  /// The number of stored objects that were replaced.
  public let replaced: Int
  /// The number of stored objects into which values were written.
  public let merged: Int
  /// The number of lines that were skipped because their key exists.
  public let skipped: Int
  /// The number of problems: invalid lines, and links whose targets do not exist.
  public let problemCount: Int
  /// The first 100 problems.
  public let problems: [ImportProblem]

  init(_ objects: ObjectImport) {
    func count(_ outcome: DynamicPut.Outcome) -> Int { objects.counts[outcome] ?? 0 }
    (inserted, replaced, merged, skipped) = (
      count(.inserted), count(.replaced), count(.merged), count(.skipped)
    )
    (problemCount, problems) = (objects.wrongCount, objects.wrong)
  }
}
