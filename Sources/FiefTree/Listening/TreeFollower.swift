import Fief

/// Follows a place, or the children of a query, from one committed state to the next.
struct TreeFollower {
  /// What commits may have changed.
  private enum Touched {
    case everything
    case children(Set<ExactText>)
  }

  let path: TreePath
  private let place: [ExactText]
  private let events: TreeEvents
  /// The children that are followed.
  private let window: any ChildWindow
  /// Whether the value is the value of the place itself, rather than of the window's children.
  private let isWhole: Bool
  private var report = ObservationReport()
  private var hasStarted = false
  /// The values that were read since the last delivery, for its events.
  private var values: [ExactText: JSON] = [:]
  private var value: JSON?

  /// - Parameter window: the children; `nil` for all children of the place.
  init(_ path: TreePath, _ events: TreeEvents, window: (any ChildWindow)? = nil) {
    self.path = path
    place = path.place
    self.events = events
    self.window = window ?? AllChildren(path: path)
    isWhole = window == nil
  }

  var interest: ObservationInterest { ObservationInterest(places: [place]) }

  private var followsChildren: Bool { !events.isDisjoint(with: .children) }

  // MARK: Advancing

  /// Advances to a later state.
  ///
  /// - Parameter places: the places that were written since; `nil` if they are unknown.
  /// - Returns: whether there is something to report.
  mutating func advance(_ places: NotedPlaces?, to nodes: TreeNodes) throws -> Bool {
    report.settle()
    if let node = try node(places, nodes) { report.advance(to: node) }
    if !report.isDue { forgetValues() }
    return report.isDue
  }

  /// Advances to the state of a write whose changes are not reported.
  mutating func advanceSilently(_ places: NotedPlaces?, to nodes: TreeNodes) throws -> Bool {
    if let node = try node(places, nodes) { report.advanceSilently(to: node) }
    return report.isDue
  }

  /// Undoes the last ``advanceSilently(_:to:)``.
  mutating func undo() {
    report.undo()
    forgetValues()
  }

  private mutating func forgetValues() {
    values = [:]
    value = nil
  }

  /// Returns the state of the place; `nil` if it is the same.
  private mutating func node(_ places: NotedPlaces?, _ nodes: TreeNodes) throws -> ObservedNode? {
    guard let touched = touched(by: places) else { return nil }
    hasStarted = true
    if isWhole, events.contains(.value) { return try whole(in: nodes) }
    var node = ObservedNode(children: try children(touched, nodes))
    if events.contains(.value) {
      let members = try node.children.map { child in
        JSONObject.Member(name: child.name.text, value: try value(of: child.name, nodes))
      }
      let object = JSONObject(members.map { ($0.name, $0.value) })
      value = object.isEmpty ? .null : .object(object)
      node.value = value.map { ValueHash($0) }
    }
    return node
  }

  private func touched(by places: NotedPlaces?) -> Touched? {
    guard hasStarted, let places else { return .everything }
    var names: Set<ExactText> = []
    for written in places {
      if place.starts(with: written) { return .everything }
      if written.starts(with: place) { names.insert(written[place.count]) }
    }
    return names.isEmpty ? nil : .children(names)
  }

  /// Reads the whole value, from which the children follow.
  private mutating func whole(in nodes: TreeNodes) throws -> ObservedNode {
    var reader = SubtreeReader(nodes)
    let value = try reader.value(at: TreePlace(path))
    self.value = value
    var node = ObservedNode(value: ValueHash(value))
    if followsChildren {
      node.children = (value.object?.members ?? []).map { member in
        ObservedNode.Child(name: ExactText(member.name), value: ValueHash(member.value))
      }
    }
    return node
  }

  // MARK: Children

