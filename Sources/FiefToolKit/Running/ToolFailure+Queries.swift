import Fief
import FiefConsole

extension ToolFailure {
  /// The failure for a text that is no query; nil for other errors.
  init?(ofQuery error: FiefError) {
    switch error.code {
    case .malformedQuery, .invalidQuery, .unknownProperty, .unknownType: break
    default: return nil
    }
    self.init(
      .usage,
      code: error.code.rawValue,
      error.message,
      next: "'fief query --help' teaches the form of the text.",
      isChanged: nil
    )
    if let type = error.type { place.append((name: "type", value: type)) }
    if let property = error.property { place.append((name: "property", value: property)) }
    // An error with a place ends with the line of the text and a mark below it.
    let error = error.showingValues()
    let hasPlace = error.details.first?.hasPrefix("at: ") == true && error.details.count >= 3
    details = hasPlace ? error.details.dropLast(2) : error.details
    if hasPlace { excerpt = error.details.suffix(2).map { $0 } }
  }
}
