import Fief
import FiefConsole
import FiefTree
import Foundation

/// Files of access rules.
extension TreeVerb {
  private static let file = PositionalDeclaration("FILE", "the file of rules", completion: .files)

  static let ruleActions = [
    TreeAction(
      "rules check",
      "Checks a file of access rules, and lists its rules and indexes",
      positionals: [file],
      examples: [.init("fief tree rules check rules.json", "Whether access rules are well-formed.")],
      run: checkRules
    ),
    TreeAction(
      "rules test",
      "Tries access rules on the JSON of a tree",
      discussion: [
        "It shows each rule that was evaluated, with its value and the reason of a failure; the status is 4 if the "
          + "rules refuse. Queries, groups and times cannot be tried."
      ],
      positionals: [
        file, PositionalDeclaration("ACCESS", "read or write", completion: .words(["read", "write"])),
        PositionalDeclaration("PATH", "the place; / for the whole tree"),
        PositionalDeclaration("JSON", "the value of 'write'", count: .optional),
      ],
      options: [
        OptionDeclaration(
          "data",
          value: "FILE",
          isRequired: true,
          completion: .files,
          "The JSON of the whole tree."
        ),
        OptionDeclaration(
          "auth",
          value: "JSON",
          "The client: an object with uid, and perhaps provider and token; null, as by default, if the client is signed out."
        ),
      ],
      examples: [
        .init(
          "fief tree rules test rules.json --data tree.json --auth '{\"uid\":\"ada\"}' read users/ada",
          "Whether a client may read a place, and why."
        ),
        .init(
          "fief tree rules test rules.json --data tree.json write rooms/r1/title '\"Fief\"'",
          "Whether a client that is signed out may write a value."
        ),
      ],
      run: testRules
    ),
  ]

  private static func contents(of file: String) throws -> Data {
    guard FileManager.default.fileExists(atPath: file) else { throw ToolFailure.missing(file: file) }
    return try Data(contentsOf: URL(filePath: file))
  }

  private static func rules(_ context: ToolContext) throws -> RuleTrial {
    let file = context.invocation.word(0) ?? ""
    return try inFile(file) { try RuleTrial(rules: contents(of: file)) }
  }

  @Sendable private static func checkRules(_ context: ToolContext) throws -> ExitStatus {
    let rules = try rules(context)
    if context.isJSON {
      context.print([
        "rules": .array(rules.names.map { .string($0) }),
        "indexes": .array(rules.indexes.map { .string($0) }),
      ])
    } else {
      context.output.line("The rules are well-formed.")
      for line in rules.names + rules.indexes { context.output.line("  " + Format.printable(line)) }
    }
    return .done
  }

  @Sendable private static func testRules(_ context: ToolContext) throws -> ExitStatus {
    let invocation = context.invocation
    let (path, text, isWrite) = (invocation.word(2) ?? "", invocation.word(3), invocation.word(1) == "write")
    guard isWrite == (text != nil) else {
      throw UsageError(
        text.map { "'\(Format.printable($0))' is an unexpected argument." }
          ?? "JSON is missing: the value to write.",
        command: invocation.command.name
      )
    }
    let auth = try client(context)
    let value = try text.map { try json($0, "JSON") }
    var trial = try rules(context)
    let data = invocation["data"] ?? ""
    try inFile(data) { try trial.use(JSON(parsing: contents(of: data))) }
    let result = try value.map { try trial.write($0, at: path, as: auth) } ?? trial.read(path, as: auth)
    show(result, isWrite, context)
    return result.isAllowed ? .done : .refused
  }

  /// Returns the client of `--auth`.
  private static func client(_ context: ToolContext) throws -> RuleAuth? {
    guard let text = context.invocation["auth"] else { return nil }
    let json = try json(text, "--auth")
    if case .null = json { return nil }
    let command = context.invocation.command.name
    guard case .object(let object) = json, let uid = json["uid"].string else {
      throw UsageError("--auth needs an object with the text 'uid', or null.", command: command)
    }
    let known = ["uid", "provider", "token"]
    for (name, value) in object {
      guard known.contains(name) else {
        throw UsageError(
          "--auth has no member '\(Format.printable(name))'.",
          unknown: name,
          known: known,
          command: command
        )
      }
      switch (name, value) {
      case (_, .null), ("uid", _), ("provider", .string), ("token", .object): break
      default:
        throw UsageError(
          "The '\(name)' of --auth is not \(name == "token" ? "an object" : "a text").",
          command: command
        )
      }
    }
    return RuleAuth(uid: uid, provider: json["provider"].string, token: json["token"])
  }

  private static func show(_ result: RuleTrial.Result, _ isWrite: Bool, _ context: ToolContext) {
    if context.isJSON {
      let rules = result.lines.map { line -> JSONValue in
        [
          "rule": .string(line.rule), "path": .string(line.path), "value": .bool(line.isTrue),
          "reason": .text(line.reason),
        ]
      }
      context.print([
        "allowed": .bool(result.isAllowed), "refusal": .text(result.refusal), "rules": .array(rules),
      ])
      return
    }
    let output = context.output
    output.line(
      result.isAllowed
        ? "The rules allow the \(isWrite ? "write" : "read")."
        : "The rules refuse the \(isWrite ? "write" : "read"): \(Format.printable(result.refusal ?? ""))"
    )
    if result.lines.isEmpty { return }
    var table = Table("Rule", "Path", "Value", "Reason")
    for line in result.lines {
      table.add(
        Format.printable(line.rule),
        "/" + Format.printable(line.path),
        line.isTrue ? "true" : "false",
        line.reason ?? ""
      )
    }
    output.table(table)
  }
}
