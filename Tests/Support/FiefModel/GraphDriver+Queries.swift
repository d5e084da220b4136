import Fief

/// Questions about the graph, asked of the store and of the model.
extension GraphDriver {
  static let questionCount = 22

  /// The derived properties that questions ask for.
  private static let derivedInQuestions: [Int: GraphDerivedRef] = [
    2: .staffCount, 14: GraphDerivedRef(kind: .city, name: "residentsCount"),
    16: GraphDerivedRef(kind: .city, name: "residentsCount"),
    20: GraphDerivedRef(kind: .note, name: "aboutNumber"),
  ]

  func ask(_ question: Int, _ number: Int) throws {
    try repository.read { try ask(question, number, of: model, in: $0) }
  }

  /// Compares the marks that a query finds with those that the model has.
  func ask(_ question: Int, _ number: Int, of model: GraphModel, in scope: AccessScope) throws {
    // The model knows what a property is that is derived.
    if let property = Self.derivedInQuestions[question % Self.questionCount], !property.isDerived { return }
    tally.queries += 1
    let (kind, found) = try answer(question % Self.questionCount, number, in: scope)
    let expected = model.all(kind).filter { ref in
      model[ref].map { model.fulfils(question % Self.questionCount, number, ref, $0) } ?? false
    }
    if found.sorted() != expected.map(\.id) {
      throw Wrong("question \(question) about \(number): \(found.sorted()), not \(expected.map(\.id))")
    }
  }

  private func answer(_ question: Int, _ number: Int, in scope: AccessScope) throws -> (GraphKind, [Int]) {
    if question < 11 { return (.person, try persons(question, number, scope).map(\.mark)) }
    if question < 16 { return (.team, try teams(question, number, scope).map(\.mark)) }
    if question < 19 { return (.city, try cities(question, number, scope).map(\.mark)) }
    return (.note, try notes(question, number, scope).map(\.mark))
  }

  private func persons(_ question: Int, _ number: Int, _ scope: AccessScope) throws -> Results<GraphPerson> {
    let (mark, small) = (number % GraphModel.capacity, number % 4)
    let all = scope.objects(GraphPerson.self)
    switch question {
    case 0: return all.where { $0.home.mark == mark }
    case 1: return all.where { $0.number > number % 100 }
    case 2: return all.where { $0.staffCount > small }
    case 3: return all.where { $0.staff.count > small }
    case 4: return all.where { $0.staff.number > number % 100 }
    case 5: return all.where { $0.boss.home.number > number % 100 && $0.number < 50 }
    case 6: return all.where { $0.friends.count >= small }
    case 7: return all.where { $0.label == GraphGenerator.label(number) }
    case 8: return all.where { $0.part.city.mark == mark || $0.parts.city.mark == mark }
    case 9: return all.where { $0.friends.number.sum > number % 200 }
    default: return all.where { $0.code == number % GraphGenerator.codeCount || $0.teams.count > small }
    }
  }

  private func teams(_ question: Int, _ number: Int, _ scope: AccessScope) throws -> Results<GraphTeam> {
    let all = scope.objects(GraphTeam.self)
    switch question {
    case 11: return all.where { $0.members.count == number % 5 }
    case 12: return all.where { $0.audience.number.max > number % 100 }
    case 13: return all.where { $0.audience.mark == number % GraphModel.capacity }
    case 14: return all.where { $0.lead.home.residentsCount > number % 3 }
    default: return all.filter("ANY members.staff.number > %@", number % 100)
    }
  }

  private func cities(_ question: Int, _ number: Int, _ scope: AccessScope) throws -> Results<GraphCity> {
    let all = scope.objects(GraphCity.self)
    switch question {
    case 16: return all.where { $0.residentsCount == number % 4 }
    case 17: return all.filter("residents.@sum.number > %@ OR residents.@count == 1", number % 200)
    default: return all.where { $0.marks.contains(number % 30) }
    }
  }

  private func notes(_ question: Int, _ number: Int, _ scope: AccessScope) throws -> Results<GraphNote> {
    let all = scope.objects(GraphNote.self)
    switch question {
    case 19: return all.where { $0.about.home.mark == number % GraphModel.capacity }
    case 20: return all.where { $0.aboutNumber > number % 100 }
    default: return all.where { $0.reader != nil && $0.reader.number <= number % 100 }
    }
  }
}

extension GraphModel {
  /// Whether an object fulfils the condition of a question.
  fileprivate func fulfils(_ question: Int, _ number: Int, _ ref: GraphRef, _ state: GraphState) -> Bool {
    let (mark, small) = (number % Self.capacity, number % 4)
    func targets(_ relation: String, _ ref: GraphRef) -> [GraphRef] {
      let place = GraphRelation.place(ref.kind, relation)
      let kind = GraphRelation.all[place].target
      return links(place, of: ref.id).compactMap { link in link.target.map { GraphRef(kind, $0) } }.filter(
        exists
      )
    }
    func one(_ relation: String, _ ref: GraphRef?) -> GraphRef? {
      ref.flatMap { targets(relation, $0).first }
    }
    func origins(_ owner: GraphKind, _ relation: String, _ id: Int) -> [GraphState] {
      sources(of: GraphRelation.place(owner, relation), to: id).compactMap { self[GraphRef(owner, $0)] }
    }
    func value(_ ref: GraphRef?) -> Int? { ref.flatMap { self[$0]?.number } }
    func values(_ relation: String) -> [Int] { targets(relation, ref).compactMap(value) }
    switch question {
    case 0: return one("home", ref)?.id == mark
    case 1: return state.number > number % 100
    case 2, 3: return staffCount(ref.id) > small
    case 4: return origins(.person, "boss", ref.id).contains { $0.number > number % 100 }
    case 5: return (value(one("home", one("boss", ref))) ?? -1) > number % 100 && state.number < 50
    case 6: return targets("friends", ref).count >= small
    case 7: return state.label == ExactText(GraphGenerator.label(number))
    case 8:
      return exists(.city, mark) && (state.part?.city == mark || state.parts.contains { $0.city == mark })
    case 9: return values("friends").reduce(0, +) > number % 200
    case 10:
      return state.code == number % GraphGenerator.codeCount
        || origins(.team, "members", ref.id).count > small
    case 11: return targets("members", ref).count == number % 5
    case 12: return (values("audience").max() ?? -1) > number % 100
    case 13: return targets("audience", ref).contains { $0.id == mark }
    case 14:
      return one("home", one("lead", ref)).map { origins(.person, "home", $0.id).count > number % 3 } ?? false
    case 15:
      return targets("members", ref).contains {
        origins(.person, "boss", $0.id).contains { $0.number > number % 100 }
      }
    case 16: return origins(.person, "home", ref.id).count == number % 4
    case 17:
      let residents = origins(.person, "home", ref.id)
      return residents.reduce(0) { $0 + $1.number } > number % 200 || residents.count == 1
    case 18: return state.marks.contains(number % 30)
    case 19: return one("home", one("about", ref))?.id == mark
    case 20: return (value(one("about", ref)) ?? -1) > number % 100
    default: return value(one("reader", ref)).map { $0 <= number % 100 } ?? false
    }
  }
}
