import Fief
import FiefConsole
import FiefImport
import Foundation

/// Imports objects from a file.
enum ImportVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "import",
    "Puts objects into a store from JSON lines or CSV, as 'fief export' writes them",
    discussion: [
      "Lines are committed a thousand at a time. A line that is wrong is left out and reported with its "
        + "number; the others are imported, and the status is 1. Links may lead to objects of later lines: such "
        + "ones are made at the end.",
      "How far it has come is committed with the objects, and a file FILE.import beside FILE names the import: "
        + "after an interruption, a kill too, --resume goes on exactly there. An import from standard input that "
        + "is interrupted from the keyboard says which --resume-from to give.",
      "A store does not know the cases of enumerations: any raw value of the stored type is imported. The "
        + "application's check() lists the values that no case has.",
      "MongoDB's extended JSON ({\"$oid\": …}, {\"$date\": …}, {\"$numberLong\": …}, {\"$binary\": …}) is read too. An object that is written "
        + "inside of a link is inserted at the end, unless a line or the store has an object with its key.",
      "An export that is encrypted is read with the key of the command line. A store in clear may take it too.",
      "--dry-run does everything in one transaction and then undoes it. Where relationships have limits, or are "
        + "required, everything is one transaction too, and nothing is imported where one has too few or too many.",
    ],
    positionals: [
      ToolDeclaration.store,
      PositionalDeclaration(
        "TYPE",
        "the type of the objects; may be left out where each line has its $type",
        count: .optional,
        completion: .asked(NameCompletion.types)
      ),
    ],
    options: [
      OptionDeclaration(
        "input",
        short: "i",
        value: "FILE",
        completion: .files,
        "What to read; standard input by default."
      ),
      OptionDeclaration(
        "format",
        value: "FORMAT",
        completion: .words(["jsonl", "csv"]),
        "jsonl or csv; by the ending of FILE, or jsonl."
      ),
      OptionDeclaration(
        "on-conflict",
        value: "WHAT",
        completion: .words(DynamicConflict.allCases.map(\.rawValue)),
        "What becomes of a line whose key exists: error (a wrong line, the default), replace (the object), "
          + "skip (the line), merge (the values into the object)."
      ),
      OptionDeclaration(
        "dates",
        value: "FORM",
        completion: .words(["since-2001", "since-1970", "iso8601"]),
        "What numbers in the place of dates count: seconds since 2001, as JSONEncoder writes them, or since 1970. iso8601 takes no "
          + "numbers; without the option they are wrong too, since both are possible."
      ),
      OptionDeclaration("dry-run", "Changes nothing, and reports what would happen."),
      OptionDeclaration("resume", "Goes on with an import that was interrupted."),
      OptionDeclaration("resume-from", value: "LINE", "Goes on with this line."),
    ],
    examples: [
      .init("fief import petstore-data/pets Dog -i dogs.csv --dry-run", "What would happen."),
      .init("fief export old/pets | fief import new/pets", "From one store to another."),
      .init(
        "fief import petstore-data/pets Dog -i ages.jsonl --on-conflict merge",
        "Some values of objects."
      ),
    ]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let input = try ImportInput(context)
    // The key may be for the export only.
    let store = try context.open(forWriting: true, mayBeClear: input.isEncrypted)
    let type = try context.invocation.word(1).map {
      try context.type(named: $0, in: store, hint: Self.hint(ofType: $0))
    }
    guard !input.isCSV || type != nil else {
      throw UsageError("CSV is a table of one type: name the TYPE.", command: "import")
    }
    let conflict = context.invocation["on-conflict"].flatMap { DynamicConflict(rawValue: $0) } ?? .error
    let start = try ImportStart(context, input, store, type)
    let job: ImportJob
    if start.isComplete {
      job = ImportJob(store, type, input, conflict, start, context)
      try job.removeNotes { try store.write($0) }
    } else if context.invocation.has("dry-run") || store.hasLimits, !start.isResumed || start.journal == nil {
      job = try runTogether(store, type, try input.repeatable(), conflict, start, context)
    } else {
      job = ImportJob(store, type, input, conflict, start, context)
      context.streams.watchForInterrupts()
      do { try job.run { try store.write($0) } } catch {
        throw Self.failure(error, job, context)
      }
    }
    if context.isJSON { context.print(job.document) } else { job.writeSummary() }
    return job.status
  }

  /// Returns advice if the word in the place of the type is a file.
  private static func hint(ofType word: String) -> String? {
    let isFile = FileManager.default.fileExists(atPath: word)
    guard isFile || word.hasSuffix(".jsonl") || word.hasSuffix(".json") || word.hasSuffix(".csv") else {
      return nil
    }
    return "A file is named with --input: --input \(ShellText.quoted(word))."
  }

  /// Returns the failure of an import that may have committed some lines.
  private static func failure(_ error: any Error, _ job: ImportJob, _ context: ToolContext) -> any Error {
    guard let line = job.objects.committed else { return error }
    var failure = ToolFailure(error, store: context.invocation.word(0))
    failure.consequence = "The lines before \(line + 1) were imported."
    failure.next += " Go on with \(job.resumption(from: line + 1))."
    return failure
  }

  private struct Undone: Error {}

  /// Imports all lines in one transaction, so that lines can refer to objects of earlier lines. A dry run is
  /// rolled back.
  private static func runTogether(
    _ store: DynamicStore,
    _ type: DynamicType?,
    _ input: ImportInput,
    _ conflict: DynamicConflict,
    _ start: ImportStart,
    _ context: ToolContext
  ) throws -> ImportJob {
    let isTrial = context.invocation.has("dry-run")
    // An import that commits everything or nothing needs no journal.
    var start = start
    start.journal = nil
    // Creates a new job for each attempt, because the transaction may run its closure again.
    func make() -> ImportJob { ImportJob(store, type, input, conflict, start, context) }
    var job = make()
    do {
      try store.write { transaction in
        job = make()
        try job.run { try $0(transaction) }
        if isTrial {
          try transaction.checkLimits()
          throw Undone()
        }
      }
    } catch is Undone {}
    return job
  }
}
