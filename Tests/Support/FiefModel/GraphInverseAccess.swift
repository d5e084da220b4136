import Fief

/// The reads and changes of the inverse of a relationship.
protocol GraphInverseAccess: Sendable {
  /// The marks of the objects that link to one, in any order.
  func sources(of target: Object) -> [Int]
  func apply(_ edit: GraphInverseEdit, to target: Object, _ find: (Int) throws -> Object?) throws
}

struct GraphLinking<Owner: GraphObject, Target: GraphObject>: GraphInverseAccess {
  let path: KeyPath<Target, LinkingObjects<Owner>> & Sendable

  func sources(of target: Object) -> [Int] {
    guard let target = target as? Target else { return [] }
    return target[keyPath: path].map(\.mark)
  }

  func apply(_ edit: GraphInverseEdit, to target: Object, _ find: (Int) throws -> Object?) throws {
    guard let target = target as? Target else { return }
    func owners(_ ids: [Int]) throws -> [Owner] { try ids.compactMap { try find($0) as? Owner } }
    let linking = target[keyPath: path]
    switch edit {
    case .append(let ids): linking.append(objectsIn: try owners(ids))
    case .remove(let ids): for owner in try owners(ids) { linking.remove(owner) }
    case .removeAll: linking.removeAll()
    case .replaceAll(let ids): linking.replaceAll(with: try owners(ids))
    }
  }
}
