import Fief

/// The effects of changes of objects, by plain means.
extension GraphModel {
  /// Applies a change to an object, if it is there.
  mutating func apply(_ assignment: GraphAssignment, to ref: GraphRef) {
    guard let old = self[ref] else { return }
    var state = old
    apply(assignment, to: &state, of: ref)
    put(state, ref)
    note(ref, isCertain: state != old)
  }

  /// Makes an object of assignments, or changes the one that is there, as a save with a policy does.
  mutating func create(_ ref: GraphRef, _ assignments: [GraphAssignment], _ policy: UpdatePolicy) -> Outcome {
    let isThere = exists(ref)
    if isThere, policy == .error { return .duplicateKey }
    pending.insert(ref)
    var fresh = GraphState(ref.kind)
    var assigned: Set<GraphField> = []
    for assignment in assignments {
      let before = fresh
      apply(assignment, to: &fresh, of: ref)
      if assignment.isWhole || fresh != before { assigned.insert(assignment.field) }
    }
    var state = fresh
    if isThere, policy == .assigned, let stored = self[ref] {
      state = stored
      for field in assigned { state.take(field, from: fresh) }
    }
    put(state, ref)
    note(ref, isCertain: true)
    return .done
  }

  private func resolve(_ kind: GraphKind, _ id: Int?) -> Int? {
    id.flatMap { resolves(GraphRef(kind, $0)) ? $0 : nil }
  }

  private func apply(_ assignment: GraphAssignment, to state: inout GraphState, of ref: GraphRef) {
    switch assignment {
    case .number(let number): state.number = number
    case .label(let label): state.label = label.map { ExactText($0) }
    case .code(let code): state.code = code
    case .words(let edit): edit.apply(to: &state.words)
    case .tags(let tags): state.tags = tags
    case .tag(let key, let value): state.tags[key] = value
    case .marks(let marks): state.marks = marks
    case .mark(let mark, let isThere):
      if isThere { state.marks.insert(mark) } else { state.marks.remove(mark) }
    case .link(let relation, let edit):
      let slot = GraphRelation.slots[relation]
      apply(edit, to: &state.links[slot], relation)
    case .part(let part): state.part = part.map(resolved)
    case .parts(let parts): state.parts = parts.map(resolved)
    case .addPart(let part, let index):
      if (0...state.parts.count).contains(index) { state.parts.insert(resolved(part), at: index) }
    case .removePart(let index): if state.parts.indices.contains(index) { state.parts.remove(at: index) }
    case .movePart(let source, let destination): state.parts.moveElement(source, destination)
    case .putPart(let key, let part): state.partsByName[key] = .some(part.map(resolved))
    case .clearPart(let key): state.partsByName[key] = nil
    case .partChange(.single, let change): if let part = state.part { state.part = changed(part, change) }
    case .partChange(.index(let index), let change):
      if state.parts.indices.contains(index) { state.parts[index] = changed(state.parts[index], change) }
    case .partChange(.key(let key), let change):
      if let part = state.partsByName[key] ?? nil { state.partsByName[key] = .some(changed(part, change)) }
    }
  }

  /// A part without links to objects that are not there.
  private func resolved(_ part: GraphPartState) -> GraphPartState {
    var part = part
    part.city = resolve(.city, part.city)
    part.people = part.people.filter { resolve(.person, $0) != nil }
    let team = resolve(.team, part.detail?.team)
    part.detail?.team = team
    return part
  }

  private func changed(_ part: GraphPartState, _ change: GraphPartChange) -> GraphPartState {
    var part = part
    switch change {
    case .text(let text): part.text = text
    case .number(let number): part.number = number
    case .city(let id): part.city = resolve(.city, id)
    case .addPerson(let id): if resolve(.person, id) != nil { part.people.append(id) }
    case .dropPerson(let id):
      if resolve(.person, id) != nil, let index = part.people.firstIndex(of: id) {
        part.people.remove(at: index)
      }
    case .detail(let detail):
      part.detail = detail
      let team = resolve(.team, detail?.team)
      part.detail?.team = team
    case .team(let id):
      let team = resolve(.team, id)
      part.detail?.team = team
    }
    return part
  }

