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
      lines.append("\(held / 1024) KiB of \(size / 1024) KiB cannot be reused until it ends")
      lines.append("Keep each read { } short; divide long reads into parts.")
    }
    if case .droppedValues(_, let values) = event { lines.append(values.description) }
    if case .publicAccess(_, let date) = event {
      lines.append("until: \(DateText.text(date))")
      lines.append("Declare access rules, or use .signedIn or .locked, before others can reach the store.")
    }
    if case .unindexedTreeQuery(_, let query) = event { lines.append(query.description) }
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
        "Reported once; StoreOptions.eventHandler receives every event, and eventOutput = .silent stops this."
      ]
    let lines = ([text] + (details + note).map { "  " + $0 }).map { Self.oneLine($0) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(for event: StoreEvent) -> String {
    switch event {
    case .failedOpening: "the store could not be opened and reads as empty"
    case .failedRead: "a read failed and returned nothing"
    case .failedWrite: "a write failed and stored nothing"
    case .failedCaching: "a cached object could not be refreshed, or expired objects could not be deleted"
    case .indexOutOfBounds:
      "an index is beyond the end of a collection; nothing was read or changed"
    case .unfinishedWrite: "a write to several stores is not finished"
    case .longReader: "a long reader makes the file grow"
    case .misuse: "the library was used incorrectly and did nothing"
    case .compactionFailed:
      "the store could not be compacted before it was opened and is unchanged"
    case .maintenanceFailed: "background maintenance failed"
    case .droppedValues: "a migration dropped values of properties that the classes no longer have"
    case .publicAccess: "the access rules let everyone read and write the whole tree"
    case .unindexedTreeQuery: "a query of a tree reads all children of its place"
    case .opened, .migrating, .migrated, .compacted, .slowQuery, .slowCommit, .closed: ""
    }
  }

  /// Returns a line without characters that would end it or move the cursor.
  private static func oneLine(_ line: String) -> String {
    String(String.UnicodeScalarView(line.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
  }
}
