/// An index of a tree: a part of the store that orders the children of places by their values.
///
/// Declare indexes in the rules of a tree, with ``AccessRules/index(_:on:)`` and ``AccessRules/group(_:on:)``.
public struct TreeIndex: Sendable, Hashable, CustomStringConvertible {
  let definition: TreeIndexDefinition
  /// A Boolean value that indicates whether queries use the index. An index that is being built is not
  /// complete yet.
  public let isComplete: Bool

  /// The pattern of the places whose children are ordered; `nil` for the index of a group.
  public var pattern: String? {
    if case .pattern(let pattern) = definition.scope { pattern.text } else { nil }
  }

  /// The name of the nodes whose children are ordered; `nil` for the index of a pattern.
  public var group: String? { if case .group(let name) = definition.scope { name } else { nil } }

  /// The names from a child to the value that orders it, joined by slashes; `.value` for the values of the
  /// children themselves.
  public var order: String { definition.order.text ?? "" }

  /// The index in one line.
  public var description: String { definition.description + (isComplete ? "" : ", not complete yet") }

  init(_ index: StoredIndex) {
    definition = index.definition
    isComplete = index.isComplete
  }
}
