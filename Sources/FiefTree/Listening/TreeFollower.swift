import Fief

/// Follows a place, or the children of a query, from one committed state to the next.
struct TreeFollower {
  /// What commits may have changed.
  private enum Touched {
    case everything
    case children(Set<ExactText>)
    /// The children of a group that are at, above or below these places, and any others may be new.
    case places(NotedPlaces)
  }

  var selection: TreeSelection { window.selection }
  /// The place; the root for a group.
  var path: TreePath { window.selection.location }
  private let place: [ExactText]
  private let events: TreeEvents
  /// The children that are followed.
  private let window: ObservedChildren
  /// Whether the value is the value of the place itself, rather than of the window's children.
  private let isWhole: Bool
  private var report = ObservationReport()
  private var hasStarted = false
  /// The values that the last evaluation has read, for the events of the delivery.
  private var values: [ExactText: JSON] = [:]
  private var value: JSON?
  /// The members of the value of a query, in its order.
  private var members: [JSONObject.Member] = []
  /// The size of these values in bytes.
  private var size = 0
  /// The maximum size of the values of a delivery, in bytes.
  private let limit: Int

  /// Whether the children were found without an index although one could have served the query.
  private(set) var isUnindexed = false

  /// - Parameters:
  ///   - window: the children.
  ///   - isWhole: whether the value is the value of the place, rather than of the children.
  ///   - limit: the maximum size of the values of a delivery, in bytes.
  init(
    _ window: ObservedChildren,
    _ events: TreeEvents,
    isWhole: Bool,
    limit: Int = SubtreeReader.largestRead
  ) {
    self.limit = limit
    self.window = window
    self.events = events
    self.isWhole = isWhole
    place = window.selection.location.place
  }

