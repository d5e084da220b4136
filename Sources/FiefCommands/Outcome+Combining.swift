import Fief
import FiefConsole

extension MigrationRunner.Outcome {
  /// The name in documents.
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

  /// The worst of several; nothing to do where there are none.
  static func worst(of outcomes: [Self]) -> Self {
    outcomes.max { $0.rank < $1.rank } ?? .nothingToDo
  }

  /// The outcome of an error that was printed.
  init(_ kind: ErrorAdvice.Kind) {
    switch kind {
    case .failed: self = .failed
    case .refused, .notFound: self = .refused
    case .damaged: self = .damaged
    }
  }

  /// The style of a row with the outcome on a terminal.
  var style: Console.Style? {
    switch self {
    case .done, .nothingToDo: nil
    case .refused: .yellow
    case .failed, .damaged, .usage: .red
    }
  }
}
