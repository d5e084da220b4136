import Fief
import FiefConsole
import FiefImport
import Foundation

/// An export: writes objects of types, in order, to a receiver of bytes.
final class ExportJob {
  let store: DynamicStore
  let types: [DynamicType]
  /// Whether each line names its type.
  let isTyped: Bool
  let isCSV: Bool
  let context: ToolContext
  /// The number of written objects.
  private(set) var count = 0
  /// The number of objects written by an earlier run.
  private(set) var earlier = 0
  private var damaged = 0

  init(store: DynamicStore, types: [DynamicType], isTyped: Bool, isCSV: Bool, context: ToolContext) {
    self.store = store
    self.types = types
    self.isTyped = isTyped
    self.isCSV = isCSV
    self.context = context
  }

  /// A position among the objects: the key of an object that was written.
  struct Position {
    let typeName: String
    let key: ObjectKey
  }

  var status: ExitStatus { damaged > 0 ? .damaged : .done }

  private var columns: [String] { types.first.map { ObjectLines.columns(of: $0) } ?? [] }

  /// Returns the position of the last complete record of a partial file, or `nil` if it has none.
  func position(after end: PartialFile.End) throws -> Position? {
    guard let last = end.last, !isCSV || end.count > 1 else { return nil }
    earlier = end.count - (isCSV ? 1 : 0)
    let columns = columns
    let position = try store.read { snapshot -> Position? in
      try last.withUnsafeBytes { line in
        let named = isTyped ? try snapshot.typeName(ofLine: line) : types.first?.name
        guard let typeName = named, types.contains(where: { $0.name == typeName }) else { return nil }
        if isCSV {
          let cells = try CSVText.cells(of: last)
          let row = zip(columns, cells).map { (name: $0, cell: $1) }
          guard row.count == columns.count else { return nil }
          return try snapshot.key(ofType: typeName, cells: row).map { Position(typeName: typeName, key: $0) }
        }
        return try snapshot.key(ofType: typeName, line: line).map { Position(typeName: typeName, key: $0) }
      }
    }
    guard let position else {
      throw ToolFailure(
        .refused,
        code: "notResumable",
        "The partial file does not belong to this export: its last line is not an object of these types.",
        next: "Give the same types and format as before, or omit --resume to start over."
      )
    }
    return position
  }

  /// Writes the objects after a position.
  ///
  /// - Parameter isBegun: whether the file already has its heading.
  func run(
    after position: Position?,
    isBegun: Bool = false,
    to write: @escaping (Data) throws -> Void
  )
    throws
  {
    let started = ContinuousClock.now
    let lines = ObjectLines(isCSV: isCSV, columns: columns)
    var sink = LineSink(write)
    if let heading = lines.heading, !isBegun { try sink.append(heading) }
    let skips = context.invocation.has("skip-damaged")
    let types = types[(types.firstIndex { $0.name == position?.typeName } ?? 0)...]
    try store.read { snapshot in
      count = 0
      damaged = 0
      // The number of objects is unknown if pages are damaged.
      let total: Int? = try skips ? nil : types.reduce(0) { $0 + (try snapshot.count(of: $1.name)) }
      var progress = context.progress("Exporting", total: total)
      defer { progress?.finish() }
      for type in types {
        let after = type.name == position?.typeName ? position?.key : nil
        func write(_ object: DynamicObject) throws {
          try sink.append { try lines.append(object, typeName: isTyped ? type.name : nil, to: &$0) }
          count += 1
          if count & 0x3FF == 0 { progress?.update(completed: count, elapsed: .now - started) }
        }
        guard skips else {
          try snapshot.forEach(ofType: type.name, after: after, write)
          continue
        }
        try snapshot.forEachReadable(ofType: type.name, after: after, write) { damage, error in
          self.note(damage, error, type.name)
        }
      }
    }
    try sink.flush()
  }

  private func note(_ damage: DynamicDamage, _ error: FiefError, _ typeName: String) {
    damaged += 1
    let place =
      switch damage {
      case .object(let key): "\(typeName) \(key)"
      case .pages(nil, nil): "all of \(typeName)"
      case .pages(let after?, nil): "\(typeName) after \(after)"
      case .pages(nil, let before?): "\(typeName) before \(before)"
      case .pages(let after?, let before?): "\(typeName) between \(after) and \(before)"
      }
    context.io.error.line(Format.printable("skipped \(place): \(error.message)"))
  }

  func summary(_ path: String) -> JSONValue {
    [
      "file": .string(path), "objects": .count(count), "objectsBefore": .count(earlier),
      "damaged": .count(damaged),
    ]
  }
}

extension ContinuousClock.Instant {
  fileprivate static func - (first: ContinuousClock.Instant, second: ContinuousClock.Instant) -> Duration {
    second.duration(to: first)
  }
}
