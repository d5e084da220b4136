import Foundation

/// An object's values as text, for comparisons in tests. Two texts are equal if and only if the values are
/// equal.
package struct ObjectText: Sendable, Hashable {
  /// The type's name.
  package let type: String
  /// The primary key; nil for a type without one.
  package let key: String?
  /// The stored properties in the order of their declaration, each with its value.
  package let properties: [Property]

  /// One property.
  package struct Property: Sendable, Hashable {
    /// The property's name.
    package let name: String
    /// The property's value as text.
    package let value: String

    package static func == (first: Property, second: Property) -> Bool {
      first.name == second.name && first.value.hasSameBytes(as: second.value)
    }
  }

  package static func == (first: ObjectText, second: ObjectText) -> Bool {
    first.type == second.type && first.key.hasSameBytes(as: second.key)
      && first.properties == second.properties
  }
}

extension ObjectBase {
  /// Returns the values of all stored properties as text. A linked object is represented by its type and key.
  package func comparableText() -> ObjectText {
    willBeRead()
    let descriptor = descriptor
    let properties = descriptor.properties.filter { $0.access != .none }.map {
      ObjectText.Property(name: $0.name, value: ComparableText.text(of: value(of: $0)))
    }
    return ObjectText(type: descriptor.name, key: comparableKey, properties: properties)
  }

  fileprivate var comparableKey: String? {
    let primaryKey = descriptor.primaryKey
    if primaryKey.isEmpty { return nil }
    return primaryKey.map { ComparableText.text(of: value(of: descriptor.properties[$0])) }
      .joined(separator: ", ")
  }
}

/// Textual representations of values, for comparing objects. Unequal values have different representations.
enum ComparableText {
  static func text(ofOrdered values: some Sequence) -> String {
    "[" + values.map { text(of: $0) }.joined(separator: ", ") + "]"
  }

  static func text(ofUnordered values: some Sequence) -> String {
    "{" + values.map { text(of: $0) }.sorted().joined(separator: ", ") + "}"
  }

  static func text(of value: Any) -> String {
    if ValueConversion.isNil(value) { return "nil" }
    // An optional is stored differently from its value, so the value is compared.
    if let optional = value as? any ComparableOptional { return optional.comparableText() }
    switch value {
    case let collection as any ComparableCollection: return collection.comparableText()
    case let object as EmbeddedObject:
      let properties = object.comparableText().properties.map { "\($0.name): \($0.value)" }
      return "{" + properties.joined(separator: ", ") + "}"
    case let object as ObjectBase:
      let key = object.comparableKey ?? (object._rowID == 0 ? "new" : "row \(object._rowID)")
      return "\(object.descriptor.name)(\(key))"
    case let text as String: return text.debugDescription
    case let data as Data: return "Data(" + data.map { String(format: "%02x", $0) }.joined() + ")"
    case let date as Date:
      return "Date(\(date.timeIntervalSinceReferenceDate), \(ValuePrinter.text(of: date)))"
    case .list(let values) as AnyRealmValue: return "list" + text(ofOrdered: values)
    case .dictionary(let values) as AnyRealmValue: return "dictionary" + values.comparableText()
    case .object(let object) as AnyRealmValue: return text(of: object)
    case let value as any RealmCollectionValue: return scalarText(of: value)
    default: return ValuePrinter.text(of: value)
    }
  }

  /// Returns the text of a value's stored form, for enumerations and custom types.
  private static func scalarText(of value: any RealmCollectionValue) -> String {
    if let object = QueryEmbedded.object(in: value) { return text(of: object) }
    var writer = ValueWriter()
    let type = Swift.type(of: value)._elementType
    guard (try? value._appendElement(to: &writer)) != nil,
      let stored = try? writer.bytes.withUnsafeBytes({ try DynamicPayload.value($0, type: type) })
    else { return ValuePrinter.text(of: value) }
    switch stored {
    case let text as String: return text.debugDescription
    case let data as Data: return text(of: data)
    case let date as Date: return text(of: date)
    default: return ValuePrinter.text(of: stored)
    }
  }
}

private protocol ComparableOptional {
  func comparableText() -> String
}

extension Optional: ComparableOptional {
  fileprivate func comparableText() -> String { map { ComparableText.text(of: $0) } ?? "nil" }
}

extension Array: ComparableCollection {
  func comparableText() -> String { ComparableText.text(ofOrdered: self) }
}

extension Set: ComparableCollection {
  func comparableText() -> String { ComparableText.text(ofUnordered: self) }
}

extension Dictionary: ComparableCollection {
  func comparableText() -> String {
    let entries = map { "\(ComparableText.text(of: $0.key)): \(ComparableText.text(of: $0.value))" }
    return "[" + entries.sorted().joined(separator: ", ") + "]"
  }
}

/// The collection of a property, whatever its elements.
protocol ComparableCollection {
  func comparableText() -> String
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension EmbeddedObject: _PersistedForm {
  public static func _defaultForm() -> Self { self.init() }
  public static func _areEqualForms(_ first: EmbeddedObject, _ second: EmbeddedObject) -> Bool {
    first === second || first.comparableText() == second.comparableText()
  }
}
