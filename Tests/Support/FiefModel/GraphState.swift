import Fief

/// The state of an object of the graph, in plain values.
struct GraphState: Sendable, Hashable {
  var number = 0
  var label: ExactText?
  var code: Int?
  var words: [String] = []
  var tags: [String: String] = [:]
  var marks: Set<Int> = []
  var part: GraphPartState?
  var parts: [GraphPartState] = []
  var partsByName: [String: GraphPartState?] = [:]
  /// The links by the place of the relationship among those that the type owns.
  var links: [[GraphLink]]

  init(_ kind: GraphKind) { links = Array(repeating: [], count: GraphRelation.owned[kind]?.count ?? 0) }
}

/// A part, with the marks of what it links.
struct GraphPartState: Sendable, Hashable {
  struct Detail: Sendable, Hashable {
    var text: String
    var team: Int?
  }

  var text = ""
  var number: Int?
  var city: Int?
  var people: [Int] = []
  var detail: Detail?
}

/// A field of an object, as a save of the assigned properties distinguishes them.
enum GraphField: Sendable, Hashable {
  case number, label, code, words, tags, marks, part, parts, partsByName
  /// A relationship.
  case link(Int)
}

extension GraphState {
  /// Takes a field of another state.
  mutating func take(_ field: GraphField, from other: GraphState) {
    switch field {
    case .number: number = other.number
    case .label: label = other.label
    case .code: code = other.code
    case .words: words = other.words
    case .tags: tags = other.tags
    case .marks: marks = other.marks
    case .part: part = other.part
    case .parts: parts = other.parts
    case .partsByName: partsByName = other.partsByName
    case .link(let relation):
      let slot = GraphRelation.slots[relation]
      links[slot] = other.links[slot]
    }
  }
}

extension GraphState {
  /// Whether a part links an object.
  func partsLead(to ref: GraphRef) -> Bool {
    var parts = parts
    if let part { parts.append(part) }
    parts += partsByName.values.compactMap { $0 }
    return parts.contains { part in
      switch ref.kind {
      case .person: part.people.contains(ref.id)
      case .city: part.city == ref.id
      case .team: part.detail?.team == ref.id
      case .note: false
      }
    }
  }
}
