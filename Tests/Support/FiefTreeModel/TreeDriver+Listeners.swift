import Fief
import FiefTree

extension TreeDriver {
  /// An observation, and the copy that it keeps.
  struct Listener {
    let copy: ReplayedEvents
    let token: NotificationToken
  }

  /// The most observations of a run.
  private static let most = 8

  /// Observes a query, or a place if there is no query.
  func listen(_ question: TreeQuestion?, _ path: [String], _ events: TreeEvents) throws {
    if question?.isAnswered(by: indexes) == false { return }
    if listeners.count == Self.most { listeners.removeFirst().token.invalidate() }
    let copy = ReplayedEvents(question, path, events)
    listeners.append(Listener(copy: copy, token: try copy.observe(in: tree)))
  }

  func unlisten(_ number: Int) {
    if listeners.isEmpty { return }
    listeners.remove(at: number % listeners.count).token.invalidate()
  }

  /// Begins all observations again after the store was closed, which has ended them.
  func listenAgain() throws {
    let copies = listeners.map(\.copy)
    listeners = []
    for copy in copies { try listen(copy.question, copy.path, copy.events) }
  }

  /// Waits until all commits are delivered, and compares the copies with the model.
  func deliver() throws {
    try repository.store().waitUntilDelivered()
    for copy in listeners.map(\.copy) {
      tally.delivered += 1
      let problems = copy.problems(comparedWith: model)
      if !problems.isEmpty {
        let observed = copy.question.map { "\($0)" } ?? TreeEdit.text(copy.path)
        throw Wrong(description: "an observation of \(observed): \(problems.joined(separator: "; "))")
      }
    }
  }
}
