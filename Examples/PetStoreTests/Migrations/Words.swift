import Foundation
import Testing

/// The words of tests about objects.
enum Words {
  /// The number of a fixture's identifier.
  static func number(_ id: UUID?) -> String { id.map { "\($0.uuid.15)" } ?? "-" }

  /// Seconds since the day of the fixtures.
  static func seconds(_ date: Date?) -> String {
    date.map { "\($0.timeIntervalSince1970 - 1_704_067_200)" } ?? "-"
  }

  /// A text, or the beginning of a long one and its length.
  static func text(_ text: String?) -> String {
    guard let text else { return "-" }
    return text.count <= 40 ? "'\(text)'" : "'\(text.prefix(8))'…\(text.count)"
  }

  /// Names in brackets.
  static func list(_ names: some Sequence<String>) -> String { "[" + names.joined(separator: " ") + "]" }

  /// Expects lines in their order, and says which ones differ.
  static func expect(
    _ lines: [String],
    _ expected: [String],
    at location: SourceLocation = #_sourceLocation
  ) {
    for change in lines.difference(from: expected) {
      switch change {
      case .insert(_, let line, _): Issue.record("not expected: \(line)", sourceLocation: location)
      case .remove(_, let line, _): Issue.record("missing: \(line)", sourceLocation: location)
      }
    }
  }
}
