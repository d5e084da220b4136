import Fief
import Testing

/// Calls a closure in which every repository uses a fresh store, wherever the repository is created in the
/// closure and in the tasks that it starts. Then checks and removes the stores.
///
/// - Parameters:
///   - kind: the kind of the stores.
///   - fileID: the module and file in which problems of the stores are reported.
///   - filePath: the path of that file.
///   - line: the line in the file.
///   - column: the column in the line.
///   - body: the closure to call.
/// - Returns: the result of the closure.
/// - Throws: the error of the closure; `FiefError` if the stores cannot be created.
public func withFreshStores<Value>(
  _ kind: StoreKind = .inMemory,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: () throws -> Value
) throws -> Value {
  let sandbox = try kind.makeSandbox()
  defer {
    sandbox.endReporting(at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
  return try sandbox.use(body)
}

/// Calls a closure in which every repository uses a fresh store, wherever the repository is created in the
/// closure and in the tasks that it starts. Then checks and removes the stores.
///
/// - Parameters:
///   - kind: the kind of the stores.
///   - fileID: the module and file in which problems of the stores are reported.
///   - filePath: the path of that file.
///   - line: the line in the file.
///   - column: the column in the line.
///   - body: the closure to call.
/// - Returns: the result of the closure.
/// - Throws: the error of the closure; `FiefError` if the stores cannot be created.
nonisolated(nonsending) public func withFreshStores<Value>(
  _ kind: StoreKind = .inMemory,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: () async throws -> Value
) async throws -> Value {
  let sandbox = try kind.makeSandbox()
  defer {
    sandbox.endReporting(at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
  return try await sandbox.use(body)
}
