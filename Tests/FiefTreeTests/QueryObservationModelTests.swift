import Fief
import FiefTesting
import FiefTreeTestKit
import TestEffort
import Testing

@testable import FiefTree

/// Random writes with observations of random queries. After each commit, the events are exactly the differences
/// between two results of the model.
struct QueryObservationModelTests {
  private static let seeds = Array(1...UInt64(TestEffort.count(2, more: 5)))

  private struct Observation {
    let query: QueryModel
    let isGroup: Bool
    let events: ObservedEvents
    let token: NotificationToken
    var result: [QueryModel.Child]?
  }

  @Test(.timeLimit(.minutes(20)), arguments: StoreKind.allCases, seeds)
  func eventsAreTheDifferences(_ kind: StoreKind, _ seed: UInt64) async throws {
    var random = SeededRandom(state: seed)
    let chat = try TreeFixture(kind)
    let names = (0..<6).map { _ in RandomNames.name(using: &random) }
    let values = RandomValues.leaves(using: &random)
    let orders: [QueryModel.Order] = [.value, .child([names[0]]), .child([names[0], names[1]])]
    let group = names[2]
    var rules = AccessRules()
    for order in orders {
      if seed % 2 == 0 { rules = try rules.index("$a", on: order.indexText) }
      rules = try rules.group(group, on: order.indexText)
    }
    let tree = JSONTree(in: chat.store, rules: rules)
    try await tree.origin.waitForIndexes()
    var observations: [Observation] = []
    for number in 0..<12 {
      var query = QueryModel.random(names, values, orders: orders, using: &random)
      let isGroup = number % 4 == 3
      if isGroup, query.order == nil { query.order = .value }
      let source = isGroup ? try tree.group(group) : try tree.reference("r").query
      let noted = ObservedEvents()
      let token = try query.query(of: source).observe([.children, .value], onError: { noted.note($0) }) {
        noted.note($0)
      }
      observations.append(Observation(query: query, isGroup: isGroup, events: noted, token: token))
    }
    var model = TreeModel()
    for step in 0..<60 {
      if step > 0 { try write(names, values, chat, &model, &random) }
      try chat.deliver()
      for index in observations.indices {
        let observation = observations[index]
        let children =
          observation.isGroup ? model.children(ofNodesNamed: group) : model.children(at: ["r"])
        let result = observation.query.result(of: children)
        let present = Dictionary(children.map { (TreeModel.Path($0.path), $0.value) }) { first, _ in first }
        let expected = Self.lines(from: observation.result, to: result, present, observation.query)
        observations[index].result = result
        let events = observation.events.take()
        let kind = observation.isGroup ? "group" : "place"
        #expect(events == expected, "seed \(seed), step \(step), \(kind): \(observation.query)")
        #expect(observation.events.errors == [])
        if events != expected { return }
      }
    }
  }

  private func write(
    _ names: [String],
    _ values: [JSON],
    _ chat: TreeFixture,
    _ model: inout TreeModel,
    _ random: inout SeededRandom
  ) throws {
    func name() -> String { names.randomElement(using: &random) ?? "a" }
    let path = ["r"] + (0..<Int.random(in: 0...2, using: &random)).map { _ in name() }
    let place = try chat.tree.reference(path.joined(separator: "/"))
    let value = RandomValues.value(names, values, Int.random(in: 0...2, using: &random), &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      try place.removeValueAndWait()
      model.set(.null, at: path)
    case 1..<4:
      var update = FiefTree.JSONObject()
      for _ in 0..<3 { update[name()] = RandomValues.value(names, values, 1, &random) }
      try place.updateChildValuesAndWait(update)
      for (name, value) in update { model.set(value, at: path + [name]) }
    default:
      try place.setValueAndWait(value)
      model.set(value, at: path)
    }
  }

  /// The events of a change of the result, as section 5.6 of the specification states them.
  ///
  /// - Parameters:
  ///   - old: the former result; `nil` before the first delivery.
  ///   - present: the values of all children, by path.
  private static func lines(
    from old: [QueryModel.Child]?,
    to new: [QueryModel.Child],
    _ present: [TreeModel.Path: JSON],
    _ query: QueryModel
  ) -> [String] {
    let former = old ?? []
    func find(_ child: QueryModel.Child, in list: [QueryModel.Child]) -> QueryModel.Child? {
      list.first { TreeModel.Path($0.path) == TreeModel.Path(child.path) }
    }
    func line(_ mark: String, _ index: Int) -> String {
      let after = index == 0 ? "nil" : new[index - 1].path.joined(separator: "/")
      return "\(mark) \(new[index].path.last ?? "") \(new[index].value) after \(after)"
    }
    func isMoved(_ child: QueryModel.Child, from old: QueryModel.Child) -> Bool {
      QueryModel.compare(query.value(of: child), query.value(of: old)) != 0
    }
    var lines = former.filter { find($0, in: new) == nil }.map { child in
      "- \(child.path.last ?? "") \(present[TreeModel.Path(child.path)] ?? .null)"
    }
    var (moved, changed): ([String], [String]) = ([], [])
    for (index, child) in new.enumerated() {
      guard let old = find(child, in: former) else {
        lines.append(line("+", index))
        continue
      }
      if isMoved(child, from: old) { moved.append(line(">", index)) }
      if isMoved(child, from: old) || child.value != old.value { changed.append(line("~", index)) }
    }
    let value = json(new)
    let isNewValue = old.map { json($0) != value } ?? true
    return lines + moved + changed + (isNewValue ? ["value \(value)"] : [])
  }

  private static func json(_ children: [QueryModel.Child]) -> JSON {
    let members = children.map { ($0.path.joined(separator: "/"), $0.value) }
    return members.isEmpty ? .null : .object(FiefTree.JSONObject(members))
  }
}
