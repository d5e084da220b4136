import Testing

/// `scripts/lint-locks`, a part of `make lint`, finds locks whose state is a function.
@Suite("The rule of make lint for locks")
struct LockLintTests {
  private let script = LintScript(name: "lint-locks")

  @Test(
    "Functions, optional ones, and tuples with them are found",
    arguments: [
      "let handler = OwnedLock<(@Sendable (Int) -> Void)?>(nil)",
      "private let make: Lock<() throws -> Int>",
      "let both = Mutex<(count: Int, done: () -> Void)>((0, {}))",
      "let one = Lock<Optional<(Int) -> Void>>(nil)",
    ]
  )
  func planted(line: String) throws {
    let (status, output) = try script.run(with: ["Sources/Fief/A.swift": "\n" + line + "\n"])
    #expect(status == 1)
    #expect(output.hasPrefix("Sources/Fief/A.swift:2:"), "\(output)")
  }

  @Test("Arrays, stored functions, parameters and comments are not")
  func clean() throws {
    let lines = [
      "let handlers = Lock<[@Sendable () -> Void]>([])",
      "let handler = OwnedLock<StoredFunction<@Sendable (Int) -> Void>?>(nil)",
      "func work(count: Lock<Int>) -> Int { 0 }",
      "// Lock<() -> Void>",
    ]
    let (status, output) = try script.run(with: ["Sources/Fief/A.swift": lines.joined(separator: "\n")])
    #expect(status == 0 && output.isEmpty, "\(output)")
  }

  @Test("This checkout has none") func checkout() throws {
    let (status, output) = try script.run()
    #expect(status == 0, "\(output)")
  }
}
