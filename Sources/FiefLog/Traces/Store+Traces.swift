public import Fief

extension Store {
  /// Begins a trace.
  ///
  /// - Parameter name: what is measured; at most 40 characters count.
  /// - Returns: the trace, which ends with `stop()`.
  public func trace(_ name: String) -> StoreTrace { StoreTrace(name, in: .of(self)) }

  /// Measures a closure. Its error ends the trace as failed, and is thrown.
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

  /// Measures a closure. Its error, that of a cancelled task too, ends the trace as failed, and is thrown.
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

  /// The traces of a name since the process began; nil where none was stopped. 256 names of a store are told apart, further ones
  /// are not counted. Those of the 256 stores that were traced last are kept, also while a store is closed. A store in memory that
  /// belongs to one object, without an identifier, has none when it is opened again.
  public func traces(named name: String) -> TraceSummary? { TraceTable.of(self).summary(name) }
}
