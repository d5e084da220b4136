import Foundation

/// Prints values as readable text. In addition to `String(describing:)`, it handles every value that a store
/// can contain.
///
/// Foundation terminates the process when it describes a NaN date.
package enum ValuePrinter {
  package static func text(of value: Any) -> String {
    hasUnprintableDate(value) ? "a date that is not a number" : String(describing: value)
  }

  static func text<Element>(of elements: [Element]) -> String {
    guard elements.contains(where: hasUnprintableDate) else { return elements.description }
    return "[" + elements.map { text(of: $0) }.joined(separator: ", ") + "]"
  }

  static func text<Value>(of entries: [String: Value]) -> String {
    guard entries.values.contains(where: hasUnprintableDate) else { return entries.description }
    return "["
      + entries.map { "\($0.key.debugDescription): \(text(of: $0.value))" }.joined(separator: ", ") + "]"
  }

  /// Returns the beginning of the text, for an error.
  static func beginning(of value: Any) -> String {
    // Swift's description uses stack space for each level.
    isDeep(value, levels: 100) ? "…" : String(text(of: value).prefix(60))
  }

  /// Whether arrays and dictionaries are nested more than `levels` deep.
  private static func isDeep(_ value: Any, levels: Int) -> Bool {
    if levels == 0 { return true }
    let parts = ValueConversion.members(of: value)?.map(\.value) ?? value as? [Any]
    return parts?.contains { isDeep($0, levels: levels - 1) } ?? false
  }

  private static func hasUnprintableDate(_ value: Any) -> Bool {
    switch value {
    case let date as Date: date.timeIntervalSinceReferenceDate.isNaN
    case let value as AnyRealmValue: value.hasUnprintableDate
    default: false
    }
  }
}

extension AnyRealmValue {
  fileprivate var hasUnprintableDate: Bool {
    switch self {
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .list(let values): values.contains(where: \.hasUnprintableDate)
    case .dictionary(let values): values.values.contains(where: \.hasUnprintableDate)
    default: false
    }
  }
}
