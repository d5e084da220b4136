import Fief
import FiefStress

/// Draws random steps that fit what the model has at the moment.
package struct GraphGenerator {
  static let codeCount = 400
  private(set) var random: StressRandom

  package init(seed: UInt64) { random = StressRandom(seed: seed) }

  mutating func next(_ bound: Int) -> Int { random.next(bound) }

  /// Whether something happens that does so once in a number of times.
  mutating func once(in count: Int) -> Bool { random.next(count) == 0 }

  mutating func step(_ model: GraphModel) -> GraphStep {
    switch next(100) {
    case 0..<55: return .write(changes(model, 1 + (once(in: 3) ? next(8) : next(3))), isAborted: once(in: 14))
    case 55..<72: return saving(model)
    case 72..<79: return .delete(deletion(model), once(in: 3) ? .keys : .objects)
    case 79..<85: return document(model)
    case 85..<93: return .dynamic((0..<1 + next(3)).map { _ in dynamicChange(model) })
    case 93: return .query(next(GraphDriver.questionCount), next(10_000))
    case 94..<96: return .hold(holding(model))
    case 96..<98: return outliving(model)
    case 98: return .reopen
    default: return once(in: 12) ? .deleteAll(kind()) : .query(next(GraphDriver.questionCount), next(10_000))
    }
  }

  /// Copies of some objects, and a write that changes or deletes objects, mostly one of these.
  private mutating func outliving(_ model: GraphModel) -> GraphStep {
    var refs: [GraphRef] = []
    for _ in 0..<1 + next(3) {
      if let ref = existing(kind(), model), !refs.contains(ref) { refs.append(ref) }
    }
    var changes = changes(model, 1 + next(4))
    for ref in refs where once(in: 2) {
      changes.append(once(in: 3) ? .delete([ref], .objects) : .assign(ref, linkAssignment(ref, model)))
    }
    let survival = GraphSurvival(isRead: once(in: 4), isCompared: once(in: 2), isSaved: !once(in: 4))
    return .outlive(refs, changes, survival)
  }

  /// Copies of some objects, which a write changes that is rolled back, and another write afterwards.
  private mutating func holding(_ model: GraphModel) -> GraphHolding {
    var refs: [GraphRef] = []
    for _ in 0..<1 + next(3) {
      if let ref = existing(kind(), model), !refs.contains(ref) { refs.append(ref) }
    }
    func changes(_ generator: inout GraphGenerator) -> [GraphChange] {
      var changes = generator.changes(model, generator.next(3))
      for ref in refs {
        for _ in 0..<generator.next(4) { changes.append(.assign(ref, generator.heldAssignment(ref, model))) }
        if generator.once(in: 5) { changes.append(.delete([ref], .objects)) }
        if generator.once(in: 3) { changes.append(.look(ref)) }
      }
      return changes
    }
    return GraphHolding(
      refs: refs,
      isRead: once(in: 2),
      isCompared: !once(in: 4),
      rolledBack: changes(&self),
      changes: changes(&self)
    )
  }

  // MARK: Objects

  mutating func kind() -> GraphKind { GraphKind(rawValue: next(8) * 4 / 8) ?? .person }

  mutating func existing(_ kind: GraphKind, _ model: GraphModel) -> GraphRef? {
    let start = next(GraphModel.capacity)
    for offset in 0..<GraphModel.capacity {
      let ref = GraphRef(kind, (start + offset) % GraphModel.capacity)
      if model.exists(ref) { return ref }
    }
    return nil
  }

  mutating func missing(_ kind: GraphKind, _ model: GraphModel) -> GraphRef? {
    let start = next(GraphModel.capacity)
    for offset in 0..<GraphModel.capacity {
      let ref = GraphRef(kind, (start + offset) % GraphModel.capacity)
      if !model.exists(ref) { return ref }
    }
    return nil
  }

  mutating func id(_ kind: GraphKind, _ model: GraphModel) -> Int? { existing(kind, model)?.id }

  mutating func ids(_ kind: GraphKind, _ count: Int, _ model: GraphModel) -> [Int] {
    (0..<count).compactMap { _ in id(kind, model) }
  }

  /// A type of which there are few, so that the graph stays about the same size.
  private mutating func kindToAdd(_ model: GraphModel) -> GraphKind {
    let kind = kind()
    return model.count(kind) > 26 ? self.kind() : kind
  }

  private mutating func isAdding(_ model: GraphModel) -> Bool {
    let count = GraphKind.allCases.reduce(0) { $0 + model.count($1) }
    return count < 16 || next(130) > count
  }

  mutating func deletion(_ model: GraphModel) -> [GraphRef] {
    var refs: [GraphRef] = []
    for _ in 0..<(once(in: 2) ? 1 : 1 + next(4)) {
      if let ref = existing(kind(), model), !refs.contains(ref) { refs.append(ref) }
    }
    return refs.isEmpty ? [GraphRef(.person, 0)] : refs
  }

  // MARK: Writes

  mutating func changes(_ model: GraphModel, _ count: Int) -> [GraphChange] {
    (0..<count).map { _ in change(model) }
  }

  private mutating func change(_ model: GraphModel) -> GraphChange {
    guard model.count(.person) > 2 else { return create(.person, model) }
    switch next(40) {
    case 0..<8: return isAdding(model) ? create(kindToAdd(model), model) : look(model)
    case 8..<11: return .delete(deletion(model), once(in: 3) ? .keys : .objects)
    case 11: return once(in: 60) ? .deleteAll(kind()) : look(model)
    case 12..<17: return inverse(model)
    case 17..<21: return look(model)
    case 21: return .query(next(GraphDriver.questionCount), next(10_000))
    default:
      guard let ref = existing(kind(), model) else { return create(.person, model) }
      return .assign(ref, assignment(ref, model))
    }
  }

  private mutating func look(_ model: GraphModel) -> GraphChange {
    .look(existing(kind(), model) ?? GraphRef(.person, 0))
  }

  private mutating func create(_ kind: GraphKind, _ model: GraphModel) -> GraphChange {
    let ref = newOrOld(kind, model)
    return .create(ref, contents(ref, model), policy(ref, model))
  }

  /// Mostly a mark that is free.
  private mutating func newOrOld(_ kind: GraphKind, _ model: GraphModel) -> GraphRef {
    let old = once(in: 5) && kind != .note ? existing(kind, model) : nil
    return old ?? missing(kind, model) ?? GraphRef(kind, kind == .note ? 0 : next(GraphModel.capacity))
  }

  private mutating func policy(_ ref: GraphRef, _ model: GraphModel) -> UpdatePolicy {
    if model.exists(ref), once(in: 4) { return .error }
    switch next(4) {
    case 0: return .all
    case 1: return .modified
    case 2: return .assigned
    default: return model.exists(ref) ? .assigned : .error
    }
  }

  private mutating func inverse(_ model: GraphModel) -> GraphChange {
    let place = next(GraphRelation.all.count)
    let relation = GraphRelation.all[place]
    guard relation.linking != nil, let target = existing(relation.target, model),
      relation.side.rule == .nullify || once(in: 6)
    else { return look(model) }
    // An object that a map's inverse refuses makes the whole write fail.
    let canAppend = relation.shape != .map || once(in: 20)
    let ids = ids(relation.owner, 1 + next(3), model)
    switch next(8) {
    case 0..<4 where canAppend: return .inverse(of: target, relation: place, .append(ids))
    case 0 where canAppend: return .inverse(of: target, relation: place, .replaceAll(ids))
    case 7: return .inverse(of: target, relation: place, .removeAll)
    default:
      let sources = model.sources(of: place, to: target.id)
      let chosen = sources.isEmpty ? ids : [sources[next(sources.count)]]
      return .inverse(of: target, relation: place, .remove(chosen))
    }
  }

  // MARK: Saves

  private mutating func saving(_ model: GraphModel) -> GraphStep {
    var savings: [GraphSaving] = []
    for _ in 0..<(once(in: 2) ? 1 : 1 + next(3)) {
      let kind = kind()
      if isAdding(model), once(in: 2) {
        let ref = newOrOld(kind, model)
        if savings.contains(where: { $0.ref == ref }) { continue }
        savings.append(GraphSaving(ref: ref, isNew: true, assignments: contents(ref, model)))
      } else if let ref = existing(kind, model), !savings.contains(where: { $0.ref == ref }) {
        let assignments = (0..<next(4)).map { _ in assignment(ref, model) }
        savings.append(GraphSaving(ref: ref, isNew: false, assignments: assignments))
      }
    }
    let isNew = savings.contains { $0.isNew }
    let isOld = savings.contains { !$0.isNew }
    let policy: UpdatePolicy =
      once(in: 2)
      ? .all : isNew && !isOld && once(in: 2) ? .error : once(in: 2) ? .modified : .assigned
    return .save(savings, policy)
  }

  private mutating func document(_ model: GraphModel) -> GraphStep {
    let kind = [GraphKind.person, .team, .note][next(3)]
    var savings: [GraphSaving] = []
    for _ in 0..<1 + next(3) {
      let ref = newOrOld(kind, model)
      if savings.contains(where: { $0.ref == ref }) || (kind == .note && model.exists(ref)) { continue }
      savings.append(GraphSaving(ref: ref, isNew: true, assignments: plainContents(ref, model)))
    }
    return .json(savings, [.all, .modified, .assigned, .error][next(4)])
  }

  private mutating func dynamicChange(_ model: GraphModel) -> GraphChange {
    if once(in: 4) { return .delete([existing(kind(), model) ?? GraphRef(.person, 0)], .objects) }
    let kind = [GraphKind.person, .team, .note][next(3)]
    let ref = newOrOld(kind, model)
    if kind == .note, model.exists(ref) { return look(model) }
    return .create(ref, plainContents(ref, model), [.all, .assigned, .error][next(3)])
  }
}
