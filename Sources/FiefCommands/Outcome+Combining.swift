import Fief
import FiefConsole

extension MigrationRunner.Outcome {
  /// The name of the outcome in documents.
  var name: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .nothingToDo: "nothingToDo"
    case .refused: "refused"
    case .damaged: "damaged"
    case .usage: "usage"
    }
  }

  /// The severity of the outcome, by which outcomes are compared.
  private var rank: Int {
    switch self {
    case .nothingToDo: 0
    case .done: 1
    case .refused: 2
    case .failed: 3
    case .damaged: 4
    case .usage: 5
    }
  }

  /// Returns the worst of several outcomes, or `nothingToDo` if there are none.
  static func worst(of outcomes: [Self]) -> Self {
    outcomes.max { $0.rank < $1.rank } ?? .nothingToDo
  }

  /// Creates the outcome for a reported error.
  init(_ kind: ErrorAdvice.Kind) {
    switch kind {
    case .failed: self = .failed
    case .refused, .notFound: self = .refused
    case .damaged: self = .damaged
    }
  }

  /// The style of a table row with this outcome on a terminal.
  var style: Console.Style? {
    switch self {
    case .done, .nothingToDo: nil
    case .refused: .yellow
    case .failed, .damaged, .usage: .red
    }
  }
}
