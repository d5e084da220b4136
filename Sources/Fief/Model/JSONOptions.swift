import Foundation

/// How a JSON document is read into objects.
public struct JSONOptions: Sendable, Equatable {
  /// What happens to a member that the type has no property for.
  public enum UnknownKeys: Sendable {
    /// The member is left out.
    case ignore
    /// The document is refused.
    case refuse
  }

  /// What happens to a member that the type has no property for.
  public var unknownKeys: UnknownKeys
  /// Whether numbers count milliseconds, not seconds, since 1970 where a date is expected.
  public var epochInMilliseconds: Bool

  /// Makes options; unknown keys are ignored and numbers are seconds unless said otherwise.
  public init(unknownKeys: UnknownKeys = .ignore, epochInMilliseconds: Bool = false) {
    self.unknownKeys = unknownKeys
    self.epochInMilliseconds = epochInMilliseconds
  }

  /// The options of `save(saveClass:jsonData:)` where none are given.
  public static let `default` = JSONOptions()

  func date(from value: Any) -> Date? {
    if let text = value as? String { return Self.iso8601(text) }
    let number: Double
    if let value = value as? Double {
      number = value
    } else if let value = value as? Int64 {
      number = Double(value)
    } else if let value = value as? Int {
      number = Double(value)
    } else {
      return nil
    }
    guard number.isFinite else { return nil }
    return Date(timeIntervalSince1970: epochInMilliseconds ? number / 1000 : number)
  }

  private static func iso8601(_ text: String) -> Date? {
    let withTime = Date.ISO8601FormatStyle()
    if let date = try? withTime.parse(text) { return date }
    let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    if let date = try? withFraction.parse(text) { return date }
    return try? Date.ISO8601FormatStyle().year().month().day().parse(text)
  }
}
