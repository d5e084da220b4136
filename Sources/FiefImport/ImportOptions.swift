public import Fief
public import Foundation

/// The format of a feed, and how its lines are handled.
public struct ImportOptions: Sendable {
  /// The forms of a feed.
  public enum Format: Sendable, Hashable {
    /// A JSON object in each line. In a feed of several types each line names its type in `$type`.
    case jsonLines
    /// A table in the format of RFC 4180, with the names of the properties in the first row.
    case csv
  }

  /// The format of the feed. If it is `nil`, the default, a file whose name ends in `.csv` is read as CSV and
  /// everything else as JSON lines.
  public var format: Format?
  /// A policy for lines whose key exists in the store. With the default, `.error`, such a line is a problem.
  public var onConflict: DynamicConflict
  /// Whether the first problem ends the import with an error. The default is `false`: invalid lines are not
  /// imported.
  public var stopsAtProblem: Bool
  /// An identifier of the feed, under which the store records the progress of the import, or `nil` to record
  /// nothing.
  ///
  /// If an import is interrupted for any reason, importing the same feed again with the same identifier
  /// continues it. For other contents, use a new identifier. Otherwise as many of their first lines are
  /// skipped as were committed before.
  public var id: UUID?
  /// The options for reading values, for example whether numbers are accepted as dates.
  public var json: JSONOptions
  /// Called after each batch with the number of bytes of the feed that have been read.
  public var progress: (@Sendable (Int) -> Void)?

  /// Creates options.
  public init(
    format: Format? = nil,
    onConflict: DynamicConflict = .error,
    stopsAtProblem: Bool = false,
    id: UUID? = nil,
    json: JSONOptions = .default,
    progress: (@Sendable (Int) -> Void)? = nil
  ) {
    (self.format, self.onConflict, self.stopsAtProblem) = (format, onConflict, stopsAtProblem)
    (self.id, self.json, self.progress) = (id, json, progress)
  }
}
