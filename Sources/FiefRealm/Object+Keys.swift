import Fief
import Foundation

extension ObjectBase {
  /// The value of a property by its name, in the form that Realm's objects give it: the raw value of an enumeration, the stored
  /// value of a custom type, the contents of a value of any type, and a number as an `NSNumber`, which casts to each type of
  /// Swift that has its value.
  ///
  /// ```swift
  /// let age = dog["age"] as? Int
  /// let size = dog["size"] as? String  // The raw value of an enumeration.
  /// ```
  /// Reading gives nil for a property that is nil or does not exist; assigning a value that does not fit changes nothing. An unknown
  /// name and an unsuitable value are an event (`StoreEvent.misuse(_:)`). `value(ofProperty:)` gives the value as it is declared.
  public subscript(key: String) -> Any? {
    get {
      do { return ObjectiveCValue.of(try value(ofProperty: key)) } catch {
        reportMisuse(error)
        return nil
      }
    }
    set {
      do { try setValue(newValue, ofProperty: key) } catch { reportMisuse(error) }
    }
  }

  /// The value of a property by its name, as `object["name"]` has it.
  public func value(forKey key: String) -> Any? { self[key] }

  /// Assigns a property by its name, as `object["name"]` does.
  public func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  /// The values of properties by their names, as `object["name"]` has each; `NSNull` for nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, self[$0] ?? NSNull()) }) { first, _ in first }
  }

  /// The value of a property of an object that links lead to: `"home.city"`; nil where one of them is nil.
  ///
  /// The value of a property that does not exist is nil, which is reported as `StoreEvent.misuse(_:)`.
  public func value(forKeyPath keyPath: String) -> Any? {
    guard let (object, name) = last(of: keyPath) else { return nil }
    return object[name]
  }

  /// Assigns a property of an object that links lead to: `"home.city"`; does nothing where one of them is nil.
  ///
  /// A value that does not fit changes nothing, and is reported as `StoreEvent.misuse(_:)`.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let (object, name) = last(of: keyPath) else { return }
    object[name] = value
  }

  private func last(of keyPath: String) -> (ObjectBase, String)? {
    var object = self
    var names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while names.count > 1, let name = names.popFirst() {
      guard let value = object[name] else { return nil }
      guard let next = value as? ObjectBase else {
        object.reportMisuse(
          FiefError(
            .unknownProperty,
            "A key path leads on behind a property that is no object.",
            type: Swift.type(of: object).className(),
            property: keyPath
          )
        )
        return nil
      }
      object = next
    }
    return names.first.map { (object, $0) }
  }

  /// Not available: a list by its name has its own type.
  @available(*, unavailable, message: "a list by its name has its type: object[name] as? List<Dog>")
  public func dynamicList(_ propertyName: String) -> List<Object> { List() }

  /// Not available: a set by its name has its own type.
  @available(*, unavailable, message: "a set by its name has its type: object[name] as? MutableSet<Dog>")
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<Object> { MutableSet() }

  /// Not available: a map by its name has its own type.
  @available(*, unavailable, message: "a map by its name has its type: object[name] as? Map<String, Dog?>")
  public func dynamicMap<Key>(_ propertyName: String) -> Map<Key, Object?> { Map() }
}
