/// A property whose targets are prefetched, with the properties of the targets that are prefetched in turn.
final class PrefetchNode {
  let name: String
  let type: ColumnType
  /// The class of the property's targets.
  let target: ObjectBase.Type
  /// The column whose backlinks are followed, for an inverse.
  let inverse: Table.LinkColumn?
  private(set) var children: [PrefetchNode] = []
  /// The property in the class of the previous request. Objects rarely belong to several classes.
  private var known: (type: ObjectBase.Type, property: PropertyDescriptor)?

  private init(_ property: PropertyDescriptor, target: ObjectBase.Type, inverse: Table.LinkColumn?) {
    name = property.name
    type = property.type
    self.target = target
    self.inverse = inverse
  }

  /// Returns the property of an object, or `nil` if its class has no property with the name and type.
  func property(of object: ObjectBase) -> PropertyDescriptor? {
    let own = Swift.type(of: object)
    if let known, known.type == own { return known.property }
    guard let property = object.descriptor.property(named: name), property.type == type else { return nil }
    known = (own, property)
    return property
  }

  /// Returns the paths as trees, so that a prefix shared by several paths is prefetched once.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  static func tree(_ paths: [QueryPath], of type: ObjectBase.Type, in store: StoreCore) throws
    -> [PrefetchNode]
  {
    var roots: [PrefetchNode] = []
    for path in paths {
      var parent: PrefetchNode?
      var type = type
      for step in path.steps {
        let siblings = parent?.children ?? roots
        let node: PrefetchNode
        if case .property(let name) = step, let known = siblings.first(where: { $0.name == name }) {
          node = known
        } else {
          node = try PrefetchNode.node(step, of: type, path, in: store)
          if let parent { parent.children.append(node) } else { roots.append(node) }
        }
        parent = node
        type = node.target
      }
      if parent == nil { throw refused(path, nil, store, "A path to prefetch has no property.") }
    }
    return roots
  }

  private static func node(
    _ step: QueryPath.Step,
    of type: ObjectBase.Type,
    _ path: QueryPath,
    in store: StoreCore
  ) throws -> PrefetchNode {
    let descriptor = try store.binding(of: type).descriptor
    guard case .property(let name) = step else {
      throw refused(path, descriptor.name, store, "A single map value cannot be prefetched.")
    }
    guard let property = descriptor.property(named: name) else {
      throw FiefError(
        .unknownProperty,
        "The type has no property with that name.",
        store: store.name,
        type: descriptor.name,
        property: name,
        details: ["to prefetch: \(path.text ?? name)"]
      )
    }
    switch property.type.kind {
    case .link, .embedded, .linkingObjects: break
    default: throw refused(path, descriptor.name, store, "Only relationships can be prefetched.")
    }
    guard let target = property.type.target.flatMap(store.descriptor(named:)) else {
      throw refused(path, descriptor.name, store, "The store does not have the objects' class.")
    }
    var inverse: Table.LinkColumn?
    if let origin = property.originProperty {
      let source = try store.binding(of: target.type)
      let column = source.descriptor.property(named: origin)?.column
      inverse = source.table.links.first { $0.column.name == column }
      if inverse == nil { throw refused(path, descriptor.name, store, "The inverse has no matching link.") }
    }
    return PrefetchNode(property, target: target.type, inverse: inverse)
  }

  private static func refused(
    _ path: QueryPath,
    _ type: String?,
    _ store: StoreCore,
    _ message: String
  ) -> FiefError {
    FiefError(.invalidQuery, message, store: store.name, type: type, property: path.text)
  }
}
