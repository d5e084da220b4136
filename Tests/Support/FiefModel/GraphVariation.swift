import Fief
import FiefStress
import LMDB

/// A random variation of the classes of the graph: the rules and limits of relationships, the derived properties, the
/// indexes, and the keys of persons.
package struct GraphVariation: Sendable {
  /// What the classes declare.
  private var relations = GraphRelation.declared
  /// What the model takes for it: the same, but in a control.
  private(set) var modelRelations: [GraphRelation] = []
  /// The properties that are not derived.
  private var plain: Set<GraphDerivedRef> = []
  private var indexes: [GraphKind: [RandomIndex]] = [:]
  /// The form of the names of all persons; nil where each has one of its own.
  let nameForm: Int?

  private static let chosen = OwnedLock<GraphVariation?>(nil)
  /// The variation of this process; nil where the classes are as they are written.
  static var current: GraphVariation? { chosen.withLock { $0 } }

  package init(seed: UInt64) {
    var random = StressRandom(seed: seed)
    nameForm = random.next(2) == 0 ? nil : random.next(6)
    // How rare rules are that delete or deny.
    let softness = 2 + random.next(6)
    for place in relations.indices { relations[place].vary(&random, softness: softness) }
    for (kind, names) in GraphDerivedRef.names.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      for name in names where random.next(5) == 0 { plain.insert(GraphDerivedRef(kind: kind, name: name)) }
    }
    // What is derived of a derived property says nothing where that is a plain one.
    if plain.contains(.staffCount) { plain.formUnion(GraphDerivedRef.ofStaffCount) }
    for kind in GraphKind.allCases {
      let isSingle = relations[GraphRelation.place(.note, "about")].isLoose
      indexes[kind] = RandomIndex.candidates(kind).filter { index in
        // Unique indexes refuse much of what is tried.
        random.next(index.isUnique ? 3 : 2) == 0 && !(isSingle && index.columns.contains("about"))
      }
    }
    modelRelations = relations
  }

  /// Has the model take `nullify` for `cascade`.
  package mutating func bend() {
    for place in modelRelations.indices {
      if modelRelations[place].side.rule == .cascade { modelRelations[place].side.rule = .nullify }
      if modelRelations[place].inverse?.rule == .cascade { modelRelations[place].inverse?.rule = .nullify }
    }
  }

  /// Makes it the variation of this process, before anything else of the graph is used.
  package func use() { Self.chosen.withLock { $0 = self } }

  // MARK: Declarations

  func relationships(of kind: GraphKind) -> [Relationship] {
    func rules(_ side: GraphRelation.Side) -> Relationship {
      Relationship(
        side.name,
        deleteRule: side.rule,
        isRequired: side.minimum > 0,
        minimum: side.minimum,
        maximum: side.maximum
      )
    }
    return relations.flatMap { relation in
      (relation.owner == kind ? [rules(relation.side)] : [])
        + (relation.target == kind ? relation.inverse.map { [rules($0)] } ?? [] : [])
    }
  }

  func indexes(of kind: GraphKind) -> [RandomIndex] { indexes[kind] ?? [] }

  func isDerived(_ property: GraphDerivedRef) -> Bool { !plain.contains(property) }
}

extension GraphVariation: CustomStringConvertible {
  package var description: String {
    func text(_ side: GraphRelation.Side) -> String {
      let limits = side.minimum > 0 || side.maximum != nil
      return "\(side.name) \(side.rule)"
        + (limits ? " \(side.minimum)...\(side.maximum.map { "\($0)" } ?? "")" : "")
    }
    let rules = relations.map { "\($0.owner).\(text($0.side)) / \($0.inverse.map(text) ?? "no inverse")" }
    let indexes = GraphKind.allCases.flatMap { kind in self.indexes(of: kind).map { "\(kind) \($0)" } }
    return
      "relationships: \(rules.joined(separator: ", ")); indexes: \(indexes.joined(separator: ", ")); not derived: "
      + plain.map { "\($0.kind).\($0.name)" }.sorted().joined(separator: ", ")
  }
}

extension GraphRelation {
  /// Gives both sides random rules and limits.
  fileprivate mutating func vary(_ random: inout StressRandom, softness: Int) {
    func rule(_ random: inout StressRandom) -> DeleteRule {
      random.next(softness) > 0 ? .nullify : [.cascade, .cascade, .deny, .noAction][random.next(4)]
    }
    side.rule = rule(&random)
    inverse?.rule = rule(&random)
    // Whether links to nothing count is not defined. A note has no key under which it comes back.
    if isLoose, target == .note || Self.derivedOf.contains(side.name) { inverse?.rule = .nullify }
    (side.minimum, side.maximum) = (0, nil)
    inverse?.maximum = nil
    if isLoose { return }
    // A person needs nothing, so that there can be a first one; documents have links to simple keys.
    let canBeRequired = owner != .person && (target == .person || owner == .note && target == .team)
    if canBeRequired, random.next(4) == 0 { side.minimum = shape == .link ? 1 : 1 + random.next(2) }
    if shape != .link, random.next(4) == 0 { side.maximum = max(1, side.minimum) + random.next(5) }
    if random.next(6) == 0 { inverse?.maximum = 1 + random.next(5) }
  }

  /// The stored relationships of which something is derived.
  private static let derivedOf = ["friends", "members", "audience", "guests", "about"]
}

extension RandomIndex {
  /// The indexes that the classes have in some variations.
  fileprivate static func candidates(_ kind: GraphKind) -> [RandomIndex] {
    let common = [
      RandomIndex(["number"]), RandomIndex(["label"]), RandomIndex(["label"]).caseInsensitive,
      .fullText(["label"]),
      RandomIndex(["number", "label"]), RandomIndex(["label", "number", "mark"]),
      .unique(["mark", "number"]),
    ]
    switch kind {
    case .person:
      return common + [
        RandomIndex(["code"]), RandomIndex(["friendsSum"]), RandomIndex(["staffCount", "number"]),
        RandomIndex(["searchLabel", "label"]), .unique(["code"]), .unique(["number", "code"]),
      ]
    case .team:
      return common + [
        RandomIndex(["membersSum"]), RandomIndex(["audienceMost", "guestsCount"]),
        RandomIndex(["changedAt", "id"]),
        .unique(["label", "number"]),
      ]
    case .city:
      return common + [
        RandomIndex(["residentsLeast"]), RandomIndex(["residentsSum", "place"]),
        .unique(["label", "number"]),
      ]
    case .note:
      return common + [
        RandomIndex(["code", "aboutNumber"]), RandomIndex(["aboutStaff"]), .unique(["code"]),
        .unique(["about", "number"]),
      ]
    }
  }
}
