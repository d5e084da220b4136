extension EventLog {
  /// Calls a closure in which a test expects events: events of the task, and in the stores of the given
  /// sandboxes also events of other threads.
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
