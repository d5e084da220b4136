import Fief
import FiefConsole
import FiefImport
import Foundation

/// An import of the tool: its input, its journal and its progress.
final class ImportJob {
  let type: DynamicType?
  let input: ImportInput
  let start: ImportStart
  let context: ToolContext
  let objects: ObjectImport

  init(
    _ store: DynamicStore,
    _ type: DynamicType?,
    _ input: ImportInput,
    _ conflict: DynamicConflict,
    _ start: ImportStart,
    _ context: ToolContext
  ) {
    self.type = type
    self.input = input
    self.start = start
    self.context = context
    objects = ObjectImport(
      store,
      type,
      isCSV: input.isCSV,
      conflict,
      Self.jsonOptions(context.invocation["dates"]),
      ObjectImport.Start(
        line: start.line,
        blind: start.blind,
        notes: start.journal?.id,
        isResumed: start.isResumed,
        stale: start.stale
      ),
      // Values are shown, because the user of the tool requests the data.
      showsValues: true
    )
  }

  /// Returns how values are read. Numbers are accepted as dates only if `--dates` specifies their meaning.
  private static func jsonOptions(_ dates: String?) -> JSONOptions {
    var options = JSONOptions.default
    options.numericDates =
      switch dates {
      case "since-1970": .since1970
      case "since-2001": .since2001
      case "iso8601": .refused("--dates iso8601 accepts only strings")
      default:
        .refused("specify its meaning: --dates since-1970, or --dates since-2001 as JSONEncoder writes dates")
      }
    return options
  }

  /// Whether the progress is recorded in the store.
  var isJournaled: Bool { start.journal != nil }

  /// Imports everything. Each call of `transact` is one transaction, which may run its closure again.
  func run(_ transact: ObjectImport.Transact) throws {
    var reader = try input.reader()
    if input.isCSV { try readHeading(&reader) }
    var progress = context.progress("Importing KiB", total: input.size.map { $0 / 1024 + 1 })
    defer { progress?.finish() }
    let started = ContinuousClock.now
    objects.willBegin = { [weak self] in try self?.begin() }
    do {
      try objects.run(&reader, transact) { consumed in
        progress?.update(completed: consumed / 1024, elapsed: started.duration(to: .now))
        return !context.streams.isInterrupted()
      }
    } catch is ImportProblem {
      // Invalid lines are reported at the end, so the input is not UTF-8 at all.
      throw Self.notUTF8
    }
    guard objects.interruptedAt == nil else { return }
    objects.checkEnd()
    try end(transact)
  }

  private static var notUTF8: ToolFailure {
    ToolFailure(
      .failed,
      code: FiefError.Code.invalidValue.rawValue,
      ObjectImport.notUTF8.message,
      next: "Convert it first, for example with 'iconv -f UTF-16 -t UTF-8'; decompress a compressed file."
    )
  }

  private func readHeading(_ reader: inout RecordReader) throws {
    guard let heading = try reader.next() else { return }
    do { objects.columns = try CSVText.cells(of: heading.bytes).map(\.text) } catch let error as CSVError {
      guard error != .notUTF8 else { throw Self.notUTF8 }
      throw ToolFailure(
        .failed,
        code: FiefError.Code.invalidValue.rawValue,
        "The heading is not CSV. \(error)",
        next: "Correct the first row, then try again."
      )
    }
    let known = type.map { ObjectLines.columns(of: $0) } ?? []
    for (index, name) in objects.columns.enumerated() {
      let isTwice = objects.columns[..<index].contains(name)
      guard !known.contains(name) || isTwice else { continue }
      let nearest = NearestName.find(name, in: known).map { " Did you mean '\($0)'?" } ?? ""
      throw ToolFailure(
        .failed,
        code: FiefError.Code.unknownProperty.rawValue,
        isTwice
          ? "The heading has the column '\(Format.printable(name))' twice."
          : "\(type?.name ?? "The type") has no property '\(Format.printable(name))', which the heading "
            + "names.\(nearest)",
        next: "The first row must contain names of columns: \(known.joined(separator: ", "))."
      )
    }
  }
}
