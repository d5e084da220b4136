public import Fief
import Testing

/// Expects a closure to change nothing in a store.
///
/// Every commit of this process while the closure runs counts, through whichever store instance it is made.
///
/// - Parameters:
///   - repository: the repository of the store.
///   - fileID: the module and file in which changes are reported.
///   - filePath: the path of that file.
///   - line: the line in the file.
///   - column: the column in the line.
///   - body: the closure to call.
/// - Returns: the result of the closure.
/// - Throws: the error of the closure; `FiefError` if the store is not open.
@discardableResult
public func expectNoChanges<Value>(
  in repository: some DatabaseConfigurable,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: () throws -> Value
) throws -> Value {
  let recorder = ChangeRecorder()
  let token = try recorder.observe(repository)
  defer {
    recorder.report(
      token,
      repository.storeName,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
  return try body()
}

/// Expects a closure to change nothing in a store.
///
/// Every commit of this process while the closure runs counts, through whichever store instance it is made.
///
/// - Parameters:
///   - repository: the repository of the store.
///   - fileID: the module and file in which changes are reported.
///   - filePath: the path of that file.
///   - line: the line in the file.
///   - column: the column in the line.
///   - body: the closure to call.
/// - Returns: the result of the closure.
/// - Throws: the error of the closure; `FiefError` if the store is not open.
@discardableResult
nonisolated(nonsending) public func expectNoChanges<Value>(
  in repository: some DatabaseConfigurable,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: () async throws -> Value
) async throws -> Value {
  let recorder = ChangeRecorder()
  let token = try recorder.observe(repository)
  defer {
    recorder.report(
      token,
      repository.storeName,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }
  return try await body()
}

/// Records the changes of commits while it observes a store.
private final class ChangeRecorder: Sendable {
  private let lines = Lock<[String]>([])

  func observe(_ repository: some DatabaseConfigurable) throws -> NotificationToken {
    try repository.store().onCommit { [self] changes in
      let new = changes.types.sorted { $0.key < $1.key }.flatMap { type, changes in
        Self.lines("inserted", type, changes.inserted) + Self.lines("modified", type, changes.modified)
          + Self.lines("deleted", type, changes.deleted)
      }
      lines.withLock { $0 += new }
    }
  }

  private static func lines(_ what: String, _ type: String, _ keys: Set<ObjectKey>) -> [String] {
    keys.sorted().map { "  \(what): \(type)(\($0))" }
  }

  func report(_ token: NotificationToken, _ store: String, at location: SourceLocation) {
    token.invalidate()
    let lines = lines.withLock { $0 }
    guard !lines.isEmpty else { return }
    let shown = lines.prefix(20) + (lines.count > 20 ? ["  and \(lines.count - 20) more"] : [])
    TestFailure.record(
      (["The store '\(store)' was changed:"] + shown).joined(separator: "\n"),
      at: location
    )
  }
}
