import Fief
import Testing
import XCTest

/// Records failures of a test, in either of the two test frameworks.
enum TestFailure {
  /// The running XCTest test case, if it has fresh stores.
  private static let running = Lock<XCTestCaseReference?>(nil)

  // SAFETY: XCTest runs one test case at a time, and the reference is used only to record failures of the
  // test case.
  struct XCTestCaseReference: @unchecked Sendable {
    weak var testCase: XCTestCase?
  }

  static func setRunning(_ testCase: XCTestCase?) {
    let reference = testCase.map { XCTestCaseReference(testCase: $0) }
    running.withLock { $0 = reference }
  }

  static func record(_ message: String, at location: SourceLocation) {
    if Test.current == nil, let reference = running.withLock({ $0 }), let testCase = reference.testCase {
      record(message, at: location, in: testCase)
      return
    }
    // Outside a test of Swift Testing, XCTest may be running. Only one of the two calls has an effect.
    if Test.current == nil { XCTFail("\(message) (\(location))") }
    Issue.record(Comment(rawValue: message), sourceLocation: location)
  }

  private static func record(_ message: String, at location: SourceLocation, in testCase: XCTestCase) {
    #if canImport(Darwin)
      let context = XCTSourceCodeContext(
        location: XCTSourceCodeLocation(filePath: location.filePath, lineNumber: location.line)
      )
      testCase.record(
        XCTIssue(type: .assertionFailure, compactDescription: message, sourceCodeContext: context)
      )
    #else
      testCase.recordFailure(
        withDescription: message,
        inFile: location.filePath,
        atLine: location.line,
        expected: true
      )
    #endif
  }
}

extension StoreSandbox {
  /// Checks the stores, fails the test with each problem and each failure that was not thrown, and removes
  /// the stores.
  func endReporting(at location: SourceLocation) {
    for failure in events.takeUnexpected() {
      TestFailure.record("A failure that was reported but not thrown:\n\(failure)", at: location)
    }
    for problem in check() { TestFailure.record("The store is damaged: \(problem)", at: location) }
    end()
  }
}
