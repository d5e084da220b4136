import Foundation
import Testing

@Suite("Journals of imports") struct ImportJournalTests {
  /// Beginning again would put the objects without keys into the store a second time.
  @Test("One that is there and cannot be read is not taken for none")
  func unreadable() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.emptied("pets", in: directory)
      let file = directory + "/toys.jsonl"
      try Data(#"{"$type":"DogToy","kind":"ball"}"#.utf8).write(to: URL(filePath: file))
      try FileManager.default.createDirectory(atPath: file + ".import", withIntermediateDirectories: false)
      let run = ToolRun("import", store, "-i", file)
      #expect(run.status == .refused)
      #expect(run.errors.contains("cannot be read"), "\(run.errors)")
      #expect(ToolRun("export", store, "DogToy").lines.isEmpty)
    }
  }
}
