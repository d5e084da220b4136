import Fief
import FiefRules
public import Foundation

/// The rules by which clients may read and write a tree, and the indexes of the tree.
///
/// ```swift
/// let rules = try AccessRules()
///   .read("users/$uid") { $0.auth?.uid == $0["uid"] }
///   .write("users/$uid") { $0.auth?.uid == $0["uid"] }
///   .validate("users/$uid/name") { $0.newData.isString }
///   .index("messages/$room", on: "at")
/// let tree = JSONTree(in: ChatRepository(), rules: rules)
/// ```
/// Rules bind the references of a ``TreeClient``; references of the tree itself are not checked. The rules
/// refuse everything that they do not grant. A grant to read or write holds for the place and everything below
/// it.
public struct AccessRules: Sendable {
  /// The rules by place.
  var root = RuleNode()
  /// The read rules of groups, by name.
  var groups: [ExactText: Rule] = [:]
  /// The date until which everyone may read and write everything.
  private(set) var publicEnd: Date?
  /// The declared indexes, each once.
  var indexes: [TreeIndexDefinition] = []

  /// Creates rules that grant nothing and declare no index.
  public init() {}

  /// Rules that grant nothing.
  public static var locked: AccessRules { AccessRules() }

  /// Rules that let every client that is signed in read and write the whole tree.
  public static var signedIn: AccessRules { AccessRules { operation in operation.identity != nil } }

  /// Returns rules that let everyone read and write the whole tree until a date.
  ///
  /// Each time a program opens such a tree, the store reports `StoreEvent.publicAccess`. From the date
  /// on, the rules grant nothing.
  ///
  /// - Parameter end: the first moment at which the clock of the store ends the access.
  public static func `public`(until end: Date) -> AccessRules {
    let milliseconds = (end.timeIntervalSince1970 * 1000).rounded(.down)
    var rules = AccessRules { operation in Double(operation.now) < milliseconds }
    rules.publicEnd = end
    return rules
  }

  /// Creates rules with one condition for the whole tree.
  private init(_ condition: @escaping @Sendable (RuleOperation) -> Bool) {
    for kind in [Rule.Kind.read, .write] {
      let rule = Rule(kind, RulePattern()) { operation, _ in condition(operation) }
      // The root of new rules has no rule yet, so this cannot fail.
      root = (try? root.adding(rule, at: [])) ?? root
    }
  }

  /// Returns the rules with one more index, unless they have it.
  ///
  /// - Throws: `FiefError` of code `invalidQuery` for more than 64 indexes.
  func adding(_ index: TreeIndexDefinition) throws -> AccessRules {
    if indexes.contains(index) { return self }
    guard indexes.count < TreeIndexDefinition.most else {
      throw FiefError(.invalidQuery, "A tree has more than \(TreeIndexDefinition.most) indexes.")
    }
    var rules = self
    rules.indexes.append(index)
    return rules
  }

  // MARK: Public access

  /// The numbers of the stores whose public access was reported.
  private static let reported = Lock<Set<UInt64>>([])

  /// Reports public access once for each opening of a store.
  func reportPublicAccess(to core: StoreCore) {
    guard let publicEnd, Self.reported.withLock({ $0.insert(core.number).inserted }) else { return }
    core.emit(.publicAccess(store: core.name, until: publicEnd))
  }
}