  /// A group has no place, but all places concern it.
  var interest: ObservationInterest {
    // No path has this place, so ending the observations of the root keeps the observations of groups.
    ObservationInterest(places: window.isGroup ? [[ExactText(".")], []] : [place])
  }

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
    if !report.isDue { forgetValues() }
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
    members = []
    size = 0
  }

  /// Returns the state of the place; `nil` if it is the same.
  private mutating func node(_ places: NotedPlaces?, _ nodes: TreeNodes) throws -> ObservedNode? {
    guard let touched = touched(by: places) else { return nil }
    hasStarted = true
    // Values of an earlier state may have changed.
    forgetValues()
    if isWhole, events.contains(.value) { return try whole(in: nodes) }
    var node = ObservedNode(children: try children(touched, nodes))
    if events.contains(.value) {
      members = try node.children.map { child in
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
    if window.isGroup { return places.isEmpty ? nil : .places(places) }
    var names: Set<ExactText> = []
    for written in places {
      if place.starts(with: written) { return .everything }
      if written.starts(with: place) { names.insert(written[place.count]) }
    }
    return names.isEmpty ? nil : .children(names)
  }

  /// Reads the whole value, from which the children follow.
  private mutating func whole(in nodes: TreeNodes) throws -> ObservedNode {
    let value = try read(TreePlace(path), nodes)
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
    let isTouched: (ExactText) -> Bool
    switch touched {
    case .everything: isTouched = { _ in true }
    case .children(let names):
      // If many children have changed, or in a window, they are listed again.
      if !window.isLimited, names.count < 16 || names.count < known.count / searches(in: known.count) {
        return try updated(known, names, nodes)
      }
      isTouched = { names.contains($0) }
    case .places(let places):
      isTouched = { [window] name in
        let place = window.location(of: name).place
        return places.contains { place.starts(with: $0) || $0.starts(with: place) }
      }
    }
    var (same, former): ([ExactText: ObservedNode.Child], [ExactText: ObservedNode.Child]) = ([:], [:])
    for child in known {
      if isTouched(child.name) { former[child.name] = child } else { same[child.name] = child }
    }
    let present = try window.window(in: nodes)
    isUnindexed = present.isUnindexed
    return try present.entries().map { entry in
      let key = ExactText(entry.key)
      return try same[key] ?? child(entry, after: former[key], nodes)
    }
  }

  /// The number of searches that finding the place of a child in a list takes, at least 2.
  private func searches(in count: Int) -> Int {
    // Positions by name need no search. Other ones are found by a binary search, with two searches each time.
    window.isByName ? 2 : 2 * (Int.bitWidth - count.leadingZeroBitCount + 1)
  }

  /// Returns children with the present states of some of them.
  private mutating func updated(
    _ known: [ObservedNode.Child],
    _ names: Set<ExactText>,
    _ nodes: TreeNodes
  ) throws -> [ObservedNode.Child] {
    let present = try window.window(in: nodes)
    let entries = try names.compactMap { try present.entry(ofKey: $0.text) }
      .sorted { $0.sortKey < $1.sortKey }
    var same: [ObservedNode.Child] = []
    same.reserveCapacity(known.count)
    var former: [ExactText: ObservedNode.Child] = [:]
    for child in known {
      if names.contains(child.name) { former[child.name] = child } else { same.append(child) }
    }
    var children: [ObservedNode.Child] = []
    children.reserveCapacity(same.count + entries.count)
    var start = 0
    for entry in entries {
      let end = try index(of: entry.sortKey, in: same, from: start, present)
      children += same[start..<end]
      children.append(try child(entry, after: former[ExactText(entry.key)], nodes))
      start = end
    }
    children += same[start...]
    return children
  }

  /// Returns the index at which a child is to be inserted. No other child may have changed since the children
  /// were listed.
  private func index(
    of sortKey: TreeSortKey,
    in children: [ObservedNode.Child],
    from start: Int,
    _ present: TreeWindow
  ) throws -> Int {
    var (low, high) = (start, children.count)
    while low < high {
      let middle = (low + high) / 2
      let other = try window.sortKey(ofKnown: children[middle].name, in: present)
      if let other, other < sortKey { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the present state of a child. Its value is kept if it is to be delivered.
  ///
  /// - Parameter former: the state of the child in the last evaluation; `nil` if it was no child.
  private mutating func child(
    _ entry: TreeSelection.Entry,
    after former: ObservedNode.Child?,
    _ nodes: TreeNodes
  ) throws -> ObservedNode.Child {
    let key = ExactText(entry.key)
    var child = ObservedNode.Child(name: key)
    if !window.isByName { child.order = ValueHash(entry.sortKey.bytes) }
    guard events.contains(.childChanged) else { return child }
    var reader = SubtreeReader(nodes, limit: limit)
    let value = try reader.value(at: TreePlace(window.location(of: key)))
    child.value = ValueHash(value)
    let isDelivered = former.map { $0 != child } ?? events.contains(.childAdded)
    guard isDelivered || events.contains(.value) else { return child }
    size += reader.size
    if size > limit {
      throw FiefError(
        .valueTooLarge,
        "The values of one delivery are larger than \(limit) bytes: observe less, or no values.",
        store: nodes.storeName
      )
    }
    values[key] = value
    return child
  }

  private mutating func read(_ key: ExactText, _ nodes: TreeNodes) throws -> JSON {
    try read(TreePlace(window.location(of: key)), nodes)
  }

  /// - Throws: `FiefError` of code `valueTooLarge` if the values of the next delivery are too large.
  private mutating func read(_ place: TreePlace, _ nodes: TreeNodes) throws -> JSON {
    var reader = SubtreeReader(nodes, limit: limit, size: size)
    defer { size = reader.size }
    return try reader.value(at: place)
  }

  private mutating func value(of name: ExactText, _ nodes: TreeNodes) throws -> JSON {
    if let known = values[name] { return known }
    let value = try read(name, nodes)
    values[name] = value
    return value
  }

  // MARK: Reporting

  /// A step with its value, which belongs to the newest state.
  struct Event {
    let step: ObservedStep
    let json: JSON
    /// The place of the value.
    let path: TreePath
    /// The members of the value of a query, in its order; `nil` for other values.
    var members: [JSONObject.Member]?
    /// Whether the names of the members are paths.
    var isGroup = false
  }

  /// Returns the events of the next delivery.
  ///
  /// - Parameters:
  ///   - nodes: the newest state, in whose scope the delivered values are counted as reads.
  ///   - mayRead: returns whether the event of a child that has left a query may have the child's value.
  mutating func takeEvents(
    in nodes: TreeNodes,
    _ mayRead: (TreePath) throws -> Bool = { _ in true }
  ) throws -> [Event] {
    defer { forgetValues() }
    let steps = report.take().filter { events.contains($0.kind) }
    return try steps.map { step in
      guard let key = step.child else {
        var event = Event(step: step, json: nodes.counted(value ?? .null), path: path)
        if !isWhole { (event.members, event.isGroup) = (members, window.isGroup) }
        return event
      }
      var json: JSON = .null
      if case .removed = step {
        // A child that has left a window may still exist.
        if !isWhole, try mayRead(window.location(of: key)) { json = try read(key, nodes) }
      } else {
        let known = values[key] ?? (isWhole ? value?[key.text] : nil)
        json = try known.map { nodes.counted($0) } ?? read(key, nodes)
      }
      return Event(step: step, json: json, path: window.location(of: key))
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
