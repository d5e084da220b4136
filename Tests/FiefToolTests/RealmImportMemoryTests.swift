#if os(Linux)
  import ChildProcesses
  import Foundation
  import TestEffort
  import Testing

  /// An import from Realm keeps at most a batch of a thousand objects in memory.
  @Suite("The memory of imports from Realm", .timeLimit(.minutes(30))) struct RealmImportMemoryTests {
    /// The memory that an import may need in addition to the process's memory before it, in KiB. The export
    /// of the long form has 30 MB.
    private static let limit = 14 << 10

    private func value(of name: String, in output: String) -> String {
      let line = output.split(separator: "\n").first { $0.hasPrefix(name + ": ") } ?? ""
      return String(line.dropFirst(name.count + 2))
    }

    @Test("does not grow with the export") func bounded() throws {
      let count = TestEffort.count(20_000, more: 40_000)
      try ToolStores.withDirectory { directory in
        let child = try ChildProcess.run(
          ChildProcess.built("fief-import-child"),
          [directory, "\(count)"],
          timeLimit: .seconds(1200)
        )
        #expect(child.status == 0, "\(child.output)\(child.errors)")
        #expect(value(of: "objects", in: child.output) == "\(count)")
        #expect(value(of: "next", in: child.output) == "traveller 1")
        #expect(value(of: "friends", in: child.output) == "traveller 1, traveller \(count / 2 + 1)")
        #expect(value(of: "unlinked", in: child.output) == "0")
        let memory = value(of: "memory", in: child.output).split(separator: " ").compactMap { Int($0) }
        try #require(memory.count == 2)
        // The process measures its own memory.
        #expect(memory[0] > 1 << 10)
        #expect(memory[1] - memory[0] < Self.limit)
      }
    }
  }
#endif
