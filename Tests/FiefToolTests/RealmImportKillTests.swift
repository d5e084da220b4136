#if os(Linux)
  import ChildProcesses
  import FiefRealm
  import Foundation
  import TestEffort
  import Testing

  /// Imports from Realm whose process is killed.
  @Suite("Killed imports from Realm", .timeLimit(.minutes(30))) struct RealmImportKillTests {
    private static let count = 3_500

    private func run(_ directory: String, killAfter batches: Int?) throws -> ChildProcess.Outcome {
      try ChildProcess.run(
        ChildProcess.built("fief-import-child"),
        [directory, "\(Self.count)"] + (batches.map { ["\($0)"] } ?? []),
        timeLimit: .seconds(600)
      )
    }

    @Test(
      "are finished by a later process, wherever they were killed",
      arguments: TestEffort.first(2, of: [[2, 1], [4], [1], [1, 1, 1]])
    )
    func resumed(kills: [Int]) throws {
      try ToolStores.withDirectory { directory in
        let configuration = Realm.Configuration(
          fileURL: URL(filePath: directory).appending(path: "travel.realm"),
          objectTypes: [EveryType.Numbered.self]
        )
        for batches in kills {
          let killed = try run(directory, killAfter: batches)
          #expect(killed.end == .signal(SIGKILL), "\(killed.output)\(killed.errors)")
          let error = #expect(throws: FiefError.self) { try Realm(configuration: configuration) }
          #expect(error?.code == .cannotOpen)
          let exists = Realm.fileExists(for: configuration)
          #expect(!exists)
        }
        let last = try run(directory, killAfter: nil)
        #expect(last.status == 0, "\(last.output)\(last.errors)")
        let lines = Set(last.output.split(separator: "\n"))
        #expect(lines.isSuperset(of: ["objects: \(Self.count)", "unlinked: 0", "next: traveller 1"]))
        let store = try DynamicStore(directory: directory + "/travel")
        #expect(try store.check().problems == [])
        store.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(Set(names) == ["export.jsonl", "travel"])
      }
    }
  }
#endif
