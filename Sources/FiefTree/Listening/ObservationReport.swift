import Fief

/// A state machine that decides which events an observation of a place delivers: the net difference between
/// the state of the last delivery and the newest one.
struct ObservationReport {
  private struct States {
    var newest = ObservedNode()
    /// The state of the last delivery; `nil` before the first one.
    var delivered: ObservedNode?
  }

  private var states = States()
  /// The states before the last silent write.
  private var former: States?

  /// The newest state.
  var newest: ObservedNode { states.newest }

  /// Whether a delivery has something to report. The first one always has.
  var isDue: Bool { states.delivered != states.newest }

  /// Takes a new state.
  mutating func advance(to node: ObservedNode) {
    states.newest = node
    former = nil
  }

  /// Takes the state after a write whose changes are not reported. Earlier changes are still reported.
  mutating func advanceSilently(to node: ObservedNode) {
    former = states
    states.delivered?.skip(from: states.newest, to: node)
    states.newest = node
  }

  /// Makes the last silent write permanent: it was committed.
  mutating func settle() { former = nil }

  /// Undoes the last ``advanceSilently(to:)``, whose write was rolled back.
  mutating func undo() {
    if let former { states = former }
    former = nil
  }

  /// Returns the steps of the next delivery, after which the newest state is delivered. The first delivery adds
  /// all children, and reports the value in any case.
  mutating func take() -> [ObservedStep] {
    let steps = states.newest.steps(from: states.delivered ?? ObservedNode())
    states.delivered = states.newest
    former = nil
    return steps
  }
}

extension ObservedNode {
  /// Makes the changes between two later states in this one, so that they are no difference.
  fileprivate mutating func skip(from old: ObservedNode, to new: ObservedNode) {
    if self == old { return self = new }
    if value == old.value { value = new.value }
    let names = Set(new.steps(from: old).compactMap(\.child))
    if names.isEmpty { return }
    let kept = children.filter { !names.contains($0.name) }
    let indexes = Dictionary(kept.indices.map { (kept[$0].name, $0) }) { first, _ in first }
    // Each child is put behind the last of its former siblings that is here.
    var inserted: [Int: [Child]] = [:]
    var place = 0
    for child in new.children {
      if names.contains(child.name) {
        inserted[place, default: []].append(child)
      } else if let index = indexes[child.name] {
        place = index + 1
      }
    }
    children = (0...kept.count).flatMap { index in
      (inserted[index] ?? []) + (index < kept.count ? [kept[index]] : [])
    }
  }
}
