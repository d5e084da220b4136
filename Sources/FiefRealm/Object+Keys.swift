import Fief
import Foundation

extension ObjectBase {
  /// The value of the property with a name, in the form in which Realm's objects return it.
  ///
  /// For an enumeration this is the raw value, for a custom type the stored value, for an `AnyRealmValue` its
  /// contents, and for a number an `NSNumber`, which can be cast to each Swift type that can represent the
  /// value.
  ///
  /// ```swift
  /// let age = dog["age"] as? Int
  /// let size = dog["size"] as? String  // The raw value of an enumeration.
  /// ```
  /// Reading a property that is `nil` or does not exist returns `nil`. Assigning a value that does not fit
  /// changes nothing. An unknown name and an unsuitable value are reported as `StoreEvent.misuse(_:)`.
  /// `value(ofProperty:)` returns the value in its declared type.
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

  /// Returns the value of the property with a name, like `object["name"]`.
  public func value(forKey key: String) -> Any? { self[key] }

  /// Assigns a value to the property with a name, like `object["name"]`.
  public func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  /// Assigns values to properties by their names, as `object["name"]` does.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { self[key] = value is NSNull ? nil : value }
  }

  /// Returns the values of properties by their names, like `object["name"]`, with `NSNull` for `nil`.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, self[$0] ?? NSNull()) }) { first, _ in first }
  }

  /// Returns the value of a property behind links, such as `"home.city"`, or `nil` if a link is `nil`.
  ///
  /// If the property does not exist, the result is `nil` and `StoreEvent.misuse(_:)` is reported.
  public func value(forKeyPath keyPath: String) -> Any? {
    guard let (object, name) = last(of: keyPath) else { return nil }
    return object[name]
  }

  /// Assigns a value to a property behind links, such as `"home.city"`. Does nothing if a link is `nil`.
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
            "The key path continues after a property that is not an object.",
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

  /// Not available: a list that is read by its name has its declared type.
  @available(*, unavailable, message: "a list by its name has its type: object[name] as? List<Dog>")
  public func dynamicList(_ propertyName: String) -> List<Object> { List() }

  /// Not available: a set that is read by its name has its declared type.
  @available(*, unavailable, message: "a set by its name has its type: object[name] as? MutableSet<Dog>")
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<Object> { MutableSet() }

  /// Not available: a map that is read by its name has its declared type.
  @available(*, unavailable, message: "a map by its name has its type: object[name] as? Map<String, Dog?>")
  public func dynamicMap<Key>(_ propertyName: String) -> Map<Key, Object?> { Map() }
}
