/// The options for reading a JSON document into objects.
public struct JSONOptions: Sendable, Equatable {
  /// The treatment of a member that the type has no property for.
  public enum UnknownKeys: Sendable {
    /// The member is left out.
    case ignore
    /// The member is an error of code ``FiefError/Code/unknownProperty``.
    case refuse
  }

  /// The treatment of a member that the type has no property for.
  public var unknownKeys: UnknownKeys
  /// Whether numbers count milliseconds, not seconds, since 1970 where a date is expected.
  public var epochInMilliseconds: Bool

  /// Makes options; unknown keys are ignored and numbers are seconds unless said otherwise.
  public init(unknownKeys: UnknownKeys = .ignore, epochInMilliseconds: Bool = false) {
    self.unknownKeys = unknownKeys
    self.epochInMilliseconds = epochInMilliseconds
  }

  /// The options of `save(saveClass:jsonData:update:)` where none are given.
  public static let `default` = JSONOptions()
}
