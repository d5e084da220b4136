public import Fief
public import Testing

/// Calls a closure in which failures are expected that nothing is thrown for: a read that gives nothing because it
/// failed, an index beyond the end, a change outside of a write.
///
/// ```swift
/// let events = withExpectedEvents {
///   #expect(dogs.queryAll(returningClass: Dog.self)?.filter("nmae = 'Rex'").count == 0)
/// }
/// #expect(events.first?.failure?.code == .unknownProperty)
/// ```
/// Any other such failure in the stores of a test fails the test, with the text that an application has on standard
/// error. Expected are those that happen in the closure and the tasks that it starts, and until it returns those on
/// other threads in the test's fresh stores.
///
/// - Parameters:
///   - isExpected: says which are expected; by default all.
///   - fileID: the module and the file where it is reported that none has happened.
///   - filePath: the path of that file.
///   - line: the line in it.
///   - column: the column in the line.
///   - body: the closure to call. The test fails where none of the expected events happens in it.
/// - Returns: the events, in their order; at most 1,000.
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

/// Calls a closure in which failures are expected that nothing is thrown for; as the synchronous form.
///
/// - Returns: the events, in their order; at most 1,000.
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
    if events.isEmpty { TestFailure.record("No failure happened that was expected.", at: location) }
    return events
  }
}

/// Lets failures happen in a test that nothing is thrown for; without it each of them fails the test.
///
/// ```swift
/// @Suite(.freshStores, .allowsFailureEvents) struct DamageTests { … }
/// ```
/// For tests that are about such failures in many places; `withExpectedEvents { }` checks more, and fails
/// where no event happens.
public struct FailureEventsTrait: TestTrait, SuiteTrait, TestScoping {
  /// It is in effect for every test of a suite.
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
  /// Lets failures happen in a test that nothing is thrown for.
  public static var allowsFailureEvents: Self { FailureEventsTrait() }
}
