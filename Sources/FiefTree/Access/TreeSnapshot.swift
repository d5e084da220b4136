/// The value of a place with everything below it, as it was read.
public struct TreeSnapshot: Sendable {
  /// The place.
  public let reference: TreeReference
  /// The value as the tree has it: every node with children is an object. ``JSON/null`` if nothing is there.
  public let json: JSON
  /// The children in the order of a query; `nil` for the order of the tree.
  private var ordered: [JSONObject.Member]?
  /// Whether the names of the children are paths, as in a group.
  private var isGroup = false

  init(reference: TreeReference, json: JSON) {
    self.reference = reference
    self.json = json
  }

  /// Creates the snapshot of a query.
  ///
  /// - Parameters:
  ///   - reference: the place of the query; the root for a group.
  ///   - members: the children in the order of the query.
  ///   - isGroup: whether the names of the children are their paths.
  init(reference: TreeReference, inOrder members: [JSONObject.Member], isGroup: Bool = false) {
    self.reference = reference
    self.isGroup = isGroup
    json = members.isEmpty ? .null : .object(JSONObject(members.map { ($0.name, $0.value) }))
    ordered = members
  }

  /// The last name of the place; `nil` for the root.
  public var key: String? { reference.key }

  /// A Boolean value that indicates whether the place has a value or children.
  public var exists: Bool { if case .null = json { false } else { true } }

  /// The value, with arrays in place of the nodes that look like one.
  ///
  /// A node is returned as an array if all names of its children are integers without leading zeros, and the
  /// greatest one is less than twice the number of children. Missing elements are ``JSON/null``. This applies
  /// at each level. Use ``json`` for data that is not meant as an array.
  public var value: JSON { json.coerced }

  /// A Boolean value that indicates whether the value may be older than the server's. It is false for a tree
  /// without a server.
  public var isFromCache: Bool { false }

  /// Returns the value as an instance of a type. See ``TreeReference/value(as:)``.
  ///
  /// - Throws: `DecodingError`, also if nothing is at the place and the type does not accept that.
  public func decode<T: Decodable>(as type: T.Type) throws -> T { try TreeDecoder.decode(type, from: json) }

  /// The children, in the order of the tree or of the query that was read; empty for a value without children.
  public var children: [TreeSnapshot] {
    (ordered ?? json.object?.members ?? []).map { member in
      TreeSnapshot(reference: reference(of: member.name), json: member.value)
    }
  }

  /// The number of children.
  public var childCount: Int { json.object?.count ?? 0 }

  /// Returns the snapshot of a place below this one.
  ///
  /// - Parameter path: names that are joined by slashes; see ``JSONTree/reference(_:)``.
  /// - Throws: `FiefError` of code `invalidTreeKey` or `treeTooDeep`.
  public func child(_ path: String) throws -> TreeSnapshot {
    let place = try reference.child(path)
    if isGroup { return child(at: place) }
    let names = place.location.names.dropFirst(reference.location.names.count)
    return TreeSnapshot(reference: place, json: names.reduce(json) { $0[$1] })
  }

  /// Returns a place in one of the children of a group.
  private func child(at place: TreeReference) -> TreeSnapshot {
    for count in 1...max(place.location.names.count, 1) {
      let path = TreePath(names: Array(place.location.names.prefix(count)))
      let value = json[path.text]
      if case .null = value { continue }
      return TreeSnapshot(
        reference: place,
        json: place.location.names.dropFirst(count).reduce(value) { $0[$1] }
      )
    }
    return TreeSnapshot(reference: place, json: .null)
  }

  private func reference(of name: String) -> TreeReference {
    reference.at(isGroup ? TreePath(valid: name) : reference.location.appending(name))
  }
}