  private mutating func children(_ touched: Touched, _ nodes: TreeNodes) throws -> [ObservedNode.Child] {
    let known = report.newest.children
    guard case .children(let names) = touched else {
      return try window.children(in: nodes).map { try child($0, nodes) }
    }
    // A few children are put into their places. More of them, or a window, are listed again.
    if !window.isLimited, names.count < 16 || names.count < known.count / 16 {
      return try updated(known, names, nodes)
    }
    var same: [ExactText: ObservedNode.Child] = [:]
    for child in known where !names.contains(child.name) { same[child.name] = child }
    return try window.children(in: nodes).map { try same[$0.name] ?? child($0, nodes) }
  }

  /// Returns children with the present states of a few of them.
  private mutating func updated(
    _ known: [ObservedNode.Child],
    _ names: Set<ExactText>,
    _ nodes: TreeNodes
  ) throws -> [ObservedNode.Child] {
    var children = known
    for name in names {
      if let index = try index(of: name, in: children, nodes) { children.remove(at: index) }
    }
    for name in names {
      guard let listed = try window.child(name, in: nodes) else { continue }
      let index = try place(of: listed, in: children, nodes)
      children.insert(try child(listed, nodes), at: index)
    }
    return children
  }

  private func index(of name: ExactText, in children: [ObservedNode.Child], _ nodes: TreeNodes) throws -> Int?
  {
    guard window.isByName else { return children.firstIndex { $0.name == name } }
    let index = try place(of: ListedChild(name: name), in: children, nodes)
    return index < children.count && children[index].name == name ? index : nil
  }

  /// Returns the index at which a child is, or would be inserted. Only `listed` may have changed since the
  /// children were listed.
  private func place(of listed: ListedChild, in children: [ObservedNode.Child], _ nodes: TreeNodes) throws
    -> Int
  {
    var (low, high) = (0, children.count)
    while low < high {
      let middle = (low + high) / 2
      var other: ListedChild? = ListedChild(name: children[middle].name)
      if !window.isByName { other = try window.child(children[middle].name, in: nodes) }
      if let other, window.precedes(other, listed) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func child(_ listed: ListedChild, _ nodes: TreeNodes) throws -> ObservedNode.Child {
    var child = ObservedNode.Child(name: listed.name, order: listed.order.map { ValueHash($0) })
    if events.contains(.childChanged) {
      let value = try read(listed.name, nodes)
      values[listed.name] = value
      child.value = ValueHash(value)
    }
    return child
  }

  private func read(_ name: ExactText, _ nodes: TreeNodes) throws -> JSON {
    var reader = SubtreeReader(nodes)
    return try reader.value(at: TreePlace(path.appending(name.text)))
  }

  private func value(of name: ExactText, _ nodes: TreeNodes) throws -> JSON {
    try values[name] ?? read(name, nodes)
  }

  // MARK: Reporting

  /// Returns the steps of the next delivery with the values of their events, which belong to the newest state.
  ///
  /// - Parameter nodes: the newest state, in whose scope the delivered values are counted as reads.
  mutating func takeEvents(in nodes: TreeNodes) throws -> [(step: ObservedStep, json: JSON)] {
    defer { forgetValues() }
    let steps = report.take().filter { events.contains($0.kind) }
    return try steps.map { step in
      switch step {
      // A child that has left a window may still exist.
      case .removed(let name): (step, isWhole ? .null : try read(name, nodes))
      case .added(let name, _), .moved(let name, _), .changed(let name, _):
        (step, try values[name].map { nodes.counted($0) } ?? read(name, nodes))
      case .value: (step, nodes.counted(value ?? .null))
      }
    }
  }
}

extension TreeNodes {
  /// Counts the leaves of a value that was read before, and returns it.
  fileprivate func counted(_ value: JSON) -> JSON {
    let (leaves, bytes) = value.size
    count(max(leaves, 1), bytes: bytes)
    return value
  }
}

extension JSON {
  /// The number of leaves, and the length of the names and leaves in bytes.
  fileprivate var size: (leaves: Int, bytes: Int) {
    guard let object else { return (1, payloadSize) }
    return object.members.reduce((0, 0)) { sum, member in
      let size = member.value.size
      return (sum.0 + size.leaves, sum.1 + size.bytes + member.name.utf8.count)
    }
  }
}
