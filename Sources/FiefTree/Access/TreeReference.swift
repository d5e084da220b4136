import Fief

/// A place in a tree. Nothing needs to be there.
///
/// A reference is a value: it holds no data and no transaction, and any task may use it. Two references are
/// equal if their paths have the same names, their trees are in the same store of the same type of
/// repository, and they belong to the same ``TreeClient`` or to none.
public struct TreeReference: Sendable, Hashable {
  let tree: JSONTree
  let location: TreePath
  /// The client whose reads and writes the rules check; `nil` for the program itself.
  let client: TreeClient?

  init(tree: JSONTree, client: TreeClient? = nil, location: TreePath) {
    self.tree = tree
    self.client = client
    self.location = location
  }

  /// Returns another place for the same client.
  func at(_ location: TreePath) -> TreeReference {
    TreeReference(tree: tree, client: client, location: location)
  }

  /// The names from the root, joined by slashes; empty for the root.
  public var path: String { location.text }

  /// The last name of the path; `nil` for the root.
  public var key: String? { location.names.last }

  /// The place above; `nil` for the root.
  public var parent: TreeReference? {
    if location.names.isEmpty { return nil }
    return at(TreePath(names: Array(location.names.dropLast())))
  }

  /// Returns a place below this one.
  ///
  /// - Parameter path: names that are joined by slashes; see ``JSONTree/reference(_:)``.
  /// - Throws: `FiefError` of code `invalidTreeKey`, or `treeTooDeep` for more than 32 names from the root.
  public func child(_ path: String) throws -> TreeReference {
    at(try TreePath(path, below: location))
  }

  /// Returns a child with a new name. Nothing is written.
  ///
  /// ```swift
  /// try await messages.childByAutoId().setValue(["text": "Hello"])
  /// ```
  /// The name has 20 characters of `-0-9A-Z_a-z`: 8 for the time of the store's clock in milliseconds, and 12
  /// for 72 bits of `StoreOptions.randomBytes`. The names of one process increase strictly, even if its clock is set back; names of several
  /// processes are in the order of their times. A child of a place with 32 names is too deep to be written.
  public func childByAutoId() -> TreeReference {
    at(location.appending(AutoIdentifier.next(with: tree.origin.repository.storeOptions)))
  }

  /// Returns whether two references have the same path in the same tree, and the same client.
  public static func == (first: TreeReference, second: TreeReference) -> Bool {
    first.location == second.location && first.client === second.client
      && first.tree.origin == second.tree.origin
  }

  /// Hashes the path and the type of the repository.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(location)
    hasher.combine(tree.origin)
  }
}

extension TreeReference: CustomStringConvertible {
  /// The path with a leading slash.
  public var description: String { "/" + path }
}

extension TreeReference: TreeQueryable {
  /// The query for all children of the place in the order of their keys.
  public var query: TreeQuery { TreeQuery(reference: self, selection: TreeSelection(childrenOf: location)) }
}
