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
  /// The meaning of numbers where a date is expected.
  package enum NumericDates: Sendable, Equatable {
    /// Seconds since 1970, or milliseconds with ``JSONOptions/epochInMilliseconds``.
    case since1970
    /// Seconds since 2001, as Foundation's encoders write them.
    case since2001
    /// Numbers are refused; the text says what to do.
    case refused(String)
  }

  /// Whether numbers count milliseconds, not seconds, since 1970 where a date is expected.
  public var epochInMilliseconds: Bool
  package var numericDates = NumericDates.since1970

  /// Makes options; unknown keys are ignored and numbers are seconds unless said otherwise.
  public init(unknownKeys: UnknownKeys = .ignore, epochInMilliseconds: Bool = false) {
    self.unknownKeys = unknownKeys
    self.epochInMilliseconds = epochInMilliseconds
  }

  /// The options of `save(saveClass:jsonData:update:)` where none are given.
  public static let `default` = JSONOptions()
}
