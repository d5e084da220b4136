import Fief
import FiefStress
import Testing

/// Compares stores with what their writers reported.
struct StressVerifier {
  let stores: StressRepositories

  /// Everything that does not agree, in words.
  ///
  /// - Parameters:
  ///   - outcome: the reported events.
  ///   - isExact: whether there may be nothing that was not reported; a killed writer may have done more
  ///     than it could say.
  func problems(_ outcome: StressOutcome, isExact: Bool) throws -> [String] {
    var problems = outcome.wrong
    for repository in stores.all {
      if let error = repository.store().openingError { return ["\(repository.domain): \(error)"] }
      problems += try repository.check().problems.map { "\(repository.domain): \($0)" }
    }
    for id in outcome.saved {
      let unit = StressUnit(id)
      let object = unit.find(in: stores)
      if outcome.deleted.contains(id) {
        if object != nil { problems.append("unit \(id) was deleted and is there") }
      } else if let object {
        if let problem = unit.problem(of: object) { problems.append(problem) }
      } else if !outcome.deleting.contains(id) {
        problems.append("unit \(id) was reported as saved and is lost")
      }
    }
    for (task, value) in outcome.counters {
      let name = StressWorkload.counterName(task)
      let found = stores.auth.object(ofType: StressUser.self, forPrimaryKey: name)?.visits ?? 0
      if isExact ? found != value : !(value...value + 1).contains(found) {
        problems.append("counter \(task) was reported as \(value) and is \(found)")
      }
    }
    try stores.auth.read { snapshot in
      for user in snapshot.objects(StressUser.self) where user.email == "ghost" {
        problems.append("\(user.name) was refused and is there")
      }
    }
    return problems + (isExact ? try countProblems(outcome) : try partialUnits())
  }

  /// The number of objects of each type, from the reports alone.
  private func countProblems(_ outcome: StressOutcome) throws -> [String] {
    func count(_ domain: StressDomain) -> (saved: Int, left: Int) {
      let saved = outcome.saved.filter { StressUnit($0).domain == domain }
      return (saved.count, saved.count - saved.count { outcome.deleted.contains($0) })
    }
    let expected = [
      "users": count(.auth).left + outcome.counters.count + 1, "sessions": count(.auth).saved,
      "people": count(.pets).left, "dogs": 2 * count(.pets).saved,
      "orders": count(.payments).left, "entries": count(.payments).saved,
    ]
    let found = [
      "users": try stores.auth.count(StressUser.self), "sessions": try stores.auth.count(StressSession.self),
      "people": try stores.pets.count(StressPerson.self), "dogs": try stores.pets.count(StressDog.self),
      "orders": try stores.payments.count(StressOrder.self),
      "entries": try stores.payments.count(StressEntry.self),
    ]
    return expected == found ? [] : ["counts are \(found), not \(expected)"]
  }

  /// Units that are there in part: each save was of all its objects or of none.
  private func partialUnits() throws -> [String] {
    var problems: [String] = []
    try stores.auth.read { snapshot in
      for user in snapshot.objects(StressUser.self) {
        guard let id = Int(user.name.split(separator: "-").last ?? ""), user.name.hasPrefix("user-") else {
          continue
        }
        if let problem = StressUnit(id).problem(of: user) { problems.append(problem) }
      }
    }
    try stores.pets.read { snapshot in
      for person in snapshot.objects(StressPerson.self) {
        if let problem = StressUnit(person.id).problem(of: person) { problems.append(problem) }
      }
    }
    try stores.payments.read { snapshot in
      for order in snapshot.objects(StressOrder.self) {
        if let problem = StressUnit(order.id).problem(of: order) { problems.append(problem) }
      }
    }
    return problems
  }
}
