import Fief
import FiefConsole

extension DynamicSnapshot {
  /// Returns the key for a text entered by the user.
  ///
  /// - Throws: ``ToolFailure`` if the text is not a key of the type, which is a mistake in the command line
  ///   and not in the data.
  func key(of type: DynamicType, typed text: String) throws -> ObjectKey {
    do { return try key(ofType: type.name, text: text) } catch let error as FiefError {
      switch error.code {
      case .invalidValue, .malformedJSON, .missingValue, .primaryKeyTooLong: break
      default: throw error
      }
      let parts = type.primaryKey.joined(separator: ", ")
      throw ToolFailure(
        .usage,
        code: error.code.rawValue,
        "'\(Format.printable(text))' is not a key of \(Format.printable(type.name))"
          + (parts.isEmpty ? "." : ", whose primary key is \(Format.printable(parts))."),
        next: ToolDeclaration.keyText,
        isChanged: nil,
        details: error.showingValues().details
      )
    }
  }
}
