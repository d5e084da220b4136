import Fief
import Testing

/// Calls a closure in which each repository finds a fresh store, wherever it is made, in the closure and in
/// the tasks that it starts; then checks and removes the stores.
///
/// - Parameters:
///   - kind: the place of the stores.
///   - fileID: the module and the file where problems of the stores are reported.
///   - filePath: the path of that file.
///   - line: the line in it.
///   - column: the column in the line.
///   - body: the closure to call.
/// - Returns: what the closure returns.
/// - Throws: what the closure throws; `FiefError` where there is no place for stores.
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

/// Calls a closure in which each repository finds a fresh store, wherever it is made, in the closure and in
/// the tasks that it starts; then checks and removes the stores.
///
/// - Parameters:
///   - kind: the place of the stores.
///   - fileID: the module and the file where problems of the stores are reported.
///   - filePath: the path of that file.
///   - line: the line in it.
///   - column: the column in the line.
///   - body: the closure to call.
/// - Returns: what the closure returns.
/// - Throws: what the closure throws; `FiefError` where there is no place for stores.
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
