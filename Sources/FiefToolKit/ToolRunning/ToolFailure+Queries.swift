import Fief
import FiefConsole

extension ToolFailure {
  /// Creates the failure for an invalid query text. Returns `nil` for other errors.
  init?(ofQuery error: FiefError) {
    switch error.code {
    case .malformedQuery, .invalidQuery, .unknownProperty, .unknownType: break
    default: return nil
    }
    self.init(
      .usage,
      code: error.code.rawValue,
      error.message,
      next: "'fief query --help' explains the syntax of the text.",
      isChanged: nil
    )
    if let type = error.type { place.append((name: "type", value: type)) }
    if let property = error.property { place.append((name: "property", value: property)) }
    // The details of an error with a position end with the line of the text and a line that marks the
    // position.
    let error = error.showingValues()
    let hasPlace = error.details.first?.hasPrefix("at: ") == true && error.details.count >= 3
    details = hasPlace ? error.details.dropLast(2) : error.details
    if hasPlace { excerpt = error.details.suffix(2).map { $0 } }
  }
}
