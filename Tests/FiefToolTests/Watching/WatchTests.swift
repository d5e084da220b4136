import Fief
import FiefConsole
import Foundation
import Testing

/// The output for a person who watches a store.
@Suite("Watching a store", .timeLimit(.minutes(20))) struct WatchTests {
  @Test("Inserted, modified and deleted objects of a type, with earlier values") func type() throws {
    try WatchedStore.with { store, path in
      try store.put("Ada", ["age": 3])
      try store.put("Bo", ["age": 5, "note": "old"])
      let run = WatchRun(path, "Animal", "--columns", "name,age,note")
      try store.put("Ada", ["age": 4, "note": "new"])
      #expect(run.waits(for: "~ Animal Ada"))
      try store.write { transaction in
        _ = try transaction.put("Animal", ["name": "Cy", "age": 1])
        try transaction.delete("Animal", forKey: "Bo")
      }
      #expect(run.waits(for: "+ Animal Cy"))
      #expect(run.interrupt() == .done)
      #expect(
        run.lines == [
          "commit N, TIME: Animal 1 modified", "~ Animal Ada  age: 3 -> 4, note: nil -> new",
          "commit N, TIME: Animal 1 inserted, 1 deleted", "- Animal Bo", "+ Animal Cy  age: 1, note: nil",
        ]
      )
      #expect(run.errors.hasPrefix("Watching zoo from commit "))
    }
  }

  @Test("All types, only keys") func allTypes() throws {
    try WatchedStore.with { store, path in
      let run = WatchRun(path)
      try store.write { transaction in
        _ = try transaction.put("Animal", ["name": "Ada", "age": 3])
        _ = try transaction.put("Visit", ["text": "hello"])
      }
      #expect(run.waits(for: "+ Visit"))
      #expect(run.interrupt() == .done)
      let lines = run.lines.map { $0.replacing(/Visit \d+$/, with: "Visit KEY") }
      #expect(
        lines == ["commit N, TIME: Animal 1 inserted; Visit 1 inserted", "+ Animal Ada", "+ Visit KEY"]
      )
    }
  }

  @Test("An object that begins to fulfil a condition is new, one that no longer does is gone") func query()
    throws
  {
    try WatchedStore.with { store, path in
      try store.put("Ada", ["age": 3])
      try store.put("Bo", ["age": 5])
      let run = WatchRun(path, "Animal", "age > %@", "4", "-i", "-c", "age")
      #expect(run.lines == ["state of commit N, TIME: Animal 1 there", "= Animal Bo  age: 5"])
      try store.put("Ada", ["age": 7])
      #expect(run.waits(for: "Ada"))
      try store.put("Bo", ["age": 4])
      #expect(run.waits(for: "- Animal Bo"))
      #expect(run.interrupt() == .done)
      #expect(
        Array(run.lines.dropFirst(2)) == [
          "commit N, TIME: Animal 1 inserted", "+ Animal Ada  age: 7",
          "commit N, TIME: Animal 1 deleted", "- Animal Bo",
        ]
      )
    }
  }

  @Test("With --columns only these properties count") func columns() throws {
    try WatchedStore.with { store, path in
      try store.put("Ada", ["age": 3])
      let run = WatchRun(path, "Animal", "--columns", "age,tags", "--count", "2")
      try store.put("Ada", ["note": "of no interest"])
      usleep(50_000)
      try store.put("Ada", ["tags": ["a"]])
      #expect(run.waits(for: "tags: [] -> "))
      // Large collections are not in the record, and another element leaves it as it is.
      try store.put("Ada", ["tags": (0..<5000).map { "tag \($0)" }])
      #expect(run.end() == .done)
      #expect(run.lines.count == 4)
    }
  }

  @Test("An element of a large list is a change of its owner") func largeCollections() throws {
    try WatchedStore.with { store, path in
      var tags = (0..<5000).map { "tag \($0)" }
      try store.put("Ada", ["tags": tags])
      let run = WatchRun(path, "Animal", "--json")
      tags[2500] = "TAG 2500"
      try store.put("Ada", ["tags": tags])
      #expect(run.waits(for: "\"old\":{\"tags\":["))
      #expect(run.interrupt() == .done)
    }
  }

  @Test("It ends after a number of sets, after some time, and where nothing happens too") func ends() throws {
    try WatchedStore.with { store, path in
      #expect(ToolRun("watch", path, "--for", "0").status == .done)
      let some = ToolRun("watch", path, "Animal", "--for", "1")
      #expect(some.status == .done && some.output == "")
      let run = WatchRun(path, "Animal", "--count", "1")
      // A set with no object of a watched type is not shown.
      try store.write { _ = try $0.put("Visit", ["text": "hello"]) }
      usleep(50_000)
      try store.put("Ada", [:])
      #expect(run.end() == .done)
      #expect(run.lines.count == 2)
    }
  }

  @Test("Mistakes have the statuses of other commands") func mistakes() throws {
    try WatchedStore.with { store, path in
      #expect(ToolRun("watch", path, "Animals").status == .notFound)
      #expect(ToolRun("watch", path, "Animal", "age >").status == .usage)
      #expect(ToolRun("watch", path, "Animal", "-c", "weight").status == .usage)
      #expect(ToolRun("watch", path, "-c", "age").status == .usage)
      #expect(ToolRun("watch", path, "--count", "0").status == .usage)
      #expect(ToolRun("watch", path + "/nowhere").status == .notFound)
    }
  }

  @Test("A store that is deleted or migrated meanwhile is an end with a reason") func lost() throws {
    try WatchedStore.with { store, path in
      let run = WatchRun(path, "Animal")
      let parent = URL(filePath: path).deletingLastPathComponent().path
      let repository = WatchedStore.Repository(directory: parent, version: 2)
      if let error = repository.store().openingError { throw error }
      repository.close()
      #expect(run.end() == .failed)
      #expect(run.errors.contains("migrated the store"), "\(run.errors)")

      let other = WatchRun(path, "Animal")
      try FileManager.default.removeItem(atPath: path)
      #expect(other.end() == .notFound)
      #expect(other.errors.contains("was deleted, moved or replaced"), "\(other.errors)")
    }
  }
}
