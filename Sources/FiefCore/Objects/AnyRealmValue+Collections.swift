extension AnyRealmValue {
  /// Returns a list of values. This is the name that Realm uses.
  public static func fromArray(_ values: [AnyRealmValue]) -> AnyRealmValue { .list(values) }

  /// Returns a dictionary of values. This is the name that Realm uses.
  public static func fromDictionary(_ values: [String: AnyRealmValue]) -> AnyRealmValue {
    .dictionary(values)
  }

  /// The values of the list, or `nil` if the value is of another type.
  ///
  /// Assigning an array makes the value a list. Assigning `nil` replaces a list with `.none`, and leaves a
  /// value of another type unchanged.
  public var listValue: [AnyRealmValue]? {
    get {
      guard case .list(let values) = self else { return nil }
      return values
    }
    set {
      // Swift calls this setter at the end of `value.listValue?.append(1)`, even if the value is not a list. The
      // new value is then nil.
      if let newValue {
        self = .list(newValue)
      } else if case .list = self {
        self = .none
      }
    }
  }

  /// The entries of the dictionary, or `nil` if the value is of another type.
  ///
  /// Assigning a dictionary makes the value a dictionary. Assigning `nil` replaces a dictionary with `.none`,
  /// and leaves a value of another type unchanged.
  public var dictionaryValue: [String: AnyRealmValue]? {
    get {
      guard case .dictionary(let values) = self else { return nil }
      return values
    }
    set {
      // As in `listValue`, the new value is nil if the value is not a dictionary.
      if let newValue {
        self = .dictionary(newValue)
      } else if case .dictionary = self {
        self = .none
      }
    }
  }
}

extension AnyRealmValue: ExpressibleByArrayLiteral {
  /// Creates a list.
  public init(arrayLiteral elements: AnyRealmValue...) { self = .list(elements) }
}

extension AnyRealmValue: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary. If a key occurs several times, its last value is used.
  public init(dictionaryLiteral elements: (String, AnyRealmValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
}
