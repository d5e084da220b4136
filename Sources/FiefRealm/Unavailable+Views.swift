import Fief

// Realm's property wrappers for SwiftUI, and its older kinds of properties. Each message contains the code to
// write instead.

/// Not available: a view uses `LiveResults`.
@available(
  *,
  unavailable,
  message: "use live results in the view: @State var dogs = LiveResults(realm.objects(Dog.self))"
)
@propertyWrapper
public struct ObservedResults<Element> {
  /// Not available.
  public init(_ type: Element.Type) {}
  /// Not available.
  public var wrappedValue: Never? { nil }
}

/// Not available: a view uses `LiveResults` and divides them into sections.
@available(
  *,
  unavailable,
  message:
    "use live results in the view: @State var dogs = LiveResults(realm.objects(Dog.self)), and divide them into sections"
)
@propertyWrapper
public struct ObservedSectionedResults<Key, Element> {
  /// Not available.
  public init(_ type: Element.Type, sectionKeyPath: KeyPath<Element, Key>) {}
  /// Not available.
  public var wrappedValue: Never? { nil }
}

/// Not available: a view uses a `LiveObject`.
@available(*, unavailable, message: "use a live object in the view: @State var dog = LiveObject(dog)")
@propertyWrapper
public struct ObservedRealmObject<Element> {
  /// Not available.
  public init(wrappedValue: Element) { self.wrappedValue = wrappedValue }
  /// Not available.
  public var wrappedValue: Element
}

/// Not available: a view uses a `LiveObject`.
@available(*, unavailable, message: "use a live object in the view: @State var dog = LiveObject(dog)")
public typealias StateRealmObject<Element> = ObservedRealmObject<Element>

/// Not available: there is no synchronization.
@available(
  *,
  unavailable,
  message: "there is no synchronization with a server: open the store with try Realm()"
)
@propertyWrapper
public struct AsyncOpen {
  /// Not available.
  public init() {}
  /// Not available.
  public var wrappedValue: Never? { nil }
}

/// Not available: there is no synchronization.
@available(
  *,
  unavailable,
  message: "there is no synchronization with a server: open the store with try Realm()"
)
public typealias AutoOpen = AsyncOpen

/// Not available: properties are `@Persisted`.
@available(*, unavailable, message: "write @Persisted var age: Int?")
public final class RealmOptional<Value> {
  /// Not available.
  public init() {}
}

/// Not available: properties are `@Persisted`.
@available(*, unavailable, message: "write @Persisted var age: Int?")
public typealias RealmProperty<Value> = RealmOptional<Value>

extension LinkingObjects {
  /// Not available: inverses are `@Persisted`.
  @available(
    *,
    unavailable,
    message: "write @Persisted(originProperty: \"dogs\") var owners: LinkingObjects<Person>"
  )
  public init(fromType type: Element.Type, property propertyName: String) {
    self.init(originProperty: propertyName)
  }
}
