import Fief
import Foundation

extension GraphDriver {
  /// Compares what the last commit may have changed: the objects, their neighbours where something is derived of
  /// them, and how many objects there are.
  func compareTouched(since start: Date) throws {
    guard !model.touched.isEmpty else { return }
    var refs = model.touched
    for ref in model.touched where ref.kind == .person {
      for place in [GraphRelation.place(.team, "members"), GraphRelation.place(.note, "about")] {
        let owner = GraphRelation.all[place].owner
        for id in model.sources(of: place, to: ref.id) { refs.insert(GraphRef(owner, id)) }
      }
    }
    try repository.read { snapshot in
      try compare(refs, in: snapshot, withAllInverses: false)
      try compareTimes(refs, in: snapshot, since: start)
      for kind in GraphKind.allCases {
        let count = try count(kind, in: snapshot)
        if count != model.count(kind) { throw Wrong("\(count) objects of \(kind), not \(model.count(kind))") }
      }
    }
    try settleLooseLinks()
  }

  func compareEverything() throws {
    let all = GraphKind.allCases.flatMap { kind in (0..<GraphModel.capacity).map { GraphRef(kind, $0) } }
    try repository.read { snapshot in
      try compare(all, in: snapshot)
      try compareTimes(Set(all.filter { $0.kind.rawValue < 2 }), in: snapshot, since: nil)
    }
    for question in 0..<Self.questionCount { try ask(question, steps(question)) }
  }

  private func steps(_ question: Int) -> Int { tally.operations &+ question &* 7 }

  private func compare(
    _ refs: some Sequence<GraphRef>,
    in scope: AccessScope,
    withAllInverses: Bool = true
  ) throws {
    var comparison = GraphComparison(model: model) { try self.find($0, in: scope) }
    comparison.comparesAllInverses = withAllInverses
    for ref in refs {
      tally.compared += 1
      let problems = try comparison.problems(of: ref)
      if problems.isEmpty { continue }
      // Whether it is what is stored that is wrong, or how it was read.
      let again = try repository.read { snapshot in
        try GraphComparison(model: model) { try self.find($0, in: snapshot) }.problems(of: ref)
      }
      let found = try repository.check().problems
      throw Wrong(
        (problems + ["read again: \(again)", "reported: \(repository.failures.all)", "the checker: \(found)"])
          .joined(separator: "\n")
      )
    }
  }

  /// Checks the whole store.
  func check() throws {
    tally.checks += 1
    let failures = repository.failures.all
    if !failures.isEmpty { throw Wrong("reported: " + failures.joined(separator: "\n")) }
    let problems = try repository.check().problems
    if !problems.isEmpty { throw Wrong(Wrong.checker + problems.joined(separator: "\n")) }
    guard let directory = repository.store().directory else { return }
    let store = try DynamicStore(
      directory: directory,
      verification: .quick,
      encryption: repository.encryption
    )
    defer { store.close() }
    let trees = try store.statistics().trees
    tally.large = max(tally.large, trees.first { $0.purpose == .collections }?.entries ?? 0)
  }

  private func count(_ kind: GraphKind, in scope: AccessScope) throws -> Int {
    switch kind {
    case .person: try scope.count(GraphPerson.self)
    case .team: try scope.count(GraphTeam.self)
    case .city: try scope.count(GraphCity.self)
    case .note: try scope.count(GraphNote.self)
    }
  }

  /// The time of an object's last change is one for all that a commit has written, and stays as it is for others.
  private func compareTimes(_ refs: Set<GraphRef>, in scope: AccessScope, since start: Date?) throws {
    var commit: Date?
    for ref in refs where model.exists(ref) {
      let found: Date?
      switch try find(ref, in: scope) {
      case let person as GraphPerson where ref.kind.isDerived("changedAt"): found = person.changedAt
      case let team as GraphTeam where ref.kind.isDerived("changedAt"): found = team.changedAt
      default: continue
      }
      guard let found else { throw Wrong("\(ref).changedAt is nil") }
      if start != nil,
        model.written.contains(ref)
          || (model.maybeWritten.contains(ref) && model.times[ref].map { $0 != found } ?? false)
      {
        if let start, found < start.addingTimeInterval(-0.001) || found > Date().addingTimeInterval(0.001) {
          let age = start.timeIntervalSince(found)
          throw Wrong("\(ref).changedAt: \(found) is not the time of the commit, but \(age) s before it")
        }
        if let commit, commit != found { throw Wrong("\(ref).changedAt: \(found), and \(commit) in others") }
        commit = found
        model.times[ref] = found
      } else if let time = model.times[ref], time != found {
        throw Wrong("\(ref).changedAt: \(found), not \(time): nothing has written it")
      }
    }
  }

  /// Collections that were read and written have lost the links that lead to nothing, others have them. Where only some
  /// of them are gone, it is not defined which: such a collection is assigned again.
  func settleLooseLinks() throws {
    for ref in model.touched {
      guard let state = model[ref] else { continue }
      for (slot, place) in (GraphRelation.owned[ref.kind] ?? []).enumerated() {
        let relation = GraphRelation.all[place]
        guard relation.isLoose, relation.shape != .link else { continue }
        let visible = model.visible(state.links[slot], place)
        guard visible != state.links[slot] else { continue }
        let count = try repository.read { try find(ref, in: $0).map { relation.access.count(of: $0) } }
        if relation.shape != .map, count == state.links[slot].count { continue }
        if relation.shape != .map, count == visible.count {
          model.modify(ref) { $0.links[slot] = visible }
          continue
        }
        model.times[ref] = nil
        try repository.write { transaction in
          guard let object = try find(ref, in: transaction) else { return }
          try relation.access.apply(.assign(visible), to: object) {
            try find(GraphRef(relation.target, $0), in: transaction)
          }
        }
        model.modify(ref) { $0.links[slot] = visible }
      }
    }
  }
}
