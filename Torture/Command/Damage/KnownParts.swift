import FiefTorture

/// The lines of right answers, by question: what a damaged store may show, be it at another place.
struct KnownParts {
  private var parts: [String: Set<Substring>] = [:]

  mutating func add(_ question: String, _ answer: StoreReadings.Answer) {
    guard case .text(let text) = answer else { return }
    parts[question, default: []].formUnion(text.split(separator: "\n"))
  }

  /// The first line of an answer that no state of the healthy store has. Numbers, which begin with #, are none: they follow from
  /// the objects that are found.
  func firstUnknown(in text: String, of question: String) -> Substring? {
    guard let known = parts[question] else { return nil }
    return text.split(separator: "\n").first { !$0.hasPrefix("#") && !known.contains($0) }
  }
}
