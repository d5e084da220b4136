import Fief
import Testing

@testable import FiefConsole

/// A tool as the runner and the store tool are.
enum SampleTool {
  static let tool = CommandLineTool(
    name: "keeper",
    summary: "looks after stores",
    discussion: ["It has a discussion that is long enough to be folded at the width of a narrow terminal."],
    commands: [
      CommandDeclaration(
        "status",
        "Shows the state of each store",
        discussion: ["Changes nothing."],
        options: [OptionDeclaration("long", short: "l", "Shows more.")],
        examples: [.init("keeper status --long", "Everything.")]
      ),
      CommandDeclaration(
        "restore",
        "Puts a backup in place",
        positionals: [
          PositionalDeclaration("FROM", "the backup", completion: .directories),
          PositionalDeclaration("TYPE", "types", count: .any),
        ],
        options: [
          OptionDeclaration("keep", short: "k", value: "N", "How many backups are kept."),
          OptionDeclaration("format", value: "FORMAT", completion: .words(["text", "json"]), "The format."),
          OptionDeclaration("quick", short: "q", "Faster."),
        ]
      ),
    ],
    options: [
      OptionDeclaration("directory", short: "d", value: "DIR", completion: .directories, "Where it's kept."),
      OptionDeclaration("only", value: "NAME", isRepeatable: true, "One store."),
      OptionDeclaration("yes", short: "y", "Asks nothing."),
    ],
    exitStatuses: [(.done, "Done."), (.usage, "Wrong command line.")],
    version: "keeper 1"
  )

  static func invocation(_ arguments: [String]) throws -> Invocation {
    guard case .run(let invocation) = try ArgumentParser.parse(arguments, of: tool) else {
      throw UsageError("not a command to run")
    }
    return invocation
  }
}

@Suite("Command lines") struct ArgumentTests {
  @Test("Options stand before and after the command, with '=' and grouped")
  func forms() throws {
    let invocation = try SampleTool.invocation(
      ["--only", "a", "-yd", "/x", "restore", "-qk=3", "from", "--only=b=c", "--", "-q", "--yes"]
    )
    #expect(invocation.command.name == "restore")
    #expect(invocation.values(of: "only") == ["a", "b=c"])
    #expect(invocation["directory"] == "/x")
    #expect(invocation.has("yes") && invocation.has("quick"))
    #expect(try invocation.integer("keep", in: 0...10) == 3)
    #expect(invocation.words == ["from", "-q", "--yes"])
    #expect(!invocation.has("format"))
  }

  @Test("A command's name may be a value or a later word")
  func names() throws {
    let invocation = try SampleTool.invocation(["-d", "status", "restore", "restore", "status"])
    #expect(invocation.command.name == "restore")
    #expect(invocation["directory"] == "status")
    #expect(invocation.words == ["restore", "status"])
    #expect(try SampleTool.invocation(["restore", "-"]).words == ["-"])
    #expect(try SampleTool.invocation(["restore", "-k-5", "x"])["keep"] == "-5")
  }

  @Test(
    "What cannot be understood says why",
    arguments: [
      (["stauts"], "'stauts' is not a command of keeper. Did you mean 'status'?"),
      (["rest"], "'rest' is not a command of keeper. Did you mean 'restore'?"),
      (["frobnicate"], "'frobnicate' is not a command of keeper."),
      (["status", "--dirctory", "x"], "keeper status has no option --dirctory. Did you mean '--directory'?"),
      (["status", "--quick"], "--quick is an option of keeper restore, not of keeper status."),
      (["status", "-x"], "keeper status has no option -x."),
      (["status", "--directory"], "--directory needs a value."),
      (["status", "-d", "--yes"], "-d needs a value."),
      (["status", "--directory="], "--directory needs a value."),
      (["status", "--yes=1"], "--yes takes no value."),
      (["status", "x"], "'x' is an unexpected argument."),
      (["restore"], "FROM is missing: the backup."),
      (
        ["restore", "a", "--format", "jsno"],
        "--format must be one of text, json, not 'jsno'. Did you mean 'json'?"
      ),
      (["completion", "fish"], "SHELL must be one of bash, zsh, not 'fish'."),
      (["help", "statu"], "'statu' is not a command of keeper. Did you mean 'status'?"),
    ] as [([String], String)]
  )
  func mistakes(arguments: [String], message: String) throws {
    let error = try #require(throws: UsageError.self) {
      _ = try ArgumentParser.parse(arguments, of: SampleTool.tool)
    }
    #expect(error.description == message)
  }

  @Test("Numbers are whole and in their range")
  func numbers() throws {
    for text in ["x", "1.5", "0", "9223372036854775808"] {
      let invocation = try SampleTool.invocation(["restore", "from", "--keep=\(text)"])
      #expect(throws: UsageError.self) { try invocation.integer("keep", in: 1...Int.max) }
    }
    #expect(try SampleTool.invocation(["restore", "from"]).integer("keep", in: 1...2) == nil)
  }

  @Test("Help, the version and completion are understood wherever they stand")
  func own() throws {
    func request(_ arguments: String...) throws -> Request {
      try ArgumentParser.parse(arguments, of: SampleTool.tool)
    }
    if case .help(nil, isRequested: false) = try request() {} else { Issue.record("no arguments") }
    if case .help(nil, isRequested: true) = try request("-h") {} else { Issue.record("-h") }
    if case .help(nil, isRequested: true) = try request("help") {} else { Issue.record("help") }
    for arguments in [["restore", "--help"], ["--help", "restore"], ["help", "restore"]] {
      guard case .help(let command?, _) = try ArgumentParser.parse(arguments, of: SampleTool.tool) else {
        Issue.record("\(arguments)")
        continue
      }
      #expect(command.name == "restore")
    }
    if case .version = try request("status", "--version") {} else { Issue.record("--version") }
    if case .completion(.zsh) = try request("completion", "zsh") {} else { Issue.record("completion") }
  }

  @Test("Help fits its width, and says everything that was declared", arguments: [40, 60, 80, 200])
  func help(width: Int) {
    let writer = HelpWriter(SampleTool.tool, width: width)
    for command in [nil] + SampleTool.tool.commands.map(Optional.some) {
      let lines = writer.lines(for: command)
      #expect(lines.allSatisfy { $0.count <= max(width, 60) && $0.last != " " })
      let text = lines.joined(separator: "\n")
      for option in SampleTool.tool.options + (command?.options ?? []) {
        #expect(text.contains("--\(option.name)"))
      }
      #expect(text.contains("Wrong command line."))
    }
    let status = SampleTool.tool.command(named: "status")
    #expect(writer.lines(for: status).contains("  keeper status --long"))
  }

  @Test("The nearest name is one with few mistakes")
  func nearest() {
    #expect(NearestName.distance("migrate", "migrtae") == 1)
    #expect(NearestName.distance("", "abc") == 3)
    #expect(NearestName.find("veriyf", in: ["verify", "diff"]) == "verify")
    #expect(NearestName.find("zzz", in: ["verify", "diff"]) == nil)
    #expect(NearestName.find("x", in: []) == nil)
  }
}
