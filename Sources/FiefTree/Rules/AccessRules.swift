/// The rules of a tree, with the indexes that its queries use.
///
/// ```swift
/// let rules = try AccessRules()
///   .index("messages/$room", on: "at")
///   .group("messages", on: "at")
/// let tree = JSONTree(in: ChatRepository(), rules: rules)
/// ```
public struct AccessRules: Sendable {
  /// The declared indexes, each once.
  var indexes: [TreeIndexDefinition] = []

  /// Creates rules that declare nothing.
  public init() {}

  /// Rules that declare nothing.
  public static var signedIn: AccessRules { AccessRules() }
}
