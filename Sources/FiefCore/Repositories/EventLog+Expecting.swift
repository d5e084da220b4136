extension EventLog {
  /// Calls a closure in which a test expects events: of the task, and in the stores of some sandboxes also of other
  /// threads.
  package static func expecting<Value>(
    _ expectation: Expectation,
    in sandboxes: [StoreSandbox],
    _ body: () throws -> Value
  ) rethrows -> Value {
    for sandbox in sandboxes { sandbox.events.add(expectation) }
    defer { for sandbox in sandboxes { sandbox.events.remove(expectation) } }
    return try $expected.withValue(expected + [expectation], operation: body)
  }

  /// Calls a closure in which a test expects events.
  nonisolated(nonsending) package static func expecting<Value>(
    _ expectation: Expectation,
    in sandboxes: [StoreSandbox],
    _ body: () async throws -> Value
  ) async rethrows -> Value {
    for sandbox in sandboxes { sandbox.events.add(expectation) }
    defer { for sandbox in sandboxes { sandbox.events.remove(expectation) } }
    return try await $expected.withValue(expected + [expectation], operation: body)
  }
}