  private func apply(_ edit: GraphEdit, to links: inout [GraphLink], _ place: Int) {
    let relation = GraphRelation.all[place]
    func target(_ id: Int?) -> Int? { resolve(relation.target, id) }
    func has(_ id: Int) -> Bool { links.contains { $0.target == id } }
    switch (relation.shape, edit) {
    case (.link, .assign(let new)):
      links = target(new.first?.target).map { [GraphLink(target: $0)] } ?? []
    case (.list, .assign(let new)): links = new.filter { target($0.target) != nil }
    case (.list, .append(let ids)): links += ids.filter { target($0) != nil }.map { GraphLink(target: $0) }
    case (.list, .insert(let id, let index)):
      guard target(id) != nil, (0...links.count).contains(index) else { return }
      links.insert(GraphLink(target: id), at: index)
    case (.list, .replace(let index, let id)):
      if target(id) != nil, links.indices.contains(index) { links[index].target = id }
    case (.list, .remove(let index)): if links.indices.contains(index) { links.remove(at: index) }
    case (.list, .move(let source, let destination)): links.moveElement(source, destination)
    case (.list, .swap(let first, let second)):
      if links.indices.contains(first), links.indices.contains(second) { links.swapAt(first, second) }
    case (.set, .assign(let new)):
      links = Set(new.compactMap { target($0.target) }).sorted().map { GraphLink(target: $0) }
    case (.set, .append(let ids)):
      for id in ids where target(id) != nil && !has(id) { links.append(GraphLink(target: id)) }
    case (.set, .add(let id)): if target(id) != nil, !has(id) { links.append(GraphLink(target: id)) }
    case (.set, .drop(let id)): if target(id) != nil { links.removeAll { $0.target == id } }
    case (.map, .assign(let new)):
      var entries: [String: GraphLink] = [:]
      for link in new { entries[link.key] = GraphLink(key: link.key, target: target(link.target)) }
      links = Array(entries.values)
    case (.map, .put(let key, let id)):
      links.removeAll { $0.key == key }
      links.append(GraphLink(key: key, target: target(id)))
    case (.map, .clear(let key)): links.removeAll { $0.key == key }
    case (_, .removeAll): links = []
    default: break
    }
    if relation.shape == .set { links.sort { ($0.target ?? 0) < ($1.target ?? 0) } }
    if relation.shape == .map { links.sort { $0.key < $1.key } }
  }

  // MARK: The other side

  /// Changes a relationship from the side that is not stored.
  ///
  /// - Returns: false where that cannot be done, so that the write fails.
  mutating func apply(_ edit: GraphInverseEdit, of target: GraphRef, _ place: Int) -> Bool {
    guard exists(target) else { return true }
    let relation = GraphRelation.all[place]
    func present(_ ids: [Int]) -> [Int] { ids.filter { exists(relation.owner, $0) } }
    var isDone = true
    switch edit {
    case .append(let ids): for id in present(ids) where isDone { isDone = link(id, to: target.id, place) }
    case .remove(let ids): for id in present(ids) { unlink(id, from: target.id, place) }
    case .removeAll: for id in sources(of: place, to: target.id) { unlink(id, from: target.id, place) }
    case .replaceAll(let ids):
      let present = present(ids)
      for id in sources(of: place, to: target.id) where !present.contains(id) {
        unlink(id, from: target.id, place)
      }
      for id in present where isDone { isDone = link(id, to: target.id, place) }
    }
    return isDone
  }

  private mutating func link(_ id: Int, to target: Int, _ place: Int) -> Bool {
    let relation = GraphRelation.all[place]
    let owner = GraphRef(relation.owner, id)
    if relation.shape == .map { return false }
    if links(place, of: id).contains(where: { $0.target == target }) {
      note(owner, isCertain: false)
      return true
    }
    switch relation.shape {
    case .link: apply(.link(place, .assign([GraphLink(target: target)])), to: owner)
    case .list: apply(.link(place, .append([target])), to: owner)
    default: apply(.link(place, .add(target)), to: owner)
    }
    return true
  }

  private mutating func unlink(_ id: Int, from target: Int, _ place: Int) {
    let relation = GraphRelation.all[place]
    let owner = GraphRef(relation.owner, id)
    let links = links(place, of: id)
    guard links.contains(where: { $0.target == target }) else { return note(owner, isCertain: false) }
    guard var state = self[owner] else { return }
    state.links[GraphRelation.slots[place]] = links.filter { $0.target != target }
    put(state, owner)
    note(owner, isCertain: true)
  }
}

extension GraphValues {
  func apply(to words: inout [String]) {
    switch self {
    case .assign(let new): words = new
    case .append(let new): words += new
    case .insert(let word, let index): if (0...words.count).contains(index) { words.insert(word, at: index) }
    case .remove(let index): if words.indices.contains(index) { words.remove(at: index) }
    case .move(let source, let destination): words.moveElement(source, destination)
    case .removeAll: words = []
    }
  }
}

extension Array {
  /// Moves an element; nothing where an index is none of the array.
  fileprivate mutating func moveElement(_ source: Int, _ destination: Int) {
    guard indices.contains(source), indices.contains(destination) else { return }
    insert(remove(at: source), at: destination)
  }
}
