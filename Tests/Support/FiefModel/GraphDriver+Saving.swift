import Fief
import Foundation

/// Steps that are one call of the repository.
extension GraphDriver {
  /// Saves new objects and copies that were changed, which may link each other.
  func save(_ savings: [GraphSaving], _ policy: UpdatePolicy) throws {
    var after = model
    let savings = savings.filter { !$0.isNew || !model.cannotMake($0.ref) }
    var expected = Expectation.done
    after.pending = Set(savings.filter(\.isNew).map(\.ref))
    for saving in savings {
      if saving.isNew {
        if after.create(saving.ref, saving.assignments, policy) != .done { expected = .duplicateKey }
      } else if after.exists(saving.ref) {
        for assignment in saving.assignments { after.apply(assignment, to: saving.ref) }
        after.note(saving.ref, isCertain: policy == .all)
      }
    }
    after.pending = []
    var objects: [GraphRef: any GraphObject] = [:]
    for saving in savings {
      objects[saving.ref] = saving.isNew ? GraphEditor.make(saving.ref) : try copy(saving.ref)
    }
    let editor = GraphEditor { ref in try objects[ref] ?? self.copy(ref) }
    for saving in savings {
      guard let object = objects[saving.ref] else { continue }
      for assignment in saving.assignments { try editor.apply(assignment, to: object) }
    }
    let entities = savings.compactMap { objects[$0.ref] }
    if entities.isEmpty { return }
    try run(expected == .done ? expectation(of: after) : expected, after) {
      try repository.saveAndWait(entities: entities, update: policy)
    }
  }

  func delete(_ refs: [GraphRef], _ way: GraphDeletion) throws {
    var after = model
    let kind = refs[0].kind
    let byKeys = way == .keys && kind != .note
    let objects = byKeys ? [] : try refs.compactMap { try copy($0) }
    if !byKeys, objects.isEmpty { return }
    let expected = expectation(of: after.delete(refs, way), after)
    let ids = refs.filter { $0.kind == kind }.map(\.id)
    try run(expected, after) {
      var outcome: Result<Bool, any Error> = .success(false)
      switch kind {
      case _ where !byKeys:
        if objects.count == 1 {
          outcome = Result {
            try repository.deleteAndWait(entity: objects[0])
            return true
          }
        } else {
          outcome = Result {
            try repository.deleteAndWait(entities: objects)
            return true
          }
        }
      case .person:
        let keys = ids.map(GraphPerson.name(of:))
        outcome = Result {
          try repository.deleteAndWait(ofType: GraphPerson.self, forPrimaryKeys: keys)
          return true
        }
      case .team:
        outcome = Result {
          try repository.deleteAndWait(ofType: GraphTeam.self, forPrimaryKeys: ids.map(GraphTeam.id(of:)))
          return true
        }
      default:
        outcome = Result {
          try repository.deleteAndWait(ofType: GraphCity.self, forPrimaryKeys: ids.map(GraphCity.key(of:)))
          return true
        }
      }
      _ = try outcome.get()
    }
  }

  func deleteAll(_ kind: GraphKind) throws {
    var after = model
    try run(expectation(of: after.deleteAll(kind), after), after) {
      try repository.deleteAllAndWait(deleteObjClass: kind.type)
    }
  }

  private func expectation(of outcome: GraphModel.Outcome, _ after: GraphModel) -> Expectation {
    switch outcome {
    case .done: expectation(of: after)
    case .denied: .denied
    case .notFound: .notFound
    case .duplicateKey: .duplicateKey
    }
  }

  // MARK: Without objects

  /// A JSON document with persons, or with teams, or with notes.
  func importDocument(_ savings: [GraphSaving], _ policy: UpdatePolicy) throws {
    guard let kind = savings.first?.ref.kind else { return }
    let savings = savings.filter { !$0.isNew || !model.cannotMake($0.ref) }
    if savings.isEmpty { return }
    var after = model
    var expected = Expectation.done
    var members: [[String: Any]] = []
    // A document says nothing of what it does not name.
    let meaning: UpdatePolicy = policy == .error ? .error : .assigned
    for saving in savings where saving.ref.kind == kind {
      members.append(GraphValueWriter(model: after).values(of: saving))
      if after.create(saving.ref, saving.assignments, meaning) != .done { expected = .duplicateKey }
    }
    after.pending = []
    let data = try JSONSerialization.data(withJSONObject: members)
    try run(expected == .done ? expectation(of: after) : expected, after) {
      var outcome: Result<Bool, any Error> = .success(false)
      switch kind {
      case .person:
        outcome = Result {
          try repository.saveAndWait(saveClass: GraphPerson.self, jsonData: data, update: policy)
          return true
        }
      case .team:
        outcome = Result {
          try repository.saveAndWait(saveClass: GraphTeam.self, jsonData: data, update: policy)
          return true
        }
      default:
        outcome = Result {
          try repository.saveAndWait(saveClass: GraphNote.self, jsonData: data, update: policy)
          return true
        }
      }
      _ = try outcome.get()
    }
  }

  /// A transaction of a store that does not know the classes.
  func putDynamically(_ changes: [GraphChange]) throws {
    guard let directory = repository.store().directory else { return }
    var after = model
    var outcomes: [GraphModel.Outcome] = []
    for change in changes {
      switch change {
      case .create(let ref, let assignments, let policy) where !after.cannotMake(ref):
        outcomes.append(after.create(ref, assignments, policy))
        after.pending = []
      case .delete(let refs, _): outcomes.append(after.exists(refs[0]) ? after.delete([refs[0]]) : .done)
      default: outcomes.append(.done)
      }
    }
    try run(expectation(of: after), after) {
      let store = try DynamicStore(
        directory: directory,
        isReadOnly: false,
        verification: .quick,
        encryption: repository.encryption
      )
      defer { store.close() }
      try store.write { transaction in
        var now = model
        for (change, outcome) in zip(changes, outcomes) {
          do {
            try perform(change, transaction, &now)
            if outcome != .done { throw Wrong("\(change) was done, but expected: \(outcome)") }
          } catch let error as FiefError {
            switch (error.code, outcome) {
            case (.deletionDenied, .denied): tally.denied += 1
            case (.duplicatePrimaryKey, .duplicateKey): tally.duplicates += 1
            default: throw Wrong("\(change): expected \(outcome), but: \(error)", error.code)
            }
          }
        }
      }
    }
  }

  private func perform(
    _ change: GraphChange,
    _ transaction: DynamicTransaction,
    _ now: inout GraphModel
  ) throws {
    switch change {
    case .create(let ref, let assignments, let policy) where !now.cannotMake(ref):
      let values = GraphValueWriter(model: now).values(
        of: GraphSaving(ref: ref, isNew: true, assignments: assignments),
        isDynamic: true
      )
      _ = now.create(ref, assignments, policy)
      let conflict: DynamicConflict = policy == .all ? .replace : policy == .assigned ? .merge : .error
      try transaction.put(ref.kind.type.className(), values, onConflict: conflict)
    case .delete(let refs, _):
      let name = refs[0].kind.type.className()
      _ = now.delete([refs[0]])
      if let key = try transaction.query(name, "mark == %@", refs[0].id).first()?.key {
        try transaction.delete(name, forKey: key)
      }
    default: break
    }
  }
}
