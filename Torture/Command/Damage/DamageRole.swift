import FiefTorture
import Foundation

/// A process that damages copies of stores, one after the other, and uses each.
///
/// It prints `round N …` before each, `wrong …` for an answer that is neither right nor an error nor reported where the check finds nothing
/// either, or that has a value which the store never had, and `outcome …` at the end.
protocol DamageRole {
  /// Makes the stores that it damages.
  init(_ directory: String, _ arguments: Arguments) throws

  /// Damages and uses the store of a round.
  func use(_ round: Int, _ seed: Int, isControl: Bool, _ answers: inout AnswerCount) throws
}

extension DamageRole {
  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first else {
      throw BrokenTest(
        "usage: \(arguments.command) DIRECTORY --first N --rounds N --seed N --fixtures DIRECTORY"
      )
    }
    let process = try Self(directory, arguments)
    let (first, rounds, seed) = (
      arguments.number("first") ?? 0, arguments.number("rounds") ?? 1, arguments.number("seed") ?? 0
    )
    var answers = AnswerCount()
    for round in first..<first + rounds {
      alarm(UInt32(ChildRun.hangLimit))
      try process.use(round, seed, isControl: arguments.text("control") == "yes", &answers)
    }
    answers.print()
    say("end")
  }
}
