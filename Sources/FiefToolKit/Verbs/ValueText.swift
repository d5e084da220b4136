import Fief
import FiefConsole

/// Values as people read them.
enum ValueText {
  /// A property of an object: as in a cell of CSV, but nil is said.
  static func text(of name: String, in object: DynamicObject) throws -> String {
    let cell = try object.cell(of: name)
    return cell.isNil ? "nil" : Format.printable(cell.text)
  }

  /// A value by itself.
  static func text(of value: Any) -> String {
    if let text = value as? String { return "'\(Format.printable(text))'" }
    return Format.printable("\(value)")
  }

  /// The type of a property, as Swift writes it.
  static func type(of column: PropertySchema) -> String {
    column.type.kind == .linkingObjects
      ? "LinkingObjects<\(column.type.target ?? "?")>" : column.type.description
  }
}
