public import Fief

extension Store {
  /// Begins a trace.
  ///
  /// - Parameter name: the name of the measured work. Only the first 40 characters count.
  /// - Returns: the trace, which `stop()` ends.
  public func trace(_ name: String) -> StoreTrace { StoreTrace(name, in: .of(self)) }

  /// Measures a closure. If the closure throws, the trace ends as failed and the error is rethrown.
  ///
  /// ```swift
  /// let users = try store.traced("fetch_users") { try store.objects(User.self).all() }
  /// ```
  public func traced<Value>(_ name: String, _ body: () throws -> Value) rethrows -> Value {
    let trace = trace(name)
    do {
      let value = try body()
      trace.stop()
      return value
    } catch {
      trace.stop(.failed(error))
      throw error
    }
  }

  /// Measures a closure. If the closure throws, also because its task is cancelled, the trace ends as failed
  /// and the error is rethrown.
  nonisolated(nonsending)
    public func traced<Value>(_ name: String, _ body: () async throws -> Value) async rethrows -> Value
  {
    let trace = trace(name)
    do {
      let value = try await body()
      trace.stop()
      return value
    } catch {
      trace.stop(.failed(error))
      throw error
    }
  }

  /// Returns a summary of the traces with a name since the process started, or `nil` if none was stopped.
  /// Each store counts traces of up to 256 names; further names are ignored. Traces are kept for the 256 most
  /// recently traced stores, even after a store is closed. They are lost when an in-memory store without an
  /// identifier is opened again, because each opening creates a different store.
  public func traces(named name: String) -> TraceSummary? { TraceTable.of(self).summary(name) }
}
