public import Fief

/// A line of a feed that was not imported, or only in part.
///
/// ```swift
/// for problem in result.problems {
///   print(problem.line, problem.error.property ?? "", problem.error.message)
/// }
/// ```
public struct ImportProblem: Error, Sendable, CustomStringConvertible {
  /// The number of the line in which the record begins, starting at 1. The heading of CSV is counted.
  public let line: Int
  /// The error, with the type, the property and the key that it concerns.
  public let error: FiefError
  /// The error in one sentence, which contains values only if the caller allows it.
  package let text: String

  /// The line and the error: `line 3: Book.year: The value is of the wrong type.`
  ///
  /// Values of the feed are omitted, as in all descriptions of errors.
  public var description: String { "line \(line): " + Self.text(of: error, key: nil) }

  package init(line: Int, _ error: FiefError, text: String? = nil) {
    (self.line, self.error, self.text) = (line, error, text ?? Self.text(of: error, key: error.key))
  }

  /// Creates the problem of a line from an error.
  ///
  /// - Parameter showsValues: whether the text contains the invalid values.
  /// - Returns: `nil` if the line did not cause the error, for example if the disk is full.
  package init?(line: Int, _ error: any Error, showsValues: Bool) {
    if let error = error as? CSVError {
      self.init(line: line, FiefError(.invalidValue, error.description), text: error.description)
      return
    }
    guard let error = error as? FiefError else { return nil }
    switch error.code {
    case .unknownType, .unknownProperty, .invalidValue, .malformedJSON, .missingValue, .missingPrimaryKey,
      .primaryKeyTooLong, .duplicatePrimaryKey, .duplicateValue, .objectNotFound:
      let shown = showsValues ? error.showingValues() : error
      self.init(line: line, error, text: Self.text(of: shown, key: shown.key))
    default: return nil
    }
  }

  /// Returns the same problem with text added at its end.
  func adding(_ more: String) -> ImportProblem { ImportProblem(line: line, error, text: text + more) }

  private static func text(of error: FiefError, key: String?) -> String {
    var place = [error.type, error.property].compactMap { $0 }.joined(separator: ".")
    if let key { place += place.isEmpty ? key : " of \(key)" }
    let details = error.details.isEmpty ? "" : " (\(error.details.joined(separator: "; ")))"
    return (place.isEmpty ? "" : "\(place): ") + error.message + details
  }
}
