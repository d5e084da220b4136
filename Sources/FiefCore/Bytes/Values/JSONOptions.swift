/// Options for reading a JSON document into objects.
public struct JSONOptions: Sendable, Equatable {
  /// The treatment of a member for which the type has no property.
  public enum UnknownKeys: Sendable {
    /// The member is ignored.
    case ignore
    /// The member is an error of code ``FiefError/Code/unknownProperty``.
    case refuse
  }

  /// The treatment of a member for which the type has no property.
  public var unknownKeys: UnknownKeys
  /// How a number in place of a date is read.
  package enum NumericDates: Sendable, Equatable {
    /// Seconds since 1970, or milliseconds with ``JSONOptions/epochInMilliseconds``.
    case since1970
    /// Seconds since 2001, as Foundation's encoders write them.
    case since2001
    /// Numbers are refused. The associated text tells the user what to do instead.
    case refused(String)
  }

  /// A Boolean value that indicates whether a number in place of a date means milliseconds since 1970 instead
  /// of seconds.
  public var epochInMilliseconds: Bool
  package var numericDates = NumericDates.since1970

  /// Creates options. By default, unknown keys are ignored, and numbers in place of dates are seconds since
  /// 1970.
  public init(unknownKeys: UnknownKeys = .ignore, epochInMilliseconds: Bool = false) {
    self.unknownKeys = unknownKeys
    self.epochInMilliseconds = epochInMilliseconds
  }

  /// The options that `save(saveClass:jsonData:update:)` uses by default.
  public static let `default` = JSONOptions()
}
