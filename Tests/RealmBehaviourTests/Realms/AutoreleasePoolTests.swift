import FiefRealm
import Testing

/// The function of the same name of Objective-C, which code for Realm calls on all systems.
struct AutoreleasePoolTests {
  private enum Failure: Error { case ofBody }

  @Test func itReturnsTheResultOfTheClosure() throws {
    let sum = autoreleasepool { [1, 2, 3].reduce(0, +) }
    #expect(sum == 6)
    let text: String = autoreleasepool(invoking: { "a" })
    #expect(text == "a")
  }

  @Test func itThrowsTheErrorOfTheClosure() {
    #expect(throws: Failure.ofBody) {
      for turn in 0..<3 { try autoreleasepool { if turn == 2 { throw Failure.ofBody } } }
    }
  }
}
