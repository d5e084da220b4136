import Fief
import FiefConsole
import Foundation

/// Exports objects to a file.
enum ExportVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "export",
    "Writes objects as JSON lines or CSV that 'fief import' reads back unchanged",
    discussion: [
      "Every value keeps every bit: the article 'The tool' of the documentation describes the forms. If several types are exported, each "
        + "line has its type as $type, and types come after the types that they link to.",
      "All objects have one state of the store, even if other programs write meanwhile. With --output the file has "
        + "the suffix .partial until it is complete; after an interruption --resume continues after its last complete "
        + "line, with the then current state of the store.",
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
        "jsonl or csv; by default from the suffix of FILE, or jsonl. CSV supports one type."
      ),
      OptionDeclaration(
        "output",
        short: "o",
        value: "FILE",
        completion: .files,
        "The file to write; standard output by default."
      ),
      OptionDeclaration("resume", "Continues FILE.partial after its last complete line."),
      OptionDeclaration("force", "Replaces FILE if it exists."),
      OptionDeclaration(
        "encrypt",
        "Encrypts the output with the key on the command line, which is the store's key if it is encrypted; 'fief import' reads it with "
          + "this key."
      ),
      OptionDeclaration("skip-damaged", "Skips damaged records and pages, and lists them."),
    ],
    examples: [
      .init("fief export petstore-data/pets > pets.jsonl", "Everything, to standard output."),
      .init("fief export petstore-data/pets Dog -o dogs.csv", "A table of dogs."),
      .init("fief export petstore-data/pets -o pets.jsonl --resume", "After an interruption."),
    ]
  )
  static func answersInOneDocument(_ command: CommandDeclaration) -> Bool { false }

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let isEncrypted = context.invocation.has("encrypt")
    if isEncrypted, context.invocation.has("resume") {
      throw UsageError("An encrypted export cannot be resumed.", command: "export")
    }
    let store = try context.open(
      mayBeClear: { isEncrypted },
      readsDamaged: context.invocation.has("skip-damaged")
    )
    // This happens before any file is created or changed.
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
        throw UsageError("--resume needs the file: name it with --output.", command: "export")
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
      let before = position == nil ? "" : ", which now has \(Format.count(job.earlier + job.count))"
      context.io.error.line(
        "Exported \(Format.count(job.count)) objects to \(Format.printable(path))\(before)."
      )
    }
    return job.status
  }
}
