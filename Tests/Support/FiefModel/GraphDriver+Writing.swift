import Fief

extension GraphDriver {
  /// Several changes in one transaction.
  func write(_ changes: [GraphChange], isAborted: Bool) throws {
    // The model goes first, so that it is known what each call has to say.
    var after = model
    var outcomes: [GraphModel.Outcome] = []
    var states: [GraphModel] = []
    var isRefused = false
    for change in changes {
      outcomes.append(apply(change, to: &after, isRefused: &isRefused))
      states.append(after)
    }
    var expected = expectation(of: after)
    if isRefused { expected = .refused }
    if isAborted { expected = .aborted }
    try run(expected, after) {
      try repository.write { transaction in
        for (index, change) in changes.enumerated() {
          // A copy of an object that the write has deleted is not the object that gets its key.
          defer { held = held.filter { !states[index].deleted.contains($0.key) } }
          let before = index > 0 ? states[index - 1] : model
          do {
            try perform(change, transaction, before: before, after: states[index], isRefused)
            if outcomes[index] != .done {
              throw Wrong("\(change) was done, but expected: \(outcomes[index])")
            }
          } catch let error as FiefError {
            switch (error.code, outcomes[index]) {
            case (.deletionDenied, .denied): tally.denied += 1
            case (.objectNotFound, .notFound): break
            case (.duplicatePrimaryKey, .duplicateKey): tally.duplicates += 1
            default: throw Wrong("\(change): expected \(outcomes[index]), but: \(error)", error.code)
            }
          }
        }
        if isAborted { throw Aborted() }
      }
    }
  }

  private func apply(
    _ change: GraphChange,
    to model: inout GraphModel,
    isRefused: inout Bool
  ) -> GraphModel.Outcome {
    switch change {
    case .create(let ref, let assignments, let policy):
      if model.cannotMake(ref) { return .done }
      defer { model.pending = [] }
      return model.create(ref, assignments, policy)
    case .assign(let ref, let assignment): model.apply(assignment, to: ref)
    case .inverse(let ref, let place, let edit):
      if !model.apply(edit, of: ref, place) { isRefused = true }
    case .delete(let refs, let way):
      return model.delete(refs, way)
    case .deleteAll(let kind): return model.deleteAll(kind)
    case .look, .query: break
    }
    return .done
  }

  private func perform(
    _ change: GraphChange,
    _ transaction: WriteTransaction,
    before: GraphModel,
    after: GraphModel,
    _ isRefused: Bool
  ) throws {
    let editor = GraphEditor { try self.find($0, in: transaction) }
    switch change {
    case .create(let ref, let assignments, let policy):
      if before.cannotMake(ref) { return }
      let object = GraphEditor.make(ref)
      let fresh = GraphEditor { try $0 == ref ? object : self.find($0, in: transaction) }
      for assignment in assignments { try fresh.apply(assignment, to: object) }
      try transaction.add(object, update: policy)
    case .assign(let ref, let assignment):
      if let object = try find(ref, in: transaction) { try editor.apply(assignment, to: object) }
    case .inverse(let ref, let place, let edit):
      let relation = GraphRelation.all[place]
      guard let object = try find(ref, in: transaction) else { return }
      try relation.linking?.apply(edit, to: object) {
        try self.find(GraphRef(relation.owner, $0), in: transaction)
      }
    case .delete(let refs, .keys) where refs[0].kind != .note: try deleteByKeys(refs, transaction)
    case .delete(let refs, _):
      let objects = try refs.compactMap { try find($0, in: transaction) }
      if objects.count == 1 { try transaction.delete(objects[0]) } else { try transaction.delete(objects) }
    case .deleteAll(let kind): try transaction.deleteAll(kind.type)
    case .look(let ref):
      if isRefused { return }
      let comparison = GraphComparison(model: after) { try self.find($0, in: transaction) }
      let problems = try comparison.problems(of: ref)
      if !problems.isEmpty { throw Wrong("inside of the write: " + problems.joined(separator: "\n")) }
    case .query(let question, let number):
      if isRefused { return }
      try ask(question, number, of: after, in: transaction)
    }
  }

  /// Deletes the objects of the first one's type; a note has no key, and is deleted as an object.
  private func deleteByKeys(_ refs: [GraphRef], _ transaction: WriteTransaction) throws {
    let ids = refs.filter { $0.kind == refs[0].kind }.map(\.id)
    switch refs[0].kind {
    case .person:
      try transaction.delete(ofType: GraphPerson.self, forPrimaryKeys: ids.map(GraphPerson.name(of:)))
    case .team: try transaction.delete(ofType: GraphTeam.self, forPrimaryKeys: ids.map(GraphTeam.id(of:)))
    case .city: try transaction.delete(ofType: GraphCity.self, forPrimaryKeys: ids.map(GraphCity.key(of:)))
    case .note: break
    }
  }
}

extension GraphModel {
  /// Deletes objects that were looked up, or those with the keys of the first one's type; notes have none.
  mutating func delete(_ refs: [GraphRef], _ way: GraphDeletion) -> Outcome {
    way == .objects || refs[0].kind == .note
      ? delete(refs.filter(exists)) : delete(refs.filter { $0.kind == refs[0].kind })
  }

  /// Whether an object had better not be made: it would bring back links of which it is not defined whether they are still there, those of
  /// parts, and those of collections that may have dropped them in this very commit.
  func cannotMake(_ ref: GraphRef) -> Bool {
    // A second note without a key of a mark cannot be distinguished from the first one.
    if exists(ref) { return ref.kind == .note }
    if (all(.person) + all(.city)).contains(where: { self[$0]?.partsLead(to: ref) ?? false }) { return true }
    guard deleted.contains(ref) else { return false }
    return (GraphRelation.leading[ref.kind] ?? []).contains { place in
      GraphRelation.all[place].isLoose && !sources(of: place, to: ref.id).isEmpty
    }
  }
}
