import Foundation

/// A command, its options of the form `--name value`, and the rest.
struct Arguments: Sendable {
  let command: String
  private(set) var rest: [String] = []
  private var options: [String: String] = [:]

  init(_ words: some Sequence<String>) {
    var words = Array(words)[...]
    command = words.popFirst() ?? ""
    while let word = words.popFirst() {
      if word.hasPrefix("--") {
        options[String(word.dropFirst(2))] = words.popFirst()
      } else {
        rest.append(word)
      }
    }
  }

  func text(_ name: String) -> String? { options[name] }
  func number(_ name: String) -> Int? { options[name].flatMap { Int($0) } }
}
