import FiefTorture

/// The lines of right answers about each type: what a damaged store may show, be it at another place.
struct KnownParts {
  private var parts: [Substring: Set<Substring>] = [:]

  /// The type that a question is about. Those of the workload are all about one.
  private static func type(of question: String) -> Substring {
    question.firstIndex(of: ":").map { question[..<$0] } ?? ""
  }

  mutating func add(_ question: String, _ answer: StoreReadings.Answer) {
    guard case .text(let text) = answer else { return }
    parts[Self.type(of: question), default: []].formUnion(text.split(separator: "\n"))
  }

  /// Lines that are right in no answer of a healthy store, and right where objects are missing.
  mutating func add(_ lines: [String]) {
    parts[Self.type(of: ""), default: []].formUnion(lines.map { Substring($0) })
  }

  /// The first line of an answer that no state of the healthy store has. Numbers, which begin with #, are none: they follow from
  /// the objects that are found. Nor is -, an object that is not found.
  func firstUnknown(in text: String, of question: String) -> Substring? {
    guard let known = parts[Self.type(of: question)] else { return nil }
    return text.split(separator: "\n").first { !$0.hasPrefix("#") && $0 != "-" && !known.contains($0) }
  }
}
