import Foundation
import Testing

/// Files of sources in a directory of a test's own.
struct ConverterFiles {
  /// The directories of the sources before, and of those after, which this target compiles.
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  static let before = tests.appending(path: "../../Fixtures/RealmModels").standardizedFileURL
  static let after = tests.appending(path: "Models")

  private let directory = FileManager.default.temporaryDirectory.appending(
    path: "fief-converter-\(UUID().uuidString)"
  )

  static func with(_ body: (ConverterFiles) throws -> Void) throws {
    let files = ConverterFiles()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files.directory) }
    try body(files)
  }

  /// The path of a file.
  subscript(name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }

  func add(_ name: String, _ text: String) throws { try add(name, Data(text.utf8)) }

  func add(_ name: String, _ data: Data) throws { try data.write(to: URL(filePath: self[name])) }

  func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: self[name])) }

  func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

  /// The names of all files.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false)).sorted()
  }

  /// Converts one file, and returns its text and the lines about what was left, without the name of the file.
  static func convert(_ text: String) throws -> (text: String, left: [String]) {
    var result = (text: "", left: [String]())
    try with { files in
      try files.add("Model.swift", text)
      let run = ToolRun("convert-realm-models", files["Model.swift"], "--write")
      #expect(run.status == .done)
      result.text = try files.text("Model.swift")
      result.left = run.errors.split(separator: "\n").map {
        String($0.dropFirst(files["Model.swift"].count + 1))
      }
    }
    return result
  }
}
