import Fief

/// The rules of a place and of the places below it.
package final class RuleNode: Sendable {
  /// The contents of a node that is being made.
  struct Draft {
    fileprivate var read: Rule?
    fileprivate var write: Rule?
    fileprivate var validate: Rule?
    fileprivate var children: [ExactText: RuleNode] = [:]
    fileprivate var wildcard: (name: String, node: RuleNode)?

    /// - Throws: ``RulePathError`` for a second rule of one kind.
    mutating func add(_ rule: Rule) throws(RulePathError) {
      switch rule.kind {
      case .read where read == nil: read = rule
      case .write where write == nil: write = rule
      case .validate where validate == nil: validate = rule
      default: throw RulePathError("A place has two rules of one kind.")
      }
    }

    /// Adds or replaces a child.
    ///
    /// - Parameter name: a name, or a name with `$` for all other names.
    /// - Throws: ``RulePathError`` for a second name with `$`.
    mutating func set(_ node: RuleNode, at name: String) throws(RulePathError) {
      guard name.hasPrefix("$") else {
        children[ExactText(name)] = node
        return
      }
      if let wildcard, !wildcard.name.hasSameBytes(as: name) {
        throw RulePathError("A place has two children with '$'.")
      }
      wildcard = (name, node)
    }
  }

  package let read: Rule?
  package let write: Rule?
  package let validate: Rule?
  /// Whether this node or a node below it has a rule of kind `validate`.
  package let hasValidation: Bool
  private let children: [ExactText: RuleNode]
  /// The child for all names that are not in `children`, with its name.
  private let wildcard: (name: String, node: RuleNode)?

  init(_ draft: Draft) {
    read = draft.read
    write = draft.write
    validate = draft.validate
    children = draft.children
    wildcard = draft.wildcard
    hasValidation =
      validate != nil || wildcard?.node.hasValidation == true
      || children.values.contains { $0.hasValidation }
  }

  /// Creates a node without rules.
  package convenience init() { self.init(Draft()) }

  /// Returns the rules of a child: the rules of its name, or else the rules of the `$name`.
  package func child(_ name: String) -> RuleNode? {
    if !children.isEmpty, let node = children[ExactText(name)] { return node }
    return wildcard?.node
  }

  /// The rules of this node and of the nodes below it, by the bytes of their paths.
  package var all: [Rule] {
    var named = children.map { ($0.key, $0.value) }
    if let wildcard { named.append((ExactText(wildcard.name), wildcard.node)) }
    return [read, write, validate].compactMap { $0 } + named.sorted { $0.0 < $1.0 }.flatMap { $0.1.all }
  }

  /// Returns the node with one more rule.
  ///
  /// - Parameter path: the names from this node to the place, `$names` included.
  /// - Throws: ``RulePathError``.
  package func adding(_ rule: Rule, at path: ArraySlice<String>) throws(RulePathError) -> RuleNode {
    var draft = draft
    if let name = path.first {
      let isWildcard = wildcard?.name.hasSameBytes(as: name) == true
      let child = isWildcard ? wildcard?.node : children[ExactText(name)]
      try draft.set(try (child ?? RuleNode()).adding(rule, at: path.dropFirst()), at: name)
    } else {
      try draft.add(rule)
    }
    return RuleNode(draft)
  }

  private var draft: Draft {
    var draft = Draft()
    (draft.read, draft.write, draft.validate) = (read, write, validate)
    (draft.children, draft.wildcard) = (children, wildcard)
    return draft
  }
}

/// An error in the path of a rule.
package struct RulePathError: Error {
  package let message: String

  init(_ message: String) { self.message = message }
}
