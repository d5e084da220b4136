import TestEffort
import Testing

/// `scripts/lint-surface`, a part of `make lint`, counts public declarations.
@Suite("The surface rule of make lint")
struct SurfaceLintTests {
  private let script = LintScript(name: "lint-surface")

  private func tree(_ declarations: String, budget: String) -> [String: String] {
    ["Sources/Fief/A.swift": declarations + "\n", "scripts/surface-budgets": budget + "\n"]
  }

  @Test("Every kind of public declaration counts, with its modifiers and attributes")
  func counted() throws {
    let declarations = [
      "public func a() {}", "  @inlinable public static func a() {}", "public private(set) var a = 1",
      "open class A {}",
      "  public init() {}", "  public subscript(a: Int) -> Int { 1 }", "public final class A {}",
      "  public nonisolated let a = 1",
      "public indirect enum A {}", "  nonisolated(nonsending) public func a() async {}",
      "  public init?(a: Int) {}",
    ]
    // A target for each.
    let targets = declarations.indices.map { "Target\($0)" }
    var files = ["scripts/surface-budgets": targets.map { "\($0) 0\n" }.joined()]
    for (target, declaration) in zip(targets, declarations) {
      files["Sources/\(target)/A.swift"] = declaration + "\n"
    }
    let (status, output) = try script.run(with: files)
    #expect(status == 1)
    for (target, declaration) in zip(targets, declarations) {
      let expected = "\(target): 1 public declarations, and scripts/surface-budgets has 0"
      #expect(output.contains(expected), "\(declaration): \(output)")
    }
  }

  @Test("Other declarations, comments and extensions do not")
  func notCounted() throws {
    let lines = [
      "package func a() {}", "func a() {}", "// public func a() {}", "public extension A {",
      "let a = \"public func\"",
    ]
    let (status, output) = try script.run(with: tree(lines.joined(separator: "\n"), budget: "Fief 0"))
    #expect(status == 0, "\(output)")
  }

  @Test("A number that is too large has to be lowered, and a target without one is a failure")
  func budgets() throws {
    let large = try script.run(with: tree("public func a() {}", budget: "Fief 2"))
    #expect(large.status == 1 && large.output.contains("lower the number from 2 to 1"), "\(large.output)")
    let none = try script.run(with: tree("public func a() {}", budget: "Other 1"))
    #expect(none.status == 1 && none.output.contains("add the line \"Fief 1\""), "\(none.output)")
  }

  @Test("This checkout fits", .enabled(if: TestEffort.isLong, "make lint checks it"))
  func checkout() throws {
    let (status, output) = try script.run()
    #expect(status == 0, "\(output)")
  }
}
