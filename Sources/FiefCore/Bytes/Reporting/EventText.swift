/// A failure as readable lines: what happened, where, and what to do.
package struct EventText {
  private let headline: String
  private let details: [String]

  /// Creates the text of an event that is a failure or otherwise worth reporting.
  package init(_ event: StoreEvent) {
    let what = Self.words(for: event)
    let error = event.failure
    let advice = error.map { ErrorAdvice($0, consequence: "") }
    let type = event.type ?? error?.type
    let property = event.property ?? error?.property
    let store = event.store
    headline = "\(store): \(what)" + (advice.map { ": \($0.happened)" } ?? "")
    // The advice refers to the lines below it.
    var lines = [advice?.next].compactMap(\.self)
    if let error { lines.append("code: \(error.code.rawValue)") }
    if let type { lines.append("type: \(type)") }
    if let property { lines.append("property: \(property)") }
    if let path = error?.path { lines.append("path: \(path)") }
    if case .indexOutOfBounds(_, _, let index, let count) = event {
      lines.append("index: \(index), count: \(count)")
    }
    if case .longReader(_, let reader, let held, let size) = event {
      lines.append("reader: \(reader)")
      lines.append("\(held / 1024) KiB of \(size / 1024) KiB cannot be used again before it ends")
      lines.append("Let each read { } end soon; read in parts what takes long.")
    }
    if case .droppedValues(_, let values) = event { lines.append(values.description) }
    lines += (advice?.details ?? []).prefix(20).map { "- \($0)" }
    details = lines
  }

  /// Returns the text with the headline in the first line and the rest indented below it.
  ///
  /// - Parameters:
  ///   - count: the number of times that the event has happened.
  ///   - hasNote: whether to add a line that explains how to receive the events instead.
  package func lines(count: Int = 1, hasNote: Bool = true) -> String {
    var text = "fief: " + headline
    if count > 1 { text += " (\(count) times so far)" }
    let note =
      count > 1 || !hasNote
      ? []
      : [
        "This is said once; StoreOptions.eventHandler gets every such event, and eventOutput = .silent ends it."
      ]
    let lines = ([text] + (details + note).map { "  " + $0 }).map { Self.oneLine($0) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(for event: StoreEvent) -> String {
    switch event {
    case .failedOpening: "the store could not be opened, and reads as empty"
    case .failedRead: "a read failed, and gave nothing"
    case .failedWrite: "a write failed, and nothing of it is in the store"
    case .failedCaching: "a cached object could not be refreshed, or expired ones not be deleted"
    case .indexOutOfBounds:
      "an index is beyond the end of a collection; nothing was read or changed"
    case .unfinishedWrite: "a write to several stores is not finished"
    case .longReader: "a reader lasts so long that the file grows"
    case .misuse: "the library was used in a wrong way, and nothing was done"
    case .compactionFailed:
      "the store could not be compacted before it was opened, and is as it was"
    case .maintenanceFailed: "work that no call waits for has failed"
    case .droppedValues: "a migration has dropped values that the classes have no place for any more"
    case .opened, .migrating, .migrated, .compacted, .slowQuery, .slowCommit, .closed: ""
    }
  }

  /// Returns a line without characters that would end it or move the cursor.
  private static func oneLine(_ line: String) -> String {
    String(String.UnicodeScalarView(line.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
  }
}
