import Fief
import FiefConsole
import FiefTree
import Foundation

/// `fief tree rules`, which reads files of access rules and tries them. It opens no store.
struct TreeRulesCommand {
  private let context: ToolContext

  init(_ context: ToolContext) { self.context = context }

  private var words: [String] { Array(context.invocation.words.dropFirst()) }

  private func usage(_ text: String) -> UsageError { UsageError(text, command: "tree") }

  func run() throws -> ExitStatus {
    guard words.count >= 2 else { throw usage("FILE is missing: the file of rules.") }
    switch words[0] {
    case "check": return try check()
    case "test": return try test()
    default: throw usage("'\(Format.printable(words[0]))' is neither 'check' nor 'test'.")
    }
  }

  private func contents(of path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  private func check() throws -> ExitStatus {
    if words.count > 2 { throw usage("'\(Format.printable(words[2]))' is an unexpected argument.") }
    let rules = try RuleTrial(rules: try contents(of: words[1])).names
    if context.isJSON {
      context.print(["rules": .array(rules.map { .string($0) })])
    } else {
      context.output.line("The rules are well-formed.")
      for rule in rules { context.output.line("  " + Format.printable(rule)) }
    }
    return .done
  }

  private func test() throws -> ExitStatus {
    guard let file = context.invocation["data"] else {
      throw usage("--data is missing: the JSON of the tree.")
    }
    guard words.count >= 4, ["read", "write"].contains(words[2]) else {
      throw usage("'rules test' needs 'read PATH' or 'write PATH JSON'.")
    }
    let isWrite = words[2] == "write"
    guard words.count == (isWrite ? 5 : 4) else {
      throw usage(
        words.count < 5
          ? "JSON is missing: the value to write."
          : "'\(Format.printable(words.last ?? ""))' is an unexpected argument."
      )
    }
    let trial = try RuleTrial(
      rules: try contents(of: words[1]),
      data: try JSON(parsing: try contents(of: file))
    )
    let auth = try client()
    let result =
      isWrite
      ? try trial.write(try JSON(parsing: Data(words[4].utf8)), at: words[3], as: auth)
      : try trial.read(words[3], as: auth)
    show(result, isWrite)
    return result.isAllowed ? .done : .refused
  }

  private func client() throws -> RuleAuth? {
    guard let text = context.invocation["auth"] else { return nil }
    let json = try JSON(parsing: Data(text.utf8))
    if case .null = json { return nil }
    guard let uid = json["uid"].string else {
      throw usage("--auth needs an object with the text 'uid', or null.")
    }
    return RuleAuth(uid: uid, provider: json["provider"].string, token: json["token"])
  }

  private func show(_ result: RuleTrial.Result, _ isWrite: Bool) {
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
