/// An event of a writer's work; one line of text each.
package enum StressEvent: Sendable, Equatable {
  /// The unit's save was reported as done.
  case saved(Int)
  /// The unit's main object is about to be deleted.
  case deleting(Int)
  /// The deletion was reported as done.
  case deleted(Int)
  /// A task's counter was written with this value, and that was reported as done.
  case counted(task: Int, value: Int)
  /// A write that had to fail did so.
  case refused(Int)
  /// Something happened that should not have.
  case wrong(String)

  package var line: String {
    switch self {
    case .saved(let unit): "saved \(unit)\n"
    case .deleting(let unit): "deleting \(unit)\n"
    case .deleted(let unit): "deleted \(unit)\n"
    case .counted(let task, let value): "counted \(task) \(value)\n"
    case .refused(let unit): "refused \(unit)\n"
    case .wrong(let text): "wrong \(text.replacing("\n", with: " "))\n"
    }
  }

  package init?(line: some StringProtocol) {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    let numbers = words[1].split(separator: " ").compactMap { Int($0) }
    switch (words[0], numbers.count) {
    case ("saved", 1): self = .saved(numbers[0])
    case ("deleting", 1): self = .deleting(numbers[0])
    case ("deleted", 1): self = .deleted(numbers[0])
    case ("counted", 2): self = .counted(task: numbers[0], value: numbers[1])
    case ("refused", 1): self = .refused(numbers[0])
    case ("wrong", _): self = .wrong(String(words[1]))
    default: return nil
    }
  }
}

/// The sum of the events of a writer.
package struct StressOutcome: Sendable, Equatable {
  package var saved: Set<Int> = []
  package var deleting: Set<Int> = []
  package var deleted: Set<Int> = []
  package var counters: [Int: Int] = [:]
  package var refusals = 0
  package var wrong: [String] = []

  package init() {}

  package mutating func add(_ event: StressEvent) {
    switch event {
    case .saved(let unit): saved.insert(unit)
    case .deleting(let unit): deleting.insert(unit)
    case .deleted(let unit): deleted.insert(unit)
    case .counted(let task, let value): counters[task] = value
    case .refused: refusals += 1
    case .wrong(let text): wrong.append(text)
    }
  }
}
