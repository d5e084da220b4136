import Fief
import FiefConsole
import Foundation

/// Exports objects to a file.
enum ExportVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "export",
    "Writes objects as JSON lines or CSV, so that 'fief import' gets the same ones back",
    discussion: [
      "Every value keeps every bit: the article 'The tool' of the documentation describes the forms. Where several types are exported, each "
        + "line has its type as $type, and types come after those that they link.",
      "All objects are of one state of the store, whatever others write meanwhile. With --output the file has "
        + "the ending .partial until it is whole; after an interruption --resume goes on after its last whole "
        + "line, with the state of the store at that time.",
      "Changes nothing in the store.",
    ],
    positionals: [
      ToolDeclaration.store,
      PositionalDeclaration(
        "TYPE",
        "the types to export; all by default",
        count: .any,
        completion: .asked(NameCompletion.types)
      ),
    ],
    options: [
      OptionDeclaration(
        "format",
        value: "FORMAT",
        completion: .words(["jsonl", "csv"]),
        "jsonl or csv; by the ending of FILE, or jsonl. CSV takes one type."
      ),
      OptionDeclaration(
        "output",
        short: "o",
        value: "FILE",
        completion: .files,
        "Where to write; standard output by default."
      ),
      OptionDeclaration("resume", "Goes on with FILE.partial after its last whole line."),
      OptionDeclaration("force", "Replaces FILE where it exists."),
      OptionDeclaration(
        "encrypt",
        "Encrypts what is written with the key of the command line, that of the store where it is encrypted; 'fief import' reads it with "
          + "that key."
      ),
      OptionDeclaration("skip-damaged", "Leaves out damaged records, and says which."),
    ],
    examples: [
      .init("fief export petstore-data/pets > pets.jsonl", "Everything, to standard output."),
      .init("fief export petstore-data/pets Dog -o dogs.csv", "A table of dogs."),
      .init("fief export petstore-data/pets -o pets.jsonl --resume", "After an interruption."),
    ]
  )
  static let answersInOneDocument = false

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let isEncrypted = context.invocation.has("encrypt")
    if isEncrypted, context.invocation.has("resume") {
      throw UsageError("An encrypted export cannot be resumed.", command: "export")
    }
    let store = try context.open(
      mayBeClear: { isEncrypted },
      verifiesCommit: !context.invocation.has("skip-damaged")
    )
    // Done before any file is created or changed.
    let sealing = isEncrypted ? try Self.sealing(context) : nil
    let names = context.invocation.words.dropFirst().reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    let types =
      try names.isEmpty
      ? LinkOrder.sorted(store.types.filter { !$0.isEmbedded })
      : names.map { try context.type(named: $0, in: store) }
    let output = context.invocation["output"]
    let format = context.invocation["format"] ?? (output?.hasSuffix(".csv") == true ? "csv" : "jsonl")
    guard format == "jsonl" || types.count == 1 else {
      throw UsageError("CSV is a table of one type: name the TYPE to export.", command: "export")
    }
    let isTyped = names.count != 1
    let job = ExportJob(
      store: store,
      types: types,
      isTyped: isTyped,
      isCSV: format == "csv",
      context: context
    )
    guard let output else {
      if context.invocation.has("resume") {
        throw UsageError("--resume goes on with a file: name it with --output.", command: "export")
      }
      try run(job, sealing, to: context.streams.writeOutput)
      return job.status
    }
    return try write(job, sealing, to: output, context)
  }

  private static func sealing(_ context: ToolContext) throws -> EncryptedFile.Sealing {
    guard let key = try context.key() else {
      throw UsageError("--encrypt needs the key: --key-file or --key-env.", command: "export")
    }
    return try EncryptedFile.Sealing(key)
  }

  /// Writes the whole export, encrypted if requested.
  private static func run(
    _ job: ExportJob,
    _ sealing: EncryptedFile.Sealing?,
    to write: @escaping (Data) throws -> Void
  ) throws {
    guard let sealing else { return try job.run(after: nil, to: write) }
    let file = try EncryptedFile.Writer(sealing, to: write)
    try job.run(after: nil, to: file.write)
    try file.finish()
  }

  private static func write(
    _ job: ExportJob,
    _ sealing: EncryptedFile.Sealing?,
    to path: String,
    _ context: ToolContext
  ) throws
    -> ExitStatus
  {
    if FileManager.default.fileExists(atPath: path), !context.invocation.has("force") {
      throw ToolFailure(
        .refused,
        code: "alreadyExists",
        "'\(Format.printable(path))' exists.",
        next: "Choose another name, or add --force to replace it."
      )
    }
    let isResumed = context.invocation.has("resume")
    let end = isResumed ? try PartialFile.end(of: path, isCSV: job.isCSV) : PartialFile.End()
    let position = try job.position(after: end)
    let file = try PartialFile(path: path, keeping: end.size)
    if isResumed {
      try job.run(after: position, isBegun: end.size > 0, to: file.write)
    } else {
      try run(job, sealing, to: file.write)
    }
    try file.finish()
    if context.isJSON {
      context.output.line(job.summary(path).line())
    } else {
      let before = position == nil ? "" : ", which has \(Format.count(job.earlier + job.count)) now"
      context.io.error.line(
        "Exported \(Format.count(job.count)) objects to \(Format.printable(path))\(before)."
      )
    }
    return job.status
  }
}
