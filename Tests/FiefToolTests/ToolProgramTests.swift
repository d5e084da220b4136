import ChildProcesses
import Fief
import FiefConsole
import FiefToolKit
import Foundation
import Testing

/// The program itself, run as people run it.
@Suite("The program fief") struct ToolProgramTests {
  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(ChildProcess.built("fief"), arguments, input: input)
  }

  @Test("Every command, one after another, on one store")
  func story() throws {
    try ToolStores.with("pets") { store in
      #expect(try run("info", store).output.hasPrefix("Store           pets\n"))
      #expect(try run("schema", store, "--format", "graphviz").output.hasPrefix("digraph"))
      #expect(try run("check", store).output.hasPrefix("pets is intact"))
      #expect(try run("get", store, "DogToy", "1").output.hasPrefix("DogToy 1\n"))
      #expect(try run("list", store, "Dog").output.contains("5 of 5 objects"))
      #expect(try run("stats", store).output.contains("Dog.name (index)"))
      let export = try run("export", store, "DogClub")
      #expect(export.output.split(separator: "\n").count == 4)
      let put = try run("put", store, "DogClub", "-", "--write", input: #"{"name":"Barks"}"#)
      #expect(put.output == "DogClub Barks was inserted.\n")
      #expect(try run("delete", store, "DogClub", "Barks", "--write").output == "1 of 1 objects deleted.\n")
      let imported = try run("import", store, "DogClub", "--on-conflict=replace", input: export.output)
      #expect(imported.output == "Imported 4 objects (4 replaced).\n")
      #expect(try run("export", store, "DogClub").output == export.output)
      #expect(try run("backup", store, store + "-copy").status == 0)
      #expect(try run("compact", store, "--write").status == 0)
      #expect(try run("completion", "bash").output.contains("complete -F"))
    }
  }

  @Test("A store that another process has open is read and written, but not compacted")
  func otherProcess() throws {
    try ToolStores.with("pets") { store in
      let open = try DynamicStore(directory: store, isReadOnly: false)
      #expect(try run("list", store, "Dog").output.contains("5 of 5 objects"))
      #expect(try run("put", store, "DogClub", #"{"name":"Barks"}"#, "--write").status == 0)
      #expect(try open.object(ofType: "DogClub", forKey: "Barks") != nil)
      let info = try run("info", store)
      #expect(info.output.contains("all readers see the newest state"))
      let compact = try run("compact", store, "--write")
      #expect(compact.status == 4)
      #expect(compact.errors.contains("Another process has the store open."))
      // A reader that stays while others write is seen.
      let lag = try open.read { _ in
        for number in 0..<3 {
          _ = try run("put", store, "DogClub", #"{"name":"\#(number)"}"#, "--write")
        }
        return try run("stats", store).output
      }
      #expect(lag.contains("the oldest is 3 commits behind"), "\(lag)")
      open.close()
      #expect(try run("compact", store, "--write").status == 0)
    }
  }

  @Test("Exit statuses, and errors on standard error")
  func statuses() throws {
    let nothing = try run("info", "/nowhere/at/all")
    #expect(nothing.status == 6)
    #expect(nothing.output == "")
    #expect(nothing.errors.hasPrefix("fief: '/nowhere/at/all' does not exist."))
    let json = try run("info", "/nowhere/at/all", "--json")
    #expect(json.status == 6)
    #expect(json.output.contains("\"code\": \"notFound\""))
    #expect(json.errors == "")
    let usage = try run("inof", "x")
    #expect(usage.status == 64)
    #expect(
      usage.errors == "fief: 'inof' is not a command of fief. Did you mean 'info'?\nSee 'fief --help'.\n"
    )
    #expect(try run().status == 64)
  }

  @Test("Help for the tool and for each command: what it does, what it changes, examples, statuses")
  func help() throws {
    let help = ToolRun("--help")
    #expect(help.status == .done)
    #expect(help.lines.allSatisfy { $0.count <= 80 })
    for command in ToolDeclaration.tool.commands where command.name != "completion" {
      #expect(help.output.contains("\n  \(command.name)"))
      let own = ToolRun(command.name, "--help").output
      #expect(own.contains("Usage\n  fief \(command.name) "))
      #expect(own.contains("\nExamples\n  fief "), "\(command.name)")
      #expect(own.contains("\nExit status\n"))
    }
  }

  @Test("The script for bash is one, and completes commands, options and their values")
  func completion() throws {
    try ToolStores.withDirectory { directory in
      let file = directory + "/fief.bash"
      try Data(ToolRun("completion", "bash").output.utf8).write(to: URL(filePath: file))
      let syntax = try ChildProcess.run("bash", ["-n", file])
      #expect(syntax.status == 0, "\(syntax.errors)")
      func complete(_ words: String...) throws -> [String] {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
          source '\(file)'
          COMP_WORDS=(fief \(list)); COMP_CWORD=\(words.count)
          function=$(complete -p fief | sed 's/.*-F \\([^ ]*\\).*/\\1/')
          $function
          printf '%s\\n' "${COMPREPLY[@]}"
          """
        let outcome = try ChildProcess.run("bash", ["-c", script])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map { String($0) }.sorted()
      }
      #expect(try complete("ex") == ["export"])
      #expect(try complete("co") == ["compact", "completion", "convert-realm-models"])
      #expect(
        try complete("import", "store", "Dog", "--on-conflict", "") == ["error", "merge", "replace", "skip"]
      )
      #expect(try complete("schema", "store", "--format", "m") == ["mermaid"])
      #expect(try complete("put", "store", "--wr") == ["--write"])
      #expect(try complete("tree", "i") == ["import", "index"])
      #expect(try complete("tree", "keys", "store", "--lim") == ["--limit"])
    }
  }

  @Test(
    "An answer that could not be written is no success",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
  )
  func lostAnswer() throws {
    try ToolStores.with("pets") { store in
      let info = try ChildProcess.run(
        ChildProcess.built("fief"),
        ["info", store],
        output: .file("/dev/full")
      )
      #expect(info.status == 1)
      #expect(info.errors.contains("output could not be written"))
    }
  }
}
