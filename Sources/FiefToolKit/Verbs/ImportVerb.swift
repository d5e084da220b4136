import Fief
import FiefConsole
import FiefImport
import Foundation

/// Imports objects from a file.
enum ImportVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "import",
    "Imports objects into a store from JSON lines or CSV, as 'fief export' writes them",
    discussion: [
      "Lines are committed a thousand at a time. A wrong line is skipped and reported with its "
        + "number; the others are imported, and the status is 1. Links may refer to objects of later lines: such "
        + "links are set at the end.",
      "The progress is committed with the objects, and a file FILE.import beside FILE identifies the import: "
        + "after an interruption, even by a kill, --resume continues exactly there. An import from standard input that "
        + "is interrupted from the keyboard prints the --resume-from to use.",
      "A store does not know the cases of enumerations: it accepts any raw value of the stored type. The "
        + "application's check() lists the values without a case.",
      "MongoDB's extended JSON ({\"$oid\": …}, {\"$date\": …}, {\"$numberLong\": …}, {\"$binary\": …}) is also read. An object that is written "
        + "inside a link is inserted at the end, unless a line or the store has an object with its key.",
      "An encrypted export is read with the key on the command line, also into an unencrypted store.",
      "--dry-run does everything in one transaction and then rolls it back. If relationships have limits or are "
        + "required, the import is also one transaction and imports nothing if a relationship violates its rules.",
    ],
    positionals: [
      ToolDeclaration.store,
      PositionalDeclaration(
        "TYPE",
        "the type of the objects; optional if each line has its $type",
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
        "The file to read; standard input by default."
      ),
      OptionDeclaration(
        "format",
        value: "FORMAT",
        completion: .words(["jsonl", "csv"]),
        "jsonl or csv; by default from the suffix of FILE, or jsonl."
      ),
      OptionDeclaration(
        "on-conflict",
        value: "WHAT",
        completion: .words(DynamicConflict.allCases.map(\.rawValue)),
        "How to treat a line whose key exists: error (a wrong line, the default), replace (the object), "
          + "skip (the line), merge (the values into the object)."
      ),
      OptionDeclaration(
        "dates",
        value: "FORM",
        completion: .words(["since-2001", "since-1970", "iso8601"]),
        "The meaning of numbers used as dates: seconds since 2001, as JSONEncoder writes them, or since 1970. iso8601 rejects "
          + "numbers; without the option they are also wrong, because both are possible."
      ),
      OptionDeclaration("dry-run", "Changes nothing and reports what would happen."),
      OptionDeclaration("resume", "Continues an interrupted import."),
      OptionDeclaration("resume-from", value: "LINE", "Continues with this line."),
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

  /// Returns advice if the word that should be the type is a file.
  private static func hint(ofType word: String) -> String? {
    let isFile = FileManager.default.fileExists(atPath: word)
    guard isFile || word.hasSuffix(".jsonl") || word.hasSuffix(".json") || word.hasSuffix(".csv") else {
      return nil
    }
    return "Name a file with --input: --input \(ShellText.quoted(word))."
  }

  /// Returns the failure of an import that may have committed some lines.
  private static func failure(_ error: any Error, _ job: ImportJob, _ context: ToolContext) -> any Error {
    guard let line = job.objects.committed else { return error }
    var failure = ToolFailure(error, store: context.invocation.word(0))
    failure.consequence = "The lines before \(line + 1) were imported."
    failure.next += " Continue with \(job.resumption(from: line + 1))."
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
