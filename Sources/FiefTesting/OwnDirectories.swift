import Fief

/// Calls a closure in which repositories without fresh stores may use the directories that they specify.
///
/// Once a process has run a test with `.freshStores`, `withFreshStores` or `StoreTestCase`, a repository that
/// is used outside such tests may keep its store on disk only in the directory for temporary files; anything
/// else fails with code `outsideOfTest`. This prevents work on other threads from reaching the data of an
/// application. Use this function in tests that need these directories.
///
/// - Parameter body: the closure to call. The permission applies to the closure and the tasks that it starts.
/// - Returns: the result of the closure.
@discardableResult
public func withOwnDirectories<Value>(_ body: () throws -> Value) rethrows -> Value {
  try StoreSandbox.allowingOwnDirectories(body)
}

/// Calls a closure in which repositories without fresh stores may use the directories that they specify, like
/// the synchronous function.
///
/// - Returns: the result of the closure.
@discardableResult
nonisolated(nonsending) public func withOwnDirectories<Value>(
  _ body: () async throws -> Value
) async rethrows -> Value {
  try await StoreSandbox.allowingOwnDirectories(body)
}
