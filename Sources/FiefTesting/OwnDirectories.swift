import Fief

/// Calls a closure in which repositories without fresh stores may use the directories that they name.
///
/// Once a process has had a test with `.freshStores`, `withFreshStores` or `StoreTestCase`, a repository that
/// is used outside of such tests can have its store on disk only where temporary files are; anything else
/// fails with code `outsideOfTest`. So work on other threads never reaches the data of an application. A test
/// that needs these directories uses this function.
///
/// - Parameter body: the closure to call; it is in effect in it and in the tasks that it starts.
/// - Returns: what the closure returns.
@discardableResult
public func withOwnDirectories<Value>(_ body: () throws -> Value) rethrows -> Value {
  try StoreSandbox.allowingOwnDirectories(body)
}

/// Calls a closure in which repositories without fresh stores may use the directories that they name; as the
/// synchronous form.
///
/// - Returns: what the closure returns.
@discardableResult
nonisolated(nonsending) public func withOwnDirectories<Value>(
  _ body: () async throws -> Value
) async rethrows -> Value {
  try await StoreSandbox.allowingOwnDirectories(body)
}
