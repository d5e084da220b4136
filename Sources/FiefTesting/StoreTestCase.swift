import Fief
import Testing
public import XCTest

/// An XCTest test case with fresh stores. Every repository that a test or the code under test creates uses a
/// store that belongs to the test.
///
/// ```swift
/// final class ShopTests: StoreTestCase {
///   func testAdopting() throws {
///     try Shop().adopt("Lulu")  // makes its own PetRepository()
///     try expectCount(of: PetRepository(), Dog.self, 1)
///   }
/// }
/// ```
/// The stores exist before `setUp` and until after `tearDown`. Then each store is checked, each problem fails
/// the test, and everything is removed. The stores belong to the whole process, including other threads.
open class StoreTestCase: XCTestCase {
  /// The kind of the stores. The default is in memory; override the property to change it.
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
      TestFailure.record("The test's stores could not be created: \(error)", at: location)
    }
  }
}

extension XCTestCase {
  /// Gives the rest of the test fresh stores. Call this in `setUp` of test cases that cannot inherit from
  /// ``StoreTestCase``.
  ///
  /// - Parameter kind: the location and kind of the stores.
  /// - Throws: `FiefError` if the stores cannot be created.
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
