/// A path from an object to a value, by the names of properties.
///
/// Every step before the last follows a link to one object or an embedded object, or looks up a key in a map.
/// If one of these steps is nil, the value is nil. Paths through collections are ``QueryCollection``s.
package struct QueryPath: Hashable, Sendable {
  /// One step of the path.
  package enum Step: Hashable, Sendable {
    /// A property, by its name in the class, or by the column's name if there is no class.
    case property(String)
    /// The value of a key in a map, or in a dictionary in an `AnyRealmValue`.
    case mapKey(String)
    /// The value at an index of a list in an `AnyRealmValue`. The index -1 is the last value.
    case index(Int)

    /// Compares two steps. Map keys are equal if their UTF-8 bytes are equal, as in a store.
    package static func == (first: Step, second: Step) -> Bool {
      switch (first, second) {
      case (.property(let first), .property(let second)), (.mapKey(let first), .mapKey(let second)):
        first.hasSameBytes(as: second)
      case (.index(let first), .index(let second)): first == second
      default: false
      }
    }
  }

  /// The scope in which the path begins. 0 is the subject of the condition, which inside a quantifier is the
  /// element; 1 is the object that owns the element's collection; and so on. These are de Bruijn indices, so
  /// equal conditions are equal values.
  package var scope: Int
  /// The steps. An empty path leads to the object or the element itself.
  package var steps: [Step]

  package init(scope: Int = 0, steps: [Step]) {
    self.scope = scope
    self.steps = steps
  }

  package init(_ names: String...) { self.init(steps: names.map { .property($0) }) }

  /// The path of a quantifier's element itself.
  package static let element = QueryPath(steps: [])
}

/// A collection of values of an object: a list, a set, a map or an inverse.
package struct QueryCollection: Hashable, Sendable {
  /// The part of the collection. Only maps have keys; other collections have only values.
  package enum Part: Hashable, Sendable {
    case values, keys
    /// The contents of a list or dictionary in an `AnyRealmValue`, or an element of a collection.
    case parts
  }

  /// The path that ends at the collection.
  package var path: QueryPath
  package var part: Part

  package init(_ path: QueryPath, part: Part = .values) {
    self.path = path
    self.part = part
  }
}

extension QueryPath {
  /// Creates a path from names joined by dots.
  package init(keyPath: String) {
    self.init(
      steps: keyPath.split(separator: ".", omittingEmptySubsequences: false).map { .property(String($0)) }
    )
  }
}
