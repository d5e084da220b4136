import Fief
import Testing
public import XCTest

/// A test case of XCTest with fresh stores: whichever repository a test or the code under test makes finds
/// its store in a place of the test's own.
///
/// ```swift
/// final class ShopTests: StoreTestCase {
///   func testAdopting() throws {
///     try Shop().adopt("Lulu")  // makes its own PetRepository()
///     try expectCount(of: PetRepository(), Dog.self, 1)
///   }
/// }
/// ```
/// The stores are there before `setUp` and after `tearDown`. Then each store is checked, each problem fails
/// the test, and everything is removed. They are those of the whole process, other threads included.
open class StoreTestCase: XCTestCase {
  /// The place of the stores; in memory unless a subclass says otherwise.
  open var storeKind: StoreKind { .inMemory }

  /// Runs the test in fresh stores.
  open override func invokeTest() {
    TestFailure.setRunning(self)
    defer { TestFailure.setRunning(nil) }
    let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1)
    do {
      let sandbox = try storeKind.makeSandbox()
      defer { sandbox.endReporting(at: location) }
      sandbox.install()
      super.invokeTest()
    } catch {
      TestFailure.record("The test has no stores: \(error)", at: location)
    }
  }
}

extension XCTestCase {
  /// Gives the rest of the test fresh stores, for test cases that cannot inherit from ``StoreTestCase``;
  /// called in `setUp`.
  ///
  /// - Parameter kind: the place of the stores.
  /// - Throws: `FiefError` where they cannot be made.
  public func useFreshStores(
    _ kind: StoreKind = .inMemory,
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column
  )
    throws
  {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let sandbox = try kind.makeSandbox()
    sandbox.install()
    TestFailure.setRunning(self)
    addTeardownBlock {
      sandbox.endReporting(at: location)
      TestFailure.setRunning(nil)
    }
  }
}
