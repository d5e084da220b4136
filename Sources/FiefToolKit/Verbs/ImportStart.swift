import Fief
import FiefConsole
import Foundation

/// Determines the line at which an import starts.
struct ImportStart {
  /// The first line to import.
  var line = 1
  /// The lines before this one were imported by a run that left no records in the store.
  var blind = 1
  /// The journal, or `nil` if nothing is recorded, as for standard input and dry runs.
  var journal: ImportJournal?
  /// Whether the journal belongs to an earlier run.
  var isResumed = false
  /// A complete import whose records may still be in the store.
  var stale: UUID?
  /// Whether the whole file is in the store and only the records of the import remain to be removed.
  var isComplete = false

  /// - Throws: ``ToolFailure`` if there is nothing to resume, or if the state is not what the caller expects;
  ///   ``UsageError``.
  init(_ context: ToolContext, _ input: ImportInput, _ store: DynamicStore, _ type: DynamicType?) throws {
    let isResuming = context.invocation.has("resume")
    let given = try context.invocation.integer("resume-from", in: 1...Int.max)
    line = given ?? 1
    blind = line
    let options = ImportOptions(context.invocation)
    guard let path = input.path else {
      guard isResuming else { return }
      throw UsageError("--resume needs the file: name it with --input.", command: "import")
    }
    if context.invocation.has("dry-run"), !isResuming { return }
    let earlier = try given == nil ? ImportJournal.read(of: path) : nil
    let reached = try earlier.flatMap { earlier in try store.read { try $0.importedLine(of: earlier.id) } }
    let isOpen = earlier.map { !$0.isDone && ($0.store != store.storeID || reached != nil) } ?? false
    if isResuming {
      guard let earlier else {
        throw ImportJournal.refused(
          "The journal '\(ImportJournal.name(of: path))' to resume from does not exist.",
          next: "The last import of the file was complete or never began; omit --resume."
        )
      }
      guard earlier.store == store.storeID, earlier.type == type?.name else {
        throw ImportJournal.refused(
          "The journal belongs to an import into another store or of another type.",
          next:
            "Give the same store and type as before, or remove '\(ImportJournal.name(of: path))' to start "
            + "over."
        )
      }
      let earlierOptions = earlier.options ?? ImportOptions()
      guard earlier.isDone || earlierOptions == options else {
        throw UsageError(
          "The import began with\(earlierOptions.phrase), and cannot continue with\(options.phrase): give the same options, "
            + "or remove '\(ImportJournal.name(of: path))' to start over.",
          command: "import"
        )
      }
      isComplete = earlier.isDone
      // Nothing is recorded if the first commit was not reached, or if an older backup has replaced the
      // store. Then no line of the file is in the store.
      line = reached.map { $0 + 1 } ?? earlier.first
      blind = earlier.first
      journal = context.invocation.has("dry-run") ? nil : earlier
      isResumed = true
    } else if isOpen {
      throw ImportJournal.refused(
        "An earlier import of the file was interrupted.",
        next: "Use --resume\(earlier?.options?.words ?? "") to continue it, or remove "
          + "'\(ImportJournal.name(of: path))' to start over."
      )
    } else {
      stale = earlier?.id
      journal = ImportJournal(
        id: UUID(),
        store: store.storeID,
        type: type?.name,
        first: line,
        options: options
      )
    }
  }
}
