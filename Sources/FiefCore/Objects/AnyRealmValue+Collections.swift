extension AnyRealmValue {
  /// A list of values, as code written for Realm makes it.
  public static func fromArray(_ values: [AnyRealmValue]) -> AnyRealmValue { .list(values) }

  /// A dictionary of values, as code written for Realm makes it.
  public static func fromDictionary(_ values: [String: AnyRealmValue]) -> AnyRealmValue {
    .dictionary(values)
  }

  /// The values of the list, or nil where the value is of another type.
  ///
  /// An assignment makes the value a list, and nil makes a list none; nil leaves a value of another type as it is.
  public var listValue: [AnyRealmValue]? {
    get {
      guard case .list(let values) = self else { return nil }
      return values
    }
    set {
      // `value.listValue?.append(1)` assigns its read value, which is nil for a value of another type.
      if let newValue {
        self = .list(newValue)
      } else if case .list = self {
        self = .none
      }
    }
  }

  /// The entries of the dictionary, or nil where the value is of another type.
  ///
  /// An assignment makes the value a dictionary, and nil makes a dictionary none; nil leaves a value of another type as
  /// it is.
  public var dictionaryValue: [String: AnyRealmValue]? {
    get {
      guard case .dictionary(let values) = self else { return nil }
      return values
    }
    set {
      // The same holds for dictionaries as for lists.
      if let newValue {
        self = .dictionary(newValue)
      } else if case .dictionary = self {
        self = .none
      }
    }
  }
}

extension AnyRealmValue: ExpressibleByArrayLiteral {
  /// Makes a list.
  public init(arrayLiteral elements: AnyRealmValue...) { self = .list(elements) }
}

extension AnyRealmValue: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary; of several values for a key the last one counts.
  public init(dictionaryLiteral elements: (String, AnyRealmValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
}
