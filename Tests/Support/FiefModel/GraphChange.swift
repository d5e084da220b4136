import Fief

/// A change of one object's own values.
enum GraphAssignment: Sendable, Hashable {
  case number(Int)
  case label(String?)
  case code(Int?)
  case words(GraphValues)
  case tags([String: String])
  case tag(String, String?)
  case marks(Set<Int>)
  case mark(Int, isThere: Bool)
  case link(Int, GraphEdit)
  case part(GraphPartState?)
  case partChange(GraphPartPlace, GraphPartChange)
  case parts([GraphPartState])
  case addPart(GraphPartState, at: Int)
  case removePart(at: Int)
  case movePart(from: Int, to: Int)
  case putPart(String, GraphPartState?)
  case clearPart(String)

  var field: GraphField {
    switch self {
    case .number: .number
    case .label: .label
    case .code: .code
    case .words: .words
    case .tags, .tag: .tags
    case .marks, .mark: .marks
    case .link(let relation, _): .link(relation)
    case .part, .partChange(.single, _): .part
    case .parts, .addPart, .removePart, .movePart, .partChange(.index, _): .parts
    case .putPart, .clearPart, .partChange(.key, _): .partsByName
    }
  }
}

extension GraphAssignment {
  /// Whether the property is assigned, or else changed.
  var isWhole: Bool {
    switch self {
    case .number, .label, .code, .tags, .marks, .part, .parts, .words(.assign), .link(_, .assign): true
    default: false
    }
  }

  /// Whether it is certain that a new object has something assigned, or not, by this.
  var isClear: Bool {
    switch self {
    case .words(.insert(_, at: 0)), .tag(_, .some), .mark(_, isThere: true), .addPart(_, at: 0), .putPart:
      true
    case .link(_, .add), .link(_, .insert(_, at: 0)), .link(_, .put): true
    default: isWhole
    }
  }
}

/// A change of a list of texts.
enum GraphValues: Sendable, Hashable {
  case assign([String])
  case append([String])
  case insert(String, at: Int)
  case remove(at: Int)
  case move(from: Int, to: Int)
  case removeAll
}

/// The place of a part.
enum GraphPartPlace: Sendable, Hashable {
  case single
  case index(Int)
  case key(String)
}

/// A change inside of a part.
enum GraphPartChange: Sendable, Hashable {
  case text(String)
  case number(Int?)
  case city(Int?)
  case addPerson(Int)
  case dropPerson(Int)
  case detail(GraphPartState.Detail?)
  case team(Int?)
}

/// A change inside of a write.
enum GraphChange: Sendable, Hashable {
  case create(GraphRef, [GraphAssignment], UpdatePolicy)
  case assign(GraphRef, GraphAssignment)
  case inverse(of: GraphRef, relation: Int, GraphInverseEdit)
  case delete([GraphRef], GraphDeletion)
  case deleteAll(GraphKind)
  /// Compares an object as it is then.
  case look(GraphRef)
  /// Asks a query as of then.
  case query(Int, Int)
}

/// The way in which objects are deleted.
enum GraphDeletion: Sendable, Hashable {
  case objects
  case keys
}

/// What is done with a copy after a write that may have changed or deleted its original.
struct GraphSurvival: Sendable, Hashable {
  /// Whether the collections are read before the write.
  let isRead: Bool
  /// Whether they are compared after it.
  let isCompared: Bool
  /// Whether the copies are saved.
  let isSaved: Bool
}

/// Copies that are changed in a write, which is rolled back, and then in a second write.
struct GraphHolding: Sendable, Hashable {
  let refs: [GraphRef]
  /// Whether the copies are read before the write.
  let isRead: Bool
  /// Whether the copies are compared between the two writes.
  let isCompared: Bool
  /// The changes of the write that is rolled back.
  let rolledBack: [GraphChange]
  /// The changes of the write after it.
  let changes: [GraphChange]
}

/// An object of a save.
struct GraphSaving: Sendable, Hashable {
  let ref: GraphRef
  /// Whether it is a new object, or else a copy of the stored one.
  let isNew: Bool
  let assignments: [GraphAssignment]
}

/// A step of a run on the store: mostly one commit.
enum GraphStep: Sendable, Hashable {
  case write([GraphChange], isAborted: Bool)
  case save([GraphSaving], UpdatePolicy)
  case json([GraphSaving], UpdatePolicy)
  /// A write without the classes; only new objects, assignments and deletions.
  case dynamic([GraphChange])
  case delete([GraphRef], GraphDeletion)
  case deleteAll(GraphKind)
  /// Copies that are read before a write, and compared and perhaps saved after it.
  case outlive([GraphRef], [GraphChange], GraphSurvival)
  /// Copies that join a write that is rolled back, and then another write.
  case hold(GraphHolding)
  case reopen
  case query(Int, Int)

  /// The number of operations in the step.
  var count: Int {
    switch self {
    case .write(let changes, _), .dynamic(let changes): changes.count
    case .outlive(let refs, let changes, _): refs.count + changes.count
    case .hold(let holding): holding.refs.count + holding.rolledBack.count + holding.changes.count
    case .save(let savings, _), .json(let savings, _):
      savings.reduce(0) { $0 + max(1, $1.assignments.count) }
    default: 1
    }
  }
}
