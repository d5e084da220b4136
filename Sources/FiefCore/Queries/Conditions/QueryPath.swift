/// A path from an object to a value, by the names of properties.
///
/// All steps but the last follow links to one object or embedded objects, or look up a key in a map. Where
/// one of them is nil, so is the value. Paths through collections are ``QueryCollection``s.
package struct QueryPath: Hashable, Sendable {
  /// One step of the path.
  package enum Step: Hashable, Sendable {
    /// A property, by the name that the class gives it (by its column's where there is no class).
    case property(String)
    /// The value of a key in a map, or in a dictionary in a value of any type.
    case mapKey(String)
    /// The value at a place of a list in a value of any type; -1 is the last one.
    case index(Int)

    /// Keys of maps are equal if their UTF-8 bytes are, as in a store.
    package static func == (first: Step, second: Step) -> Bool {
      switch (first, second) {
      case (.property(let first), .property(let second)), (.mapKey(let first), .mapKey(let second)):
        first.hasSameBytes(as: second)
      case (.index(let first), .index(let second)): first == second
      default: false
      }
    }
  }

  /// The scope where the path begins: 0 is the subject of the condition, inside of a quantifier its element;
  /// 1 is the object whose collection that element is in; and so on (de Bruijn's indices: equal conditions are equal values).
  package var scope: Int
  /// The steps; without any it is the object or the element itself.
  package var steps: [Step]

  package init(scope: Int = 0, steps: [Step]) {
    self.scope = scope
    self.steps = steps
  }

  package init(_ names: String...) { self.init(steps: names.map { .property($0) }) }

  /// The element of a quantifier itself.
  package static let element = QueryPath(steps: [])
}

/// Several values of an object: a list, a set, a map or an inverse.
package struct QueryCollection: Hashable, Sendable {
  /// Which part of a map is meant; everything else has values only.
  package enum Part: Hashable, Sendable {
    case values, keys
    /// What is in the list or the dictionary that a value of any type is, or in a collection.
    case parts
  }

  /// The path of the collection, which is its last step.
  package var path: QueryPath
  package var part: Part

  package init(_ path: QueryPath, part: Part = .values) {
    self.path = path
    self.part = part
  }
}

extension QueryPath {
  /// A path of names with dots between them.
  package init(keyPath: String) {
    self.init(
      steps: keyPath.split(separator: ".", omittingEmptySubsequences: false).map { .property(String($0)) }
    )
  }
}
