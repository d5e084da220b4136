import Testing

/// `scripts/lint-folders`, a part of `make lint`, finds types whose extensions stand in many folders, and folders
/// of the same name.
@Suite("The rule of make lint for folders")
struct FolderLintTests {
  private let script = LintScript(name: "lint-folders")

  /// A target with a type and an extension of it in another folder, and a planted file in a third folder.
  private func tree(_ planted: String, exceptions: String? = nil) -> [String: String] {
    var files = [
      "Sources/Core/Low/Low.swift": "package struct Low {}\n",
      "Sources/Core/Middle/Low+Middle.swift": "extension Low {\n  var middle: Int { 1 }\n}\n",
      "Sources/Core/High/Deep/Planted.swift": planted + "\n",
    ]
    files["scripts/folder-exceptions"] = exceptions
    return files
  }

  @Test(
    "An extension in a third folder is found with its place",
    arguments: [
      "extension Low {\n  var top: Int { 1 }\n}",
      "extension Low {\n  private var hidden: Int { 1 }\n  static func reach() {}\n}",
      "#if os(Linux)\n  extension Low {\n    mutating func climb() {}\n  }\n#endif",
      "extension Low: CustomStringConvertible { var description: String { \"\" } }",
      "extension Low: Sendable {}",
      "extension Low {\n  @inline(__always)\n  package final class Part {}\n}",
    ]
  )
  func planted(text: String) throws {
    let (status, output) = try script.run(with: tree(text))
    #expect(status == 1)
    #expect(output.hasPrefix("Core Low: extensions in more than two folders:"), "\(output)")
    #expect(output.contains("  Sources/Core/High/Deep/Planted.swift:"), "\(output)")
  }

  @Test(
    "Private helpers, extensions of other modules' types and uses are not",
    arguments: [
      "private extension Low {\n  var top: Int { 1 }\n}",
      "extension Low {\n  fileprivate var top: Int { 1 }\n\n  private static func reach() {}\n}",
      "extension String {\n  var top: Int { 1 }\n}",
      "struct Planted {\n  let low: Low\n}",
      "// extension Low {",
    ]
  )
  func clean(text: String) throws {
    let (status, output) = try script.run(with: tree(text))
    #expect(status == 0 && output.isEmpty, "\(output)")
  }

  @Test("An exception needs a reason and a use") func exceptions() throws {
    let planted = "extension Low {\n  var top: Int { 1 }\n}"
    let lines = "# A comment\nCore Low each folder has its own\n"
    let allowed = try script.run(with: tree(planted, exceptions: lines))
    #expect(allowed.status == 0 && allowed.output.isEmpty, "\(allowed.output)")
    let bare = try script.run(with: tree(planted, exceptions: "Core Low\n"))
    #expect(bare.status == 1)
    #expect(bare.output.contains("an exception without a reason: Core Low"), "\(bare.output)")
    let idle = try script.run(with: tree("struct Planted {}", exceptions: lines))
    #expect(idle.status == 1)
    #expect(idle.output.contains("Core Low needs no exception"), "\(idle.output)")
  }

  @Test("Two subfolders with the same name are found") func names() throws {
    let files = tree("struct Planted {}").merging(["Sources/Other/Deep/A.swift": "struct A {}\n"]) { $1 }
    let (status, output) = try script.run(with: files)
    #expect(status == 1)
    #expect(
      output == "Deep: the name of more than one folder: Sources/Core/High/Deep Sources/Other/Deep\n",
      "\(output)"
    )
  }

  @Test("This checkout has none") func checkout() throws {
    let (status, output) = try script.run()
    #expect(status == 0, "\(output)")
  }
}
