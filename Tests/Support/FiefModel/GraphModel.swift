import Fief
import Foundation

/// The expected content of a store of the graph, by the documented rules and plain means.
struct GraphModel: Sendable {
  /// The greatest number of objects of a type.
  static let capacity = 40

  /// The objects by type and mark.
  private var objects: [[GraphState?]]
  /// The objects that were changed in this commit, which have to be compared.
  private(set) var touched: Set<GraphRef> = []
  /// The inverses that this commit may have changed.
  private(set) var touchedInverses: Set<GraphInverseRef> = []
  /// The objects that were written in this commit for certain, and those that may have been.
  private(set) var written: Set<GraphRef> = []
  private(set) var maybeWritten: Set<GraphRef> = []
  /// The objects that were deleted in this commit.
  private(set) var deleted: Set<GraphRef> = []
  /// New objects of a save that are not stored yet, but can be linked.
  var pending: Set<GraphRef> = []
  /// The time at which each object was last written; not kept for an object that may or may not have been.
  var times: [GraphRef: Date] = [:]

  init() {
    objects = GraphKind.allCases.map { _ in Array(repeating: nil, count: Self.capacity) }
  }

  mutating func beginCommit() {
    touched = []
    touchedInverses = []
    written = []
    maybeWritten = []
    deleted = []
    pending = []
  }

  subscript(ref: GraphRef) -> GraphState? { objects[ref.kind.rawValue][ref.id] }

  func exists(_ ref: GraphRef) -> Bool { objects[ref.kind.rawValue][ref.id] != nil }

  func exists(_ kind: GraphKind, _ id: Int) -> Bool { exists(GraphRef(kind, id)) }

  /// Whether an object can be linked.
  func resolves(_ ref: GraphRef) -> Bool { exists(ref) || pending.contains(ref) }

  func all(_ kind: GraphKind) -> [GraphRef] {
    objects[kind.rawValue].indices.compactMap { objects[kind.rawValue][$0] == nil ? nil : GraphRef(kind, $0) }
  }

  var all: [GraphRef] { GraphKind.allCases.flatMap { all($0) } }

  func count(_ kind: GraphKind) -> Int { objects[kind.rawValue].count { $0 != nil } }

  // MARK: Changing

  mutating func touchEverything() { touched.formUnion(all) }

  mutating func touch(_ ref: GraphRef) { touched.insert(ref) }

  /// Touches all that another model, of the same commit, has touched.
  mutating func touchAll(of other: GraphModel) {
    touched.formUnion(other.touched)
    touchedInverses.formUnion(other.touchedInverses)
  }

  /// Notes that an object was written, or may have been.
  mutating func note(_ ref: GraphRef, isCertain: Bool) {
    touched.insert(ref)
    if isCertain { written.insert(ref) } else { maybeWritten.insert(ref) }
  }

  mutating func put(_ state: GraphState?, _ ref: GraphRef) {
    let old = objects[ref.kind.rawValue][ref.id]
    objects[ref.kind.rawValue][ref.id] = state
    touched.insert(ref)
    if state == nil, old != nil { deleted.insert(ref) }
    touchNeighbours(of: ref, old, state)
    guard (old == nil) != (state == nil) else { return }
    touchParts(leadingTo: ref)
    for relation in GraphRelation.leading[ref.kind] ?? [] {
      touchedInverses.insert(GraphInverseRef(ref: ref, relation: relation))
    }
  }

  /// Changes one value of an object without looking at what it links.
  mutating func modify(_ ref: GraphRef, _ body: (inout GraphState) -> Void) {
    if objects[ref.kind.rawValue][ref.id] == nil { return }
    guard var state = objects[ref.kind.rawValue][ref.id].take() else { return }
    body(&state)
    objects[ref.kind.rawValue][ref.id] = state
    touched.insert(ref)
  }

  /// Touches those with parts that lead to an object which comes or goes.
  private mutating func touchParts(leadingTo ref: GraphRef) {
    for owner in all(.person) + all(.city) where self[owner]?.partsLead(to: ref) ?? false {
      touched.insert(owner)
    }
  }

  private mutating func touchNeighbours(of ref: GraphRef, _ old: GraphState?, _ new: GraphState?) {
    for (slot, relation) in (GraphRelation.owned[ref.kind] ?? []).enumerated() {
      let (before, after) = (old?.links[slot] ?? [], new?.links[slot] ?? [])
      let isOther = before != after
      let target = GraphRelation.all[relation].target
      if isOther || old?.number != new?.number {
        for link in before + after {
          guard let id = link.target else { continue }
          touched.insert(GraphRef(target, id))
          if isOther {
            touchedInverses.insert(GraphInverseRef(ref: GraphRef(target, id), relation: relation))
          }
        }
      }
    }
    if old?.number != new?.number || (old == nil) != (new == nil) {
      for relation in GraphRelation.leading[ref.kind] ?? [] {
        for id in sources(of: relation, to: ref.id) {
          touched.insert(GraphRef(GraphRelation.all[relation].owner, id))
        }
      }
    }
  }

  // MARK: Reading

  /// The links of an object, with those to objects that are gone.
  func links(_ relation: Int, of id: Int) -> [GraphLink] {
    objects[GraphRelation.all[relation].owner.rawValue][id]?.links[GraphRelation.slots[relation]] ?? []
  }

  /// The links that a reader sees.
  func visible(_ links: [GraphLink], _ relation: Int) -> [GraphLink] {
    let (target, shape) = (GraphRelation.all[relation].target, GraphRelation.all[relation].shape)
    return links.compactMap { link in
      guard let id = link.target, !exists(target, id) else { return link }
      return shape == .map ? GraphLink(key: link.key, target: nil) : nil
    }
  }

  /// A part as a reader sees it: links in parts have no inverse, and stay when their targets go.
  func visible(_ part: GraphPartState) -> GraphPartState {
    var part = part
    if let city = part.city, !exists(.city, city) { part.city = nil }
    part.people.removeAll { !exists(.person, $0) }
    if let team = part.detail?.team, !exists(.team, team) { part.detail?.team = nil }
    return part
  }

  /// The objects that link to one, each once, in the order of their marks.
  func sources(of relation: Int, to id: Int) -> [Int] {
    let slot = GraphRelation.slots[relation]
    let owners = objects[GraphRelation.all[relation].owner.rawValue]
    return owners.indices.filter { owners[$0]?.links[slot].contains { $0.target == id } ?? false }
  }
}

/// The inverse of a relationship, in one object.
struct GraphInverseRef: Sendable, Hashable {
  let ref: GraphRef
  let relation: Int
}

extension Optional {
  /// Takes the value out, so that it can be changed in place.
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}
