import Fief
import FiefTesting
import FiefTree
import TestEffort
import Testing

/// Random writes with observations at random places. Each replays its events into a copy, which equals the
/// model after each delivery.
struct ObservationModelTests {
  private static let seeds = Array(1...UInt64(TestEffort.count(2, more: 5)))

  /// The copy that an observation keeps from its events.
  private final class Copy: Sendable {
    private struct State {
      var value: JSON?
      var children = FiefTree.JSONObject()
      var problems: [String] = []
      var calls = 0
    }

    private let state = Lock(State())
    let path: [String]
    let events: TreeEvents

    init(_ path: [String], _ events: TreeEvents) {
      self.path = path
      self.events = events
    }

    func apply(_ event: TreeEvent) {
      state.withLock { state in
        state.calls += 1
        switch event {
        case .value(let snapshot):
          if let value = state.value, value == snapshot.json {
            state.problems.append("the value is the same")
          }
          state.value = snapshot.json
        case .childAdded(let child, _):
          let key = child.key ?? ""
          if state.children.contains(name: key) { state.problems.append("\(key) is added twice") }
          state.children[key] = child.json
        case .childChanged(let child, _), .childMoved(let child, _):
          let key = child.key ?? ""
          if !state.children.contains(name: key) { state.problems.append("\(key) is changed but unknown") }
          if state.children[key] == child.json { state.problems.append("\(key) is the same") }
          state.children[key] = child.json
        case .childRemoved(let child):
          if child.exists { state.problems.append("a removed child exists") }
          if state.children.removeValue(forName: child.key ?? "") == nil {
            state.problems.append("removed twice")
          }
        }
      }
    }

    func problems(comparedWith model: TreeModel) -> [String] {
      state.withLock { state in
        var problems = state.problems
        let value = model.value(at: path)
        if events.contains(.value), state.value != value { problems.append("the value is \(value)") }
        if events.contains(.children), state.children != value.object ?? [:] {
          problems.append("the children are \(value)")
        }
        return problems
      }
    }

    var calls: Int { state.withLock { $0.calls } }
  }

  @Test(.timeLimit(.minutes(20)), arguments: StoreKind.allCases, seeds)
  func copiesEqualTheModel(_ kind: StoreKind, _ seed: UInt64) async throws {
    var random = SeededRandom(state: seed)
    let chat = try TreeFixture(kind)
    var model = TreeModel()
    let names = (0..<8).map { _ in RandomNames.name(using: &random) }
    func path(_ counts: ClosedRange<Int>) -> [String] {
      (0..<Int.random(in: counts, using: &random)).map { _ in names.randomElement(using: &random) ?? "a" }
    }
    var observations: [(copy: Copy, token: NotificationToken)] = []
    for step in 0..<300 {
      if observations.count < 20, step % 5 == 0 {
        let events =
          [TreeEvents.value, .children, [.value, .children]].randomElement(using: &random) ?? .value
        let copy = Copy(path(0...3), events)
        let place = try chat.tree.reference(copy.path.joined(separator: "/"))
        observations.append((copy, place.observe(events) { copy.apply($0) }))
      }
      if step % 23 == 22 {
        let index = Int.random(in: 0..<observations.count, using: &random)
        observations.remove(at: index).token.invalidate()
      }
      let place = path(0...4)
      let value = try write(place, names, chat, &random)
      model.set(value, at: place)
      // Sometimes several commits are delivered together.
      if Bool.random(using: &random) { continue }
      try chat.deliver()
      for (copy, _) in observations {
        let problems = copy.problems(comparedWith: model)
        #expect(problems == [], "seed \(seed), step \(step), /\(copy.path.joined(separator: "/"))")
        if !problems.isEmpty { return }
      }
    }
  }

  private func write(
    _ path: [String],
    _ names: [String],
    _ chat: TreeFixture,
    _ random: inout SeededRandom
  ) throws -> JSON {
    let value: JSON
    switch Int.random(in: 0..<4, using: &random) {
    case 0: value = .null
    case 1: value = .int(Int64.random(in: 0...2, using: &random))
    case 2:
      value = .object(FiefTree.JSONObject(names.prefix(3).map { ($0, .bool(Bool.random(using: &random))) }))
    default: value = [names[0]: [names[1]: .int(Int64.random(in: 0...2, using: &random))]]
    }
    let place = try chat.tree.reference(path.joined(separator: "/"))
    if Bool.random(using: &random) {
      try place.setValueAndWait(value)
    } else {
      try chat.store.write { try chat.tree.in($0).setValue(value, at: place) }
    }
    return value
  }
}
