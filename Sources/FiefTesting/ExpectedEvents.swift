public import Fief
public import Testing

/// Calls a closure that is expected to cause failures that are reported as events instead of thrown, such as
/// a read that fails and returns nothing, an index out of range or a change outside a write.
///
/// ```swift
/// let events = withExpectedEvents {
///   #expect(dogs.queryAll(returningClass: Dog.self)?.filter("nmae = 'Rex'").count == 0)
/// }
/// #expect(events.first?.failure?.code == .unknownProperty)
/// ```
/// Any other failure of this kind in the stores of a test fails the test, with the message that an
/// application prints to standard error. A failure is expected if it occurs in the closure or in the tasks
/// that it starts. Until the closure returns, failures on other threads in the test's fresh stores are
/// expected, too.
///
/// - Parameters:
///   - isExpected: returns whether an event is expected. By default all events are.
///   - fileID: the module and file in which missing events are reported.
///   - filePath: the path of that file.
///   - line: the line in the file.
///   - column: the column in the line.
///   - body: the closure to call. The test fails if no expected event occurs in it.
/// - Returns: the events in order, at most 1,000.
@discardableResult
public func withExpectedEvents(
  _ isExpected: @escaping @Sendable (StoreEvent) -> Bool = { _ in true },
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: () throws -> Void
) rethrows -> [StoreEvent] {
  let expectation = EventLog.Expectation(isExpected)
  try EventLog.expecting(expectation, in: StoreSandbox.current, body)
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return expectation.eventsReportingNone(at: location)
}

/// Calls a closure that is expected to cause failures that are reported as events instead of thrown, like the
/// synchronous function.
///
/// - Returns: the events in order, at most 1,000.
@discardableResult
nonisolated(nonsending) public func withExpectedEvents(
  _ isExpected: @escaping @Sendable (StoreEvent) -> Bool = { _ in true },
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: () async throws -> Void
) async rethrows -> [StoreEvent] {
  let expectation = EventLog.Expectation(isExpected)
  try await EventLog.expecting(expectation, in: StoreSandbox.current, body)
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return expectation.eventsReportingNone(at: location)
}

extension EventLog.Expectation {
  fileprivate func eventsReportingNone(at location: SourceLocation) -> [StoreEvent] {
    let events = events
    if events.isEmpty { TestFailure.record("An expected failure did not happen.", at: location) }
    return events
  }
}

/// Allows failures in a test that are reported as events instead of thrown. Without this trait each of them
/// fails the test.
///
/// ```swift
/// @Suite(.freshStores, .allowsFailureEvents) struct DamageTests { … }
/// ```
/// Use it for tests in which such failures occur in many places. `withExpectedEvents { }` checks more: it
/// fails if no event occurs.
public struct FailureEventsTrait: TestTrait, SuiteTrait, TestScoping {
  /// A Boolean value that indicates whether the trait applies to every test of a suite: `true`.
  public var isRecursive: Bool { true }

  /// Runs a test in which failures are allowed; called by Swift Testing.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let all = EventLog.Expectation { _ in true }
    try await EventLog.expecting(all, in: StoreSandbox.current, function)
  }
}

extension Trait where Self == FailureEventsTrait {
  /// Allows failures in a test that are reported as events instead of thrown.
  public static var allowsFailureEvents: Self { FailureEventsTrait() }
}
