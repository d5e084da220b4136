import Fief

/// The state of an observed place, without its values.
struct ObservedNode: Sendable, Equatable {
  /// A child that an observation follows.
  struct Child: Sendable, Equatable {
    let name: ExactText
    /// The hash of the value; `nil` if changes of values are not reported.
    var value: ValueHash?
    /// The hash of the value by which a query orders its children, which differs after a move.
    var order: ValueHash?
  }

  /// The children in their order; empty if the observation follows no children.
  var children: [Child] = []
  /// The hash of the value; `nil` if the observation does not follow it.
  var value: ValueHash?
}

/// A step from one state of a place to another one, in the form of an event.
enum ObservedStep: Equatable {
  case removed(ExactText)
  /// A child that follows the child `after`; `nil` if it is the first one.
  case added(ExactText, after: ExactText?)
  case moved(ExactText, after: ExactText?)
  case changed(ExactText, after: ExactText?)
  case value

  /// The child of the step; `nil` for the value.
  var child: ExactText? {
    switch self {
    case .removed(let name), .added(let name, _), .moved(let name, _), .changed(let name, _): name
    case .value: nil
    }
  }

  /// The kind of the event.
  var kind: TreeEvents {
    switch self {
    case .removed: .childRemoved
    case .added: .childAdded
    case .moved: .childMoved
    case .changed: .childChanged
    case .value: .value
    }
  }
}

extension ObservedNode {
  /// Returns the steps from a former state to this one: removed children in their former order, then added,
  /// moved and changed ones in the present order, then the value.
  func steps(from former: ObservedNode) -> [ObservedStep] {
    let (old, new) = Self.withoutCommonEnds(former.children, children)
    var known: [ExactText: Child] = [:]
    for child in old { known[child.name] = child }
    var added: [ObservedStep] = []
    var moved: [ObservedStep] = []
    var changed: [ObservedStep] = []
    for index in new.indices {
      let child = new[index]
      let after = index == 0 ? nil : children[index - 1].name
      guard let old = known.removeValue(forKey: child.name) else {
        added.append(.added(child.name, after: after))
        continue
      }
      if old.order != child.order { moved.append(.moved(child.name, after: after)) }
      if old.order != child.order || old.value != child.value {
        changed.append(.changed(child.name, after: after))
      }
    }
    let removed = old.compactMap { known[$0.name] == nil ? nil : ObservedStep.removed($0.name) }
    return removed + added + moved + changed + (former.value == value ? [] : [.value])
  }

  /// Returns the children without those at the beginning and at the end that are the same. After most commits
  /// few children are left, however many there are.
  private static func withoutCommonEnds(_ old: [Child], _ new: [Child]) -> (
    ArraySlice<Child>, ArraySlice<Child>
  ) {
    var start = 0
    let shorter = min(old.count, new.count)
    while start < shorter, old[start] == new[start] { start += 1 }
    var common = 0
    while common < shorter - start, old[old.count - 1 - common] == new[new.count - 1 - common] { common += 1 }
    return (old[start..<(old.count - common)], new[start..<(new.count - common)])
  }
}
