extension List: Equatable {
  /// Returns a Boolean value that indicates whether two lists have the same elements in the same order: equal
  /// values, or objects with the same key.
  public static func == (first: List, second: List) -> Bool {
    first === second || first.elementsEqual(second, by: Element._areEqual)
  }
}

extension MutableSet: Equatable {
  /// Returns a Boolean value that indicates whether two sets have the same elements: equal values, or objects
  /// with the same key.
  public static func == (first: MutableSet, second: MutableSet) -> Bool {
    first === second || (first.count == second.count && first.isSubset(of: second))
  }
}

extension Map: Equatable {
  /// Returns a Boolean value that indicates whether two maps have the same values for the same keys: equal
  /// values, or objects with the same key.
  public static func == (first: Map, second: Map) -> Bool {
    first === second
      || first.elementsEqual(second) {
        $0.key.hasSameBytes(as: $1.key) && Value._areEqual($0.value, $1.value)
      }
  }
}
