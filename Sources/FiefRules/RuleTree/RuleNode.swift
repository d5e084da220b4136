import Fief

/// The rules of a place and of the places below it.
package struct RuleNode: Sendable {
  package private(set) var read: Rule?
  package private(set) var write: Rule?
  package private(set) var validate: Rule?
  /// Whether this node or a node below it has a rule of kind `validate`.
  package private(set) var hasValidation = false
  private var children: [ExactText: RuleNode] = [:]
  /// The `$name` of the child for all other names, which has this name in `children`.
  private var wildcard: ExactText?

  package init() {}

  /// Returns the rules of a child: the rules of its name, or else the rules of the `$name`.
  package func child(_ name: String) -> RuleNode? {
    children[ExactText(name)] ?? wildcard.flatMap { children[$0] }
  }

  /// The rules of this node and of the nodes below it, by the bytes of their paths.
  package var all: [Rule] {
    [read, write, validate].compactMap { $0 } + children.sorted { $0.key < $1.key }.flatMap(\.value.all)
  }

  /// Adds a rule.
  ///
  /// - Parameter path: the names from this node to the place, `$names` included.
  /// - Throws: ``RulePathError``.
  package mutating func add(_ rule: Rule, at path: ArraySlice<String>) throws {
    if let name = path.first {
      return try change(name) { try $0.add(rule, at: path.dropFirst()) }
    }
    switch rule.kind {
    case .read where read == nil: read = rule
    case .write where write == nil: write = rule
    case .validate where validate == nil:
      validate = rule
      hasValidation = true
    default: throw RulePathError("A place has two rules of one kind.")
    }
  }

  /// Changes a child, which is added if it is not there.
  ///
  /// - Throws: ``RulePathError``, or an error of `body`.
  mutating func change(_ name: String, _ body: (inout RuleNode) throws -> Void) throws {
    let key = ExactText(name)
    if name.hasPrefix("$") {
      if let wildcard, wildcard != key { throw RulePathError("A place has two children with '$'.") }
      wildcard = key
    }
    try body(&children[key, default: RuleNode()])
    if children[key]?.hasValidation == true { hasValidation = true }
  }
}

/// An error in the path of a rule.
package struct RulePathError: Error {
  package let message: String

  init(_ message: String) { self.message = message }
}
