import Fief
import FiefRules

/// The problems of a rule in Swift, whose calls do not throw.
final class RuleProblems {
  private(set) var error: (any Error)?
  /// Whether the rule is running.
  var isOpen = true

  func report(_ error: any Error) { if self.error == nil { self.error = error } }
}

/// A place of the tree before or after a write, as a rule in Swift reads it.
public struct RuleSnapshot {
  private let data: any RuleData
  private let problems: RuleProblems

  init(_ data: any RuleData, _ problems: RuleProblems) {
    self.data = data
    self.problems = problems
  }

  private func read() -> RuleValue {
    guard problems.isOpen else { return .null }
    do { return try data.value() } catch {
      problems.report(error)
      return .null
    }
  }

  /// The value of a leaf; an empty object for a place with children; ``JSON/null`` if nothing is there.
  public var value: JSON { read().json }

  /// A Boolean value that indicates whether the place has a value or children.
  public var exists: Bool { if case .null = read() { false } else { true } }

  /// A Boolean value that indicates whether the value is a text.
  public var isString: Bool { if case .string = read() { true } else { false } }

  /// A Boolean value that indicates whether the value is a number.
  public var isNumber: Bool {
    switch read() {
    case .int, .double: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the value is a truth value.
  public var isBoolean: Bool { if case .bool = read() { true } else { false } }

  /// A Boolean value that indicates whether the place has children.
  public var hasChildren: Bool { if case .node = read() { true } else { false } }

  /// Returns whether something is at each of the paths below the place.
  public func hasChildren(_ paths: [String]) -> Bool { paths.allSatisfy { hasChild($0) } }

  /// Returns whether something is at a path below the place.
  public func hasChild(_ path: String) -> Bool { child(path).exists }

  /// Returns a place below this one.
  ///
  /// - Parameter path: names that are joined by slashes. With an empty path or an empty name, the rule is false.
  public func child(_ path: String) -> RuleSnapshot {
    // After the rule, places that refer to one another would stay in memory.
    guard problems.isOpen else { return self }
    guard let names = PlaceName.names(ofComputed: path) else {
      problems.report(RuleFailure("A path is invalid."))
      return self
    }
    return RuleSnapshot(names.reduce(data) { $0.child($1) }, problems)
  }

  /// The place above. For the root, the rule is false.
  public var parent: RuleSnapshot {
    guard let parent = data.parent else {
      problems.report(RuleFailure("The root has no parent."))
      return self
    }
    return RuleSnapshot(parent, problems)
  }
}
