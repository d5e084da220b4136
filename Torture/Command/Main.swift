import FiefTorture
import Foundation

/// The torture tests, and the processes that they run: `fief-torture calls …`; see Torture/README.md.
@main
struct Main {
  static func main() {
    let arguments = Arguments(CommandLine.arguments.dropFirst())
    do {
      switch arguments.command {
      case "steps": runSteps(in: arguments.rest.first ?? "", arguments)
      case "open": StoreContent.open(directory: arguments.rest.first ?? "")
      case "content": showContent(of: arguments.rest.first ?? "")
      case "calls": exit(try CallFaults(arguments).run() ? 0 : 1)
      case "call": exit(try CallFaults(arguments).runOne() ? 0 : 1)
      default:
        say("usage: fief-torture calls|call --preload LIBRARY --work DIRECTORY; Torture/run knows the rest")
        exit(64)
      }
    } catch {
      say("failed: \(error)")
      exit(1)
    }
  }

  /// Does the steps, and says each that is done. One that fails is tried again, then with the stores opened again.
  private static func runSteps(in directory: String, _ arguments: Arguments) {
    let steps = TortureSteps(directory: directory)
    let attempts = arguments.number("attempts") ?? 1
    for (index, step) in steps.all.prefix(arguments.number("count") ?? .max).enumerated() {
      var attempt = 1
      while true {
        do {
          try step.body()
          break
        } catch {
          say("failed \(index) \(step.name): \(error)".replacing("\n", with: " "))
          guard attempt < attempts else { return say("stopped \(index)") }
          attempt += 1
          if attempt == 3 { steps.close() }
        }
      }
      say("done \(index)")
    }
    steps.close()
    say("end")
  }

  private static func showContent(of directory: String) {
    let content = StoreContent(directory: directory)
    for problem in content.problems { say("problem \(problem)".replacing("\n", with: " ")) }
    say(content.text)
  }
}

/// Writes a line at once, so that it is there when the process ends in any way.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
