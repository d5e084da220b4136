import Fief
import Foundation

/// Copies that outlive their originals.
extension GraphDriver {
  /// Reads copies, changes objects in a write, and then uses the copies: their collections are those that they were read with, or
  /// using them is an error.
  func outlive(_ refs: [GraphRef], _ changes: [GraphChange], _ survival: GraphSurvival) throws {
    let (before, start) = (model, Date())
    var copies: [(ref: GraphRef, copy: any GraphObject)] = []
    for ref in refs where model.exists(ref) {
      if let copy = try copy(ref) { copies.append((ref, copy)) }
    }
    if survival.isRead {
      for (ref, copy) in copies { try compareCollections(of: copy, ref, before, isRead: true) }
    }
    try write(changes, isAborted: false)
    tally.copies += copies.count
    if survival.isCompared {
      for (ref, copy) in copies {
        try compareCollections(of: copy, ref, before, isRead: survival.isRead)
      }
    }
    if survival.isSaved {
      // A note has no key, and a new one of its mark is another object.
      let made = changes.compactMap { if case .create(let ref, _, _) = $0 { ref } else { nil } }
      copies.removeAll {
        model.exists($0.ref) ? $0.ref.kind == .note && made.contains($0.ref) : model.cannotMake($0.ref)
      }
      // The save is a commit of its own, with a time of its own.
      try compareTouched(since: start)
      let touched = model.touched
      model.beginCommit()
      try save(copies, before, touched)
    }
  }

  /// Saves copies as they were read.
  private func save(
    _ copies: [(ref: GraphRef, copy: any GraphObject)],
    _ before: GraphModel,
    _ touched: Set<GraphRef>
  ) throws {
    if copies.isEmpty { return }
    var after = model
    after.pending = Set(copies.map(\.ref))
    for (ref, _) in copies {
      if let state = before[ref] { after.restore(state, ref) }
    }
    after.pending = []
    do {
      try repository.saveAndWait(entities: copies.map(\.copy), update: .all)
    } catch let error as FiefError where error.code == .conflict {
      guard copies.contains(where: { isChanged($0.ref, since: before, touched) }) else {
        throw Wrong("nothing has changed the copies, but: \(error)")
      }
      tally.staleSaves += 1
      model.touchAll(of: after)
      return
    } catch {
      return try run(expectation(of: after), after) { throw error }
    }
    try run(expectation(of: after), after) {}
  }

  /// Whether a collection of an object is another one than before, or the object is gone.
  private func isChanged(_ ref: GraphRef, since before: GraphModel, _ touched: Set<GraphRef>) -> Bool {
    guard let (state, now) = before[ref].flatMap({ state in model[ref].map { (state, $0) } }) else {
      return true
    }
    // Other elements may have come and gone.
    return state != now || touched.contains(ref)
  }

  private func compareCollections(
    of copy: any GraphObject,
    _ ref: GraphRef,
    _ before: GraphModel,
    isRead: Bool
  ) throws {
    guard let state = before[ref] else { return }
    // Objects that were read stay in the collections of a copy.
    let reader = isRead ? before : model
    func check<Value: Equatable>(_ name: String, _ expected: Value, _ none: Value, _ read: () -> Value) throws
    {
      let failures = repository.failures.all.count
      let found = read()
      if found == expected { return }
      guard !isRead, isChanged(ref, since: before, model.touched), found == none,
        repository.failures.all.count > failures
      else {
        throw Wrong(
          "a copy of \(ref) has \(name): \(found), not \(expected); reported: \(repository.failures.all)"
        )
      }
      tally.staleReads += 1
      repository.failures.removeAll()
    }
    if let person = copy as? GraphPerson { try check("words", state.words, []) { Array(person.words) } }
    if let team = copy as? GraphTeam { try check("tags", state.tags, [:]) { team.tags.dictionary } }
    if let city = copy as? GraphCity { try check("marks", state.marks, []) { Set(city.marks) } }
    for (slot, place) in (GraphRelation.owned[ref.kind] ?? []).enumerated() {
      let relation = GraphRelation.all[place]
      if relation.shape == .link { continue }
      try check(relation.side.name, reader.visible(state.links[slot], place), []) {
        let links = relation.access.links(of: copy)
        return relation.shape == .set ? links.sorted { ($0.target ?? 0) < ($1.target ?? 0) } : links
      }
    }
  }
}

extension GraphModel {
  /// Puts an earlier state of an object back, without links to objects that are gone.
  mutating func restore(_ state: GraphState, _ ref: GraphRef) {
    var state = state
    for (slot, place) in (GraphRelation.owned[ref.kind] ?? []).enumerated() {
      let relation = GraphRelation.all[place]
      if relation.isLoose { continue }
      state.links[slot] = state.links[slot].compactMap { link in
        guard let id = link.target, !resolves(GraphRef(relation.target, id)) else { return link }
        return relation.shape == .map ? GraphLink(key: link.key, target: nil) : nil
      }
    }
    put(state, ref)
    note(ref, isCertain: true)
  }
}
