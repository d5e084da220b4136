import Fief
import FiefTesting
import Foundation
import XCTest

final class StoreTestCaseTests: StoreTestCase {
  private var recorded: [String] = []
  private var expectsFailures = false

  #if !canImport(Darwin)
    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      guard expectsFailures else {
        super.recordFailure(
          withDescription: description,
          inFile: filePath,
          atLine: lineNumber,
          expected: expected
        )
        return
      }
      recorded.append("\(filePath):\(lineNumber): \(description)")
    }
  #endif

  override func setUpWithError() throws {
    try Shop().add(100, "From setUp")
  }

  func testFirst() throws {
    try Shop().add(1, "Lulu")
    try expectCount(of: ShopRepository(), ShopDog.self, 2)
  }

  func testSecondBeginsAnew() throws {
    try Shop().add(1, "Lulu")
    try expectCount(of: ShopRepository(), ShopDog.self, 2)
  }

  func testAsynchronous() async throws {
    try await Shop().addLater(1, "Lulu")
    try await Task.detached { try await Shop().addLater(2, "Rex") }.value
    try expectContents(of: ShopRepository(), ShopDog.self, \.id, equal: [1, 2, 100])
  }

  func testOnOtherThreads() throws {
    DispatchQueue.concurrentPerform(iterations: 8) { id in
      do { try Shop().add(id, "Dog") } catch { XCTFail("\(error)") }
    }
    try expectCount(of: ShopRepository(), ShopDog.self, 9)
  }

  #if !canImport(Darwin)
    func testExpectationsFailTheTestAtTheirLine() throws {
      expectsFailures = true
      let line = #line + 1
      try expectCount(of: ShopRepository(), ShopDog.self, 7)
      expectsFailures = false
      XCTAssertEqual(recorded.count, 1)
      let failure = try XCTUnwrap(recorded.first)
      XCTAssertTrue(failure.contains("XCTestTests.swift:\(line): "), failure)
      XCTAssertTrue(failure.contains("contains 1 objects of ShopDog, expected 7"), failure)
    }
  #endif
}

final class PlainTestCaseTests: XCTestCase {
  override func setUpWithError() throws {
    try useFreshStores(.onDisk)
  }

  func testFirst() throws {
    try Shop().add(1, "Lulu")
    try expectCount(of: ShopRepository(), ShopDog.self, 1)
  }

  func testSecondBeginsAnew() throws {
    try Shop().add(1, "Lulu")
    try expectCount(of: ShopRepository(), ShopDog.self, 1)
  }
}
