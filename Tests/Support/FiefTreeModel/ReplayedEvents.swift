import Fief
import FiefTree

/// The copy that an observation of a place or a query keeps from its events.
final class ReplayedEvents: Sendable {
  fileprivate struct State {
    var value: JSON?
    var children = FiefTree.JSONObject()
    /// The names of the children, each after the previous sibling that its event named.
    var order: [[UInt8]] = []
    /// The children that were reported as moved, and not yet as changed.
    var moved: Set<[UInt8]> = []
    var problems: [String] = []
  }

  private let state = Lock(State())
  /// The observed query; `nil` for a place.
  let question: TreeQuestion?
  /// The observed place.
  let path: [String]
  let events: TreeEvents

  /// - Parameter question: the query; `nil` to observe the place.
  init(_ question: TreeQuestion?, _ path: [String], _ events: TreeEvents) {
    self.question = question
    self.path = path
    self.events = events
  }

  func observe(in tree: JSONTree) throws -> NotificationToken {
    if let question {
      return try question.query(in: tree).observe(events, onError: { self.fail($0) }, { self.apply($0) })
    }
    return try tree.reference(path.joined(separator: "/"))
      .observe(events, onError: { self.fail($0) }, { self.apply($0) })
  }

  /// Whether the order of the children is the order of their names or paths. A child then never moves, and an
  /// added child that is put behind its previous sibling is at its place.
  private var isByName: Bool {
    guard let order = question?.query.order else { return true }
    return order == .key
  }

  private func fail(_ error: FiefError) { state.withLock { $0.problems.append("\(error)") } }

  /// Returns the name of a child in the copy: in a group, its path.
  private func name(of child: TreeSnapshot) -> String {
    if case .group? = question?.source { child.reference.path } else { child.key ?? "" }
  }

  private func apply(_ event: TreeEvent) {
    state.withLock { state in
      switch event {
      case .value(let snapshot):
        if state.value == snapshot.json { state.problems.append("the value is the same") }
        state.value = snapshot.json
      case .childAdded(let child, let after):
        let name = name(of: child)
        if state.children.contains(name: name) { state.problems.append("\(name) is added twice") }
        state.children[name] = child.json
        if isByName { state.insert(name, after: after) }
      case .childMoved(let child, let after), .childChanged(let child, let after):
        let name = name(of: child)
        if isByName { state.check(name, after: after) }
        if !state.children.contains(name: name) { state.problems.append("\(name) changes, but is unknown") }
        let isMoved = state.moved.remove(Array(name.utf8)) != nil
        if !isMoved, state.children[name] == child.json { state.problems.append("\(name) is the same") }
        if case .childMoved = event { state.moved.insert(Array(name.utf8)) }
        state.children[name] = child.json
      case .childRemoved(let child):
        let name = name(of: child)
        state.order.removeAll { $0.elementsEqual(name.utf8) }
        // A child that has left the window of a query still exists.
        if question == nil, child.exists { state.problems.append("\(name) is removed, and exists") }
        if state.children.removeValue(forName: name) == nil {
          state.problems.append("\(name) is removed, but is unknown")
        }
      }
    }
  }

  /// Returns the differences between the copy and the model.
  func problems(comparedWith model: TreeModel) -> [String] {
    let value: JSON
    let order: [String]
    if let question {
      let members = question.result(in: model).map { ($0.path.joined(separator: "/"), $0.value) }
      value = members.isEmpty ? .null : .object(FiefTree.JSONObject(members))
      order = members.map { $0.0 }
    } else {
      value = model.value(at: path)
      order = model.keys(at: path)
    }
    return state.withLock { state in
      var problems = state.problems
      if events.contains(.value), state.value != value {
        problems.append("the value is \(state.value ?? "missing"), expected \(value)")
      }
      if events.contains(.children), state.children != value.object ?? [:] {
        problems.append("the children are \(state.children), expected \(value)")
      }
      if events.contains(.children), isByName, state.order != order.map({ Array($0.utf8) }) {
        let names = state.order.map { String(decoding: $0, as: UTF8.self) }
        problems.append("the order is \(names), expected \(order)")
      }
      if events.contains(.children), !state.moved.isEmpty { problems.append("a moved child has not changed") }
      return problems
    }
  }
}

extension ReplayedEvents.State {
  /// Puts a child behind its previous sibling.
  fileprivate mutating func insert(_ name: String, after previous: String?) {
    guard let index = place(after: previous) else {
      return problems.append("\(name) is added after \(previous ?? "nil"), which is unknown")
    }
    order.insert(Array(name.utf8), at: index)
  }

  /// Notes a child that is not behind its previous sibling.
  fileprivate mutating func check(_ name: String, after previous: String?) {
    let index = place(after: previous) ?? order.count
    if index < order.count, order[index].elementsEqual(name.utf8) { return }
    problems.append("\(name) changes after \(previous ?? "nil"), the order is another one")
  }

  /// Returns the index after a child, or `nil` if the child is unknown.
  private func place(after previous: String?) -> Int? {
    guard let previous else { return 0 }
    return order.firstIndex { $0.elementsEqual(previous.utf8) }.map { $0 + 1 }
  }
}
