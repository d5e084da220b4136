public import Fief
public import Foundation

/// The form of a feed, and the handling of its lines.
public struct ImportOptions: Sendable {
  /// The forms of a feed.
  public enum Format: Sendable, Hashable {
    /// A JSON object in each line. In a feed of several types each line names its type in `$type`.
    case jsonLines
    /// A table with the names of the properties in the first row, as RFC 4180 describes it.
    case csv
  }

  /// The form of the feed. `nil`, the default, is CSV for a file whose name ends in `.csv`, and JSON lines for everything else.
  public var format: Format?
  /// The handling of a line whose key exists. The default, `.error`, makes it a problem.
  public var onConflict: DynamicConflict
  /// Whether the first problem ends the import as an error. The default is false: wrong lines are left out.
  public var stopsAtProblem: Bool
  /// An identifier of the feed, under which the store notes how far the import has come; `nil` for no notes.
  ///
  /// An import that was interrupted, in whatever way, continues if the same feed is imported again with the same identifier. Use a new
  /// identifier for other contents: the import would leave out as many of their lines as were committed before.
  public var id: UUID?
  /// The options for reading values, such as numbers in the place of dates.
  public var json: JSONOptions
  /// Called after each batch with the number of bytes of the feed that were read so far.
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
