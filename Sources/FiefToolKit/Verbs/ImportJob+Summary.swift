import Fief
import FiefConsole
import FiefImport

extension ImportJob {
  var status: ExitStatus {
    if objects.interruptedAt != nil || objects.wrongCount > 0 { return .failed }
    return .done
  }

  private var isDry: Bool { context.invocation.has("dry-run") }
  private var changed: Int {
    objects.counts.reduce(0) { $1.key == .skipped ? $0 : $0 + $1.value }
  }

  /// Prints the summary: the wrong lines to standard error, and the totals to standard output.
  func writeSummary() {
    if start.isComplete {
      return context.output.line("The import was already complete: nothing was left to import.")
    }
    let errors = context.io.error
    for problem in objects.wrong { errors.line("line \(problem.line): \(Format.printable(problem.text))") }
    if objects.wrongCount > objects.wrong.count {
      errors.line("and \(Format.count(objects.wrongCount - objects.wrong.count)) more lines are wrong")
    }
    let parts = DynamicPut.Outcome.allCases.compactMap { outcome -> String? in
      objects.counts[outcome].map { "\(Format.count($0)) \(outcome.rawValue)" }
    }
    let lines = objects.wrongCount - objects.missingLinks
    var sentence = isDry ? "Would import " : "Imported "
    sentence += "\(Format.count(changed)) \(changed == 1 ? "object" : "objects")"
    if !parts.isEmpty { sentence += " (\(parts.joined(separator: ", ")))" }
    if objects.known > 0 { sentence += ", besides \(Format.count(objects.known)) that existed already" }
    if lines > 0 {
      sentence += "; \(Format.count(lines)) wrong \(lines == 1 ? "line was" : "lines were") left out"
    }
    if objects.missingLinks > 0 {
      sentence +=
        "; \(Format.count(objects.missingLinks)) \(objects.missingLinks == 1 ? "link" : "links") to nothing left out"
    }
    context.output.line(sentence + ".")
    if isDry { context.output.line("Nothing was changed.") }
    if let interruptedAt = objects.interruptedAt {
      errors.line("Interrupted: continue with \(resumption(from: interruptedAt)).")
    }
  }

  /// Returns the options for resuming at a line.
  func resumption(from line: Int) -> String {
    (isJournaled ? "--resume" : "--resume-from \(line)") + ImportOptions(context.invocation).words
  }

  /// The summary of the import as a document.
  var document: JSONValue {
    let outcomes = DynamicPut.Outcome.allCases.map { outcome in
      JSONValue.Member(outcome.rawValue, .count(objects.counts[outcome] ?? 0))
    }
    return .object(
      [JSONValue.Member("isDryRun", .bool(isDry))] + outcomes + [
        .init("alreadyThere", .count(objects.known)),
        .init("wrongLines", .count(objects.wrongCount - objects.missingLinks)),
        .init("missingLinks", .count(objects.missingLinks)),
        .init("interruptedAt", objects.interruptedAt.map { .count($0) } ?? .null),
        .init(
          "problems",
          .array(objects.wrong.map { ["line": .count($0.line), "message": .string($0.text)] })
        ),
      ]
    )
  }
}
