import Fief
import FiefConsole

/// Formats values for people.
enum ValueText {
  /// Returns a property of an object as in a CSV cell, but with `nil` written out.
  static func text(of name: String, in object: DynamicObject) throws -> String {
    let cell = try object.cell(of: name)
    return cell.isNil ? "nil" : Format.printable(cell.text)
  }

  /// Returns the text of a single value.
  static func text(of value: Any) -> String {
    if let text = value as? String { return "'\(Format.printable(text))'" }
    return Format.printable("\(value)")
  }

  /// Returns the type of a property in Swift syntax.
  static func type(of column: PropertySchema) -> String {
    column.type.kind == .linkingObjects
      ? "LinkingObjects<\(column.type.target ?? "?")>" : column.type.description
  }
}
