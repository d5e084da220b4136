import Fief
package import FiefConsole
import Foundation
import Synchronization

/// The tool `fief`, which opens any store without its Swift types, using the catalogue in the store.
public enum FiefTool {
  /// Runs the process's command line, and ends the process with the resulting status.
  public static func main() -> Never {
    let streams = ToolStreams.process()
    let status: ExitStatus
    do { status = run(try arguments(), streams) } catch {
      status = report(error, isJSON: CommandLine.arguments.contains("--json"), streams)
    }
    guard Console.isOutputLost.load(ordering: .relaxed), status == .done else { exit(status.rawValue) }
    streams.io.error.line("fief: The command succeeded, but its output could not be written.")
    exit(ExitStatus.failed.rawValue)
  }

  /// Returns the arguments of the process without its name.
  ///
  /// `CommandLine.arguments` replaces bytes that are not UTF-8, so that different names would become equal.
  private static func arguments() throws(UsageError) -> [String] {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      // SAFETY: the vector has `argc` terminated strings.
      guard let text = CommandLine.unsafeArgv[index].flatMap({ String(validatingCString: $0) }) else {
        throw UsageError("Argument \(index) is not UTF-8.")
      }
      arguments.append(text)
    }
    return arguments
  }

  /// Runs a command line.
  ///
  /// - Parameter arguments: the arguments without the program's name.
  package static func run(_ arguments: [String], _ streams: ToolStreams) -> ExitStatus {
    if arguments.first == ValueCompletion.command {
      for line in NameCompletion.lines(for: Array(arguments.dropFirst())) { streams.io.output.line(line) }
      return .done
    }
    let tool = ToolDeclaration.tool
    let request: Request
    do { request = try ArgumentParser.parse(arguments, of: tool) } catch {
      return report(error, isJSON: arguments.contains("--json"), streams)
    }
    switch request {
    case .version:
      streams.io.output.line("\(tool.name) \(tool.version ?? "")")
      return .done
    case .help(let command, let isRequested):
      let console = isRequested ? streams.io.output : streams.io.error
      for line in HelpWriter(tool, width: console.terminal.width).lines(for: command) { console.line(line) }
      return isRequested ? .done : .usage
    case .completion(let shell):
      let script = shell == .bash ? BashCompletion(tool).script() : ZshCompletion(tool).script()
      streams.io.output.write(script)
      return .done
    case .run(let invocation):
      return run(invocation, streams)
    }
  }

  private static func run(_ invocation: Invocation, _ streams: ToolStreams) -> ExitStatus {
    let context = ToolContext(invocation, streams)
    guard let verb = ToolDeclaration.verb(of: invocation.command) else { return .usage }
    do {
      return try verb.run(context)
    } catch let error as UsageError {
      return report(error, isJSON: context.isJSON, streams)
    } catch {
      let failure = ToolFailure(error, of: invocation.command.name, store: invocation.word(0))
      let isDocument = verb.answersInOneDocument(invocation.command)
      failure.report(isJSON: context.isJSON, onOutput: isDocument, streams)
      return failure.status
    }
  }

  private static func report(_ error: UsageError, isJSON: Bool, _ streams: ToolStreams) -> ExitStatus {
    let help = error.command.map { "fief \($0) --help" } ?? "fief --help"
    if isJSON {
      let document: JSONValue = [
        "error": ["code": "usage", "message": .string(error.description), "next": .string("See '\(help)'.")]
      ]
      streams.io.output.line(document.pretty())
    } else {
      streams.io.error.line("fief: \(error)")
      streams.io.error.line("See '\(help)'.")
    }
    return .usage
  }
}
