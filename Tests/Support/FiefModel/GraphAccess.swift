import Fief

/// The reads and changes of a relationship in objects of the store.
protocol GraphAccess: Sendable {
  /// The links that a reader sees.
  func links(of owner: Object) -> [GraphLink]
  /// The number of links, with those to objects that are gone.
  func count(of owner: Object) -> Int
  func apply(_ edit: GraphEdit, to owner: Object, _ find: (Int) throws -> Object?) throws
}

struct GraphLinkAccess<Owner: GraphObject, Target: GraphObject>: GraphAccess {
  let path: ReferenceWritableKeyPath<Owner, Target?> & Sendable

  func links(of owner: Object) -> [GraphLink] {
    guard let target = (owner as? Owner)?[keyPath: path] else { return [] }
    return [GraphLink(target: target.mark)]
  }

  func count(of owner: Object) -> Int { links(of: owner).count }

  func apply(_ edit: GraphEdit, to owner: Object, _ find: (Int) throws -> Object?) throws {
    guard let owner = owner as? Owner, case .assign(let links) = edit else { return }
    owner[keyPath: path] = try links.first?.target.flatMap { try find($0) as? Target }
  }
}

struct GraphListAccess<Owner: GraphObject, Target: GraphObject>: GraphAccess {
  let path: ReferenceWritableKeyPath<Owner, List<Target>> & Sendable

  func links(of owner: Object) -> [GraphLink] {
    guard let owner = owner as? Owner else { return [] }
    return owner[keyPath: path].map { GraphLink(target: $0.mark) }
  }

  func count(of owner: Object) -> Int { (owner as? Owner)?[keyPath: path].count ?? 0 }

  func apply(_ edit: GraphEdit, to owner: Object, _ find: (Int) throws -> Object?) throws {
    guard let owner = owner as? Owner else { return }
    func target(_ id: Int) throws -> Target? { try find(id) as? Target }
    let list = owner[keyPath: path]
    switch edit {
    case .assign(let links):
      owner[keyPath: path] = List(try links.compactMap { try $0.target.flatMap(target) })
    case .append(let ids): list.append(objectsIn: try ids.compactMap(target))
    case .insert(let id, let index): if let object = try target(id) { list.insert(object, at: index) }
    case .replace(let index, let id):
      if let object = try target(id) { list.replace(index: index, object: object) }
    case .remove(let index): list.remove(at: index)
    case .move(let source, let destination): list.move(from: source, to: destination)
    case .swap(let first, let second): list.swapAt(first, second)
    case .removeAll: list.removeAll()
    default: break
    }
  }
}

struct GraphSetAccess<Owner: GraphObject, Target: GraphObject>: GraphAccess {
  let path: ReferenceWritableKeyPath<Owner, MutableSet<Target>> & Sendable

  func links(of owner: Object) -> [GraphLink] {
    guard let owner = owner as? Owner else { return [] }
    return owner[keyPath: path].map { GraphLink(target: $0.mark) }
  }

  func count(of owner: Object) -> Int { (owner as? Owner)?[keyPath: path].count ?? 0 }

  func apply(_ edit: GraphEdit, to owner: Object, _ find: (Int) throws -> Object?) throws {
    guard let owner = owner as? Owner else { return }
    switch edit {
    case .assign(let links):
      let targets = try links.compactMap { try $0.target.flatMap { try find($0) as? Target } }
      owner[keyPath: path] = MutableSet(targets)
    case .append(let ids):
      owner[keyPath: path].insert(objectsIn: try ids.compactMap { try find($0) as? Target })
    case .add(let id): if let object = try find(id) as? Target { owner[keyPath: path].insert(object) }
    case .drop(let id): if let object = try find(id) as? Target { owner[keyPath: path].remove(object) }
    case .removeAll: owner[keyPath: path].removeAll()
    default: break
    }
  }
}

struct GraphMapAccess<Owner: GraphObject, Target: GraphObject>: GraphAccess {
  let path: ReferenceWritableKeyPath<Owner, Map<String, Target?>> & Sendable

  func links(of owner: Object) -> [GraphLink] {
    guard let owner = owner as? Owner else { return [] }
    let map = owner[keyPath: path]
    return map.keys.map { key in GraphLink(key: key, target: map[key].flatMap { $0?.mark }) }
  }

  func count(of owner: Object) -> Int { (owner as? Owner)?[keyPath: path].count ?? 0 }

  func apply(_ edit: GraphEdit, to owner: Object, _ find: (Int) throws -> Object?) throws {
    guard let owner = owner as? Owner else { return }
    func target(_ id: Int?) throws -> Target? { try id.flatMap { try find($0) as? Target } }
    switch edit {
    case .assign(let links):
      let map = Map<String, Target?>()
      for link in links { map[link.key] = .some(try target(link.target)) }
      owner[keyPath: path] = map
    case .put(let key, let id): owner[keyPath: path][key] = .some(try target(id))
    case .clear(let key): owner[keyPath: path].removeObject(for: key)
    case .removeAll: owner[keyPath: path].removeAll()
    default: break
    }
  }
}
