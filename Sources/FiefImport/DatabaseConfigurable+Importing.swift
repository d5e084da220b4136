public import Fief
public import Foundation

extension DatabaseConfigurable {
  /// Imports the objects of a file of JSON lines or CSV.
  ///
  /// ```swift
  /// let result = try await library.importObjects(from: URL(filePath: "books.csv"), of: Book.self)
  /// for problem in result.problems { print(problem) }
  /// ```
  /// The file is read in parts. Lines are committed a thousand, or eight megabytes, at a time. Links to
  /// objects of later lines are set after the last line. If relationships have limits or are required, the
  /// import is one commit. The caller's thread does not wait. Cancelling the task ends the import between two
  /// batches.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - type: the class of the objects, or `nil` if each line of JSON names its class in `$type`.
  ///   - options: the format of the file, and how its lines are handled.
  /// - Returns: the numbers of objects, and the lines that were not imported.
  /// - Throws: ``ImportProblem`` for an invalid heading, for a first line of JSON that is not UTF-8, or for the
  ///   first invalid line if ``ImportOptions/stopsAtProblem`` is `true`; `FiefError` if the store cannot be
  ///   opened or written, or of code `nestedWrite` in an optimistic transaction of the store;
  ///   `CancellationError`; and errors of reading the file. Earlier batches stay in the store.
  @discardableResult
  nonisolated(nonsending)
    public func importObjects(
      from file: URL,
      of type: Object.Type? = nil,
      options: ImportOptions = ImportOptions()
    ) async throws -> ImportResult
  {
    try await StoreImport(.file(file), type, options, into: self).runOnThread()
  }

  /// Imports the objects of a feed of JSON lines or CSV that arrives in parts, such as the body of an HTTP
  /// response.
  ///
  /// ```swift
  /// let result = try await library.importObjects(from: response.body, of: Book.self)
  /// ```
  /// The parts are first collected in an encrypted temporary file, so that an interrupted feed changes
  /// nothing. Then they are imported like a file.
  ///
  /// - Parameters:
  ///   - feed: the parts of the feed. A line may extend over several parts.
  ///   - type: the class of the objects, or `nil` if each line of JSON names its class in `$type`.
  ///   - options: the format of the feed, and how its lines are handled. The default format is JSON lines.
  /// - Returns: the numbers of objects, and the lines that were not imported.
  /// - Throws: the errors of the feed, and the errors of importing a file.
  @discardableResult
  nonisolated(nonsending)
    public func importObjects<Feed: AsyncSequence>(
      from feed: Feed,
      of type: Object.Type? = nil,
      options: ImportOptions = ImportOptions()
    ) async throws -> ImportResult where Feed.Element: Sequence<UInt8>
  {
    let copy = TemporaryFile()
    for try await part in feed { try copy.write(Data(part)) }
    // A stream whose task is cancelled ends without an error, so the feed may be incomplete.
    try Task.checkCancellation()
    return try await StoreImport(.copy(copy), type, options, into: self).runOnThread()
  }

  /// Imports the objects of a file of JSON lines or CSV, and blocks the thread until the last batch is on
  /// disk.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - type: the class of the objects, or `nil` if each line of JSON names its class in `$type`.
  ///   - options: the format of the file, and how its lines are handled.
  /// - Returns: the numbers of objects, and the lines that were not imported.
  /// - Throws: the same errors as the asynchronous method.
  @discardableResult
  public func importObjectsAndWait(
    from file: URL,
    of type: Object.Type? = nil,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportResult { try StoreImport(.file(file), type, options, into: self).run() }
}

extension StoreImport {
  /// Runs the import on another thread, and ends it between two batches if the task is cancelled.
  fileprivate nonisolated(nonsending) func runOnThread() async throws -> ImportResult {
    let cancellation = BackgroundThreads.Cancellation()
    do {
      return try await BackgroundThreads.transfers.run(cancellation: cancellation) {
        try run(isCancelled: { cancellation.isCancelled })
      }
    } catch let error as FiefError where error.code == .cancelled {
      throw CancellationError()
    }
  }
}
